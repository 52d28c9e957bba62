"""Tools of a checkout: demo, contract between Python and TypeScript, benchmarks, test data and evidence.

The product (``portolan``) never imports this package. Its command line lists the commands (``portolan.commands.main``).
"""
