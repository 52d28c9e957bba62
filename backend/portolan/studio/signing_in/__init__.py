"""The screens by which people sign in to the studio, and look after how they do."""
