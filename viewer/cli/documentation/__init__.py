"""What other programs are told of the command line, made of its parser.

Imports nothing of the viewer.

    completion  scripts with which shells complete commands, options and files.
    man_page    the manual's page.
"""
