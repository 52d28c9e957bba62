"""Pictures and documents that visitors see: who may change one, and what happens when somebody else tries."""
