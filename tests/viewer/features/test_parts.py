"""Parts of features lie in the files in which their kinds are looked for, and are of these kinds."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from octoscope.viewer import features
from octoscope.viewer.frame.view import DecorationPart

FOLDER = Path(features.__file__).parent


def test_each_part_lies_in_the_file_that_its_kind_names():
    found = []
    for path in sorted(FOLDER.glob("*/*.py")):
        if re.search(r"^PART\b", path.read_text(encoding="utf-8"), re.MULTILINE):
            part = import_module(f"{features.__name__}.{path.parent.name}.{path.stem}").PART
            assert path.stem == part.FILE
            assert part in features.parts(type(part))
            found.append(part)
    assert len(found) > len(features.FEATURES)


def test_a_part_of_another_kind_is_a_programming_error(monkeypatch):
    name = f"{features.__name__}.measuring.decoration"
    import_module(name)
    broken = ModuleType(name)
    broken.PART = lambda view: None
    monkeypatch.setitem(sys.modules, name, broken)
    with pytest.raises(TypeError, match=r"measuring/decoration\.py: PART must be a DecorationPart"):
        features.parts(DecorationPart)
