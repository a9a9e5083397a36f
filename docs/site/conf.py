"""Sphinx: the pages of docs/, tutorials that are run, and what Doxygen reads of the headers."""

import os

project = "daewave"
author = "the daewave developers"
version = release = os.environ.get("DAEWAVE_VERSION", "")
extensions = ["myst_parser", "breathe"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["**/_*"]
html_theme = "classic"
html_title = f"daewave {release}"
html_show_sourcelink = False
myst_heading_anchors = 3
breathe_projects = {"daewave": os.environ.get("DAEWAVE_DOXYGEN_XML", "")}
breathe_default_project = "daewave"
# Names of other libraries are not documented here.
nitpicky = False
