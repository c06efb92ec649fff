"""Wavefront OBJ: the reader, stage by stage as in reader.py."""

from scene.obj.reader import read_obj

__all__ = ["read_obj"]
