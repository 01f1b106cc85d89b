"""Web server of `gleanery up`: the claim on its port."""
