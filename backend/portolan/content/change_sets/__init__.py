"""Change sets: drafts that go live together. Kept with the content, so that the publisher can put one live without the studio."""
