"""The contract: what Python and TypeScript share, written to ``contract/``, and examples of it."""
