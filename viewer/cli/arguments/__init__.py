"""The arguments of the command line; imports nothing that takes long: --help needs no more than this room.

command_line  Command; CommandLinePart: what a feature adds.
options       the options of every command.
values        the types of their values: sizes, angles, colours, planes.
"""
