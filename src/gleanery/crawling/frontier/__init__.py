"""What is still to be visited, and who may ask for it: leases, addresses that lead nowhere, the statements."""
