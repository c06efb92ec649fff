"""The ending of a page, and its writer."""

WRITERS = {".html": ("page.writer", "write_page")}
