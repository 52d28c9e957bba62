"""The studio's dashboard: what waits for whoever looks at it, what failed and whose it is, what comes, what others did."""
