"""What the product asks of other hosts: the public internet alone, within bounds of time and size."""
