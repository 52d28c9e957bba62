"""What became of a release on each site, from the freeze until the site's own address answers with what was published."""
