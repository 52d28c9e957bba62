"""Send requests to the public internet only, with limits of time and size."""
