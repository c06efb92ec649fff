"""Letters of labels in pictures, of any language."""

from __future__ import annotations

import numpy as np

from octoscope.viewer.frame.look.labels import bare_label_image, label_image


def test_letters_and_signs_of_labels_are_drawn_and_those_of_no_font_are_question_marks():
    for draw in (label_image, bare_label_image):
        unknown, *known = (draw(character, 24) for character in "\U0010fffeØ²³äöß×αЖ…")
        assert all(not np.array_equal(unknown, image) for image in known)
        assert np.array_equal(unknown, draw("?", 24))
