"""Compare pages of one site with their originals on another, and exchange their texts with translators."""
