"""The only place that opens outbound connections: guard, client, robots, mail."""
