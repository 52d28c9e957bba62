"""From a release to the files of every site.

Reads releases and the site configuration, without Django, Wagtail or HTTP.
"""
