"""The contract between Python and TypeScript, written to ``contract/``, with examples."""
