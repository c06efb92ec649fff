"""PLY: a heading that says what the file holds, and rows of it as text or bytes.

Imports obj/, of which it has the numbers, and gltf/, for the image beside a file.

    header        the heading: elements and their properties.
    row_kernels   kernels: numbers of a text; where lists lie in rows of different lengths.
    columns       rows of an element as columns.
    reader        read_ply and read_ply_in_parts: from a path to what is in the file.
"""
