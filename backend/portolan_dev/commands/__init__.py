"""Commands that the product's command line takes up where they are there: ``portolan demo`` and others."""
