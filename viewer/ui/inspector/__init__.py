"""The inspector: what is selected, and fields to change it with; a section a file."""

from viewer.ui.inspector.panel import Inspector

__all__ = ["Inspector"]
