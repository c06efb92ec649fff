"""LAS and LAZ point clouds, read by laspy, an extra of Octoscope: octoscope[las].

format  FORMATS: their endings.
reader  read_las: a whole file; read_las_in_parts: one that does not fit in memory.
"""
