"""What is needed to measure the product, and never to run it."""
