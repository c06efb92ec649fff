"""Descriptions of the command line for other programs, made from its parser.

Imports nothing of the viewer.

    completion  scripts with which shells complete commands, options and files.
    man_page    the manual's page.
"""
