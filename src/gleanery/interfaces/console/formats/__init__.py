"""How dates are shown: short, and with a clock of 24 hours."""
