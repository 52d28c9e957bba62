"""What only a checkout has: the demo and its content, the contract between Python and TypeScript, the benchmarks.

The product (``portolan``) imports nothing of it. Its command line knows the commands by name (``portolan.commands.main``).
"""
