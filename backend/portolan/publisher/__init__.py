"""From a release to the files of every site: reads releases and the registry, knows no Django, no Wagtail and no HTTP."""
