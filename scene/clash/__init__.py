"""Clash detection: pairs of objects whose triangles meet.

From what others call down to the exact signs that decide: search, broad (world boxes), narrow (two objects), reaching
(which of their triangles come into question), triangles (two of them), predicates.
"""
