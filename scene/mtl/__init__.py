"""Wavefront MTL: materials, read and written."""
