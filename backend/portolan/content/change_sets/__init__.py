"""Change sets: drafts that go live together. Part of content, so that the publisher can publish them without the
studio."""
