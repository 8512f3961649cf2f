# SPDX-License-Identifier: MIT
# docs/site/conf.py — the pages as a site: Sphinx reads the Markdown that is there. Navigation is
# what docs/index.md lists.
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "gallery")]
import navigation  # noqa: E402
import site_page  # noqa: E402

project = "synthoscope"
extensions = ["myst_parser"]
root_doc = navigation.INDEX
include_patterns = ["*.md", "docs/**.md"]
exclude_patterns = navigation.folders_without_pages()
myst_heading_anchors = 4
# A program's own words in blocks without a language are no code
highlight_language = "none"

html_theme = "furo"
html_title = "synthoscope"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_additional_pages = {"index": "front.html"}
templates_path = ["templates"]
html_theme_options = {"navigation_with_keys": True}


def setup(app):
    app.connect("source-read", navigation.append_to_index)
    app.connect("source-read", site_page.insert_cards)
    app.connect("build-finished", site_page.finish)
