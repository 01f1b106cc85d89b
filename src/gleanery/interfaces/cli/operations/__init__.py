"""Commands that run the installation: servers, accounts, backups, checks."""
