"""Boxes over the window that wait for an answer.

Imports viewer.commands, viewer.document, viewer.ui.imgui.

    form_box       fill in the form of a command.
    path_box       choose a file, in the system's own dialog or in a box of ours.
    system_dialog  the system's own dialog.
    portal         the program that asks for files by a desktop's portal.
    question_box   answer a question.
    palette        find a command by a few letters.
    key_sheet      all keys and mouse gestures.
"""
