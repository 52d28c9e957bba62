"""The accounts of the studio: who has which role where, and invitations."""
