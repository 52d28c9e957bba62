"""Find and replace on selected sites. The selected places become drafts of one change set."""
