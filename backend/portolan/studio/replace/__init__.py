"""Find and replace over chosen sites: what is ticked becomes drafts of one change set, which is reviewed and goes live as one."""
