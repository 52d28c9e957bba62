"""Opening hours: a block, and pages for branches. A plugin of Portolan."""
