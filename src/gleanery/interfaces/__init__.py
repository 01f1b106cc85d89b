"""The doors: API, console, command line; thin over the services of the stages."""
