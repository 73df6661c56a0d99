"""Pictures of the pages: places computed here, drawn as SVG by the templates, readable without script, in words too."""
