"""The project file, .octo.json, and the journal beside it: how they are written, read and kept whole.

scene/PROJECT.md says what stands in them.
"""
