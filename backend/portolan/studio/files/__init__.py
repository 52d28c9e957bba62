"""Images and documents that visitors see: permission to change them, and a new file for people without it."""
