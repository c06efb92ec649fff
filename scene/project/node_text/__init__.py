"""The nodes of a project file as text, a line each, written and read by kernels: there may be a million.

Imports scene.formats.obj, for the numbers.

    shortest_numbers  doubles as the shortest decimals that read back equal.
    literals          the texts between the values of a node.
    writing           write_nodes: columns become lines.
    reading           read_nodes: lines become columns, if all of them are as they are written.
"""
