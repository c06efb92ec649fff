"""Settings change a file as a person would: one value, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.viewer.frame.quality import MODES
from octoscope.viewer.settings.config import DECLARED, SYSTEM, THEMES, Config, read_config
from octoscope.viewer.settings.config_text import changed_text, changes_between
from octoscope.viewer.settings.settings import Settings
from octoscope.viewer.ui.imgui.theme import BY_NAME
from octoscope.viewer.window.desktop_theme import desktop_theme

WRITTEN = """\
# mine, do not touch
scale   = 1.25 # for the beamer
theme = 'light'
  colour = "unknown" # of another program

[keys]
view.frame = ["F", "Ctrl+F"] # both
view.grid = "Shift+G"

# last words
[other]
list = [
  1,  # one
]
"""


@pytest.mark.parametrize(
    "text", (WRITTEN, WRITTEN.replace("\n", "\r\n"), "\ufeff" + WRITTEN), ids=("unix", "dos", "mark")
)
def test_a_change_leaves_every_other_byte_of_a_hand_written_file(tmp_path, text):
    (path := tmp_path / "config.toml").write_bytes(text.encode())
    settings = Settings(tmp_path)
    settings.config = replace(settings.config, theme="dark", keys={**settings.config.keys, "view.grid": ("K",)})
    expected = text.replace("'light'", '"dark"').replace('"Shift+G"', '["K"]')
    assert path.read_bytes() == expected.encode()
    assert read_config(tmp_path) == settings.config


def test_what_is_new_is_added_and_what_is_as_at_first_again_is_taken_away(tmp_path):
    (path := tmp_path / "config.toml").write_text(WRITTEN)
    settings = Settings(tmp_path)
    before = settings.config
    settings.config = replace(before, autosave=False, mouse={"Shift+left": "zoom"}, keys={**before.keys, "a.b": ("J",)})
    assert read_config(tmp_path) == settings.config and path.read_text().count("autosave = false\n") == 1
    settings.config = replace(settings.config, scale=None, mouse={}, keys={})
    assert read_config(tmp_path) == settings.config
    assert {"# mine, do not touch", "# last words", "  1,  # one"} <= set(path.read_text().splitlines())


NAMES = st.sampled_from(("a", "theme", "b c", "view", "keys", "x.y", "scale"))
VALUES = st.recursive(
    st.sampled_from((1, -2.5, True, "text", "with # and \" and '", "")),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
TABLES = st.dictionaries(NAMES, VALUES, max_size=4)
COMMENTS = st.sampled_from(("", "  # said", "# \u00e4 \u2192"))


@st.composite
def documents(draw) -> str:
    """Return a TOML file with values, comments, blank lines and tables, written as people do."""
    written = [draw(COMMENTS).strip()]
    tables = [None, *draw(st.lists(st.sampled_from(("keys", "mouse", "other.part", '"odd name"')), unique=True))]
    for table in tables:
        if table is not None:
            written += [draw(st.sampled_from(("", "# a table"))), f"[{table}]{draw(COMMENTS)}"]
        for name, value in draw(TABLES).items():
            if table is None and name == "keys":
                continue
            key = name if name.isalpha() else f'"{name}"'
            written.append(f"{draw(st.sampled_from(('', ' ')))}{key} = {_toml(value)}{draw(COMMENTS)}")
    return "\n".join(written) + draw(st.sampled_from(("", "\n", "\n\n")))


def _shared(first: list[str], second: list[str]) -> int:
    """Return how many lines at the beginning are the same."""
    same = [one == other for one, other in zip(first, second, strict=False)]
    return [*same, False].index(False)


def _toml(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return '"' + value.replace('"', '\\"') + '"'
    return str(value).lower()


@given(
    documents(),
    st.sampled_from(
        (("", "theme", "dark"), ("", "scale", 2.0), ("keys", "view.frame", ["F"]), ("mouse", "left", "pan"))
    ),
)
def test_of_any_document_the_lines_about_other_things_stay_as_they_are_and_in_their_order(text, change):
    table, name, value = change
    tomllib.loads(text)
    try:
        changed = changed_text(text, change)
    except ValueError:
        assert table in tomllib.loads(text) or name in tomllib.loads(text), "only of a file in whose way something is"
        return
    before, after = text.splitlines(), changed.splitlines()
    first = _shared(before, after)
    last = _shared(before[first:][::-1], after[first:][::-1])
    others = before[first : len(before) - last]
    assert len(others) <= 1 and all(name.partition(".")[0] in line for line in others), others
    read = tomllib.loads(changed)
    assert (read[table] if table else read)[name] == value


@given(documents())
def test_a_change_and_its_reverse_lead_back_to_the_text(text):
    if "theme" in tomllib.loads(text):
        before = tomllib.loads(text)["theme"]
        there = changed_text(text, ("", "theme", "dark"))
        assert tomllib.loads(changed_text(there, ("", "theme", before))) == tomllib.loads(text)


def test_a_file_with_a_fault_is_never_written(tmp_path):
    (path := tmp_path / "config.toml").write_text('theme = "light"\n[keys\n')
    settings, told = Settings(tmp_path), []
    settings.listen(lambda: None, told.append)
    settings.config = replace(settings.config, theme="light", scale=2.0)
    assert path.read_text() == 'theme = "light"\n[keys\n'
    assert len(told) == 1 and "config.toml" in told[0] and "\n" not in told[0]
    assert settings.config.scale == 2.0, "it goes for this window all the same"


def test_a_value_in_the_way_of_a_table_is_told_and_stays(tmp_path):
    (path := tmp_path / "config.toml").write_text("keys = 7\n")
    settings, told = Settings(tmp_path), []
    settings.listen(lambda: None, told.append)
    settings.config = replace(settings.config, keys={"view.frame": ("J",)})
    assert path.read_text() == "keys = 7\n" and len(told) == 1 and "keys" in told[0]


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_linked_file_is_written_where_it_lies(tmp_path):
    (real := tmp_path / "dotfiles.toml").write_text("# mine\n")
    (tmp_path / "config.toml").symlink_to(real)
    settings = Settings(tmp_path)
    settings.config = replace(settings.config, theme="light")
    assert (tmp_path / "config.toml").is_symlink() and real.read_text() == '# mine\ntheme = "light"\n'


def test_two_windows_change_one_file_and_follow_each_other(tmp_path, monkeypatch):
    monkeypatch.setattr("octoscope.viewer.settings.settings._LOOK_SECONDS", 0.0)
    first, second, applied = Settings(tmp_path), Settings(tmp_path), []
    second.listen(lambda: applied.append(second.config), applied.append)
    first.config = replace(first.config, theme="light")
    second.config = replace(second.config, scale=2.0)
    second.poll()
    first.poll()
    assert first.config == second.config == Config(theme="light", scale=2.0) == read_config(tmp_path)
    (tmp_path / "config.toml").write_text("theme = ")
    second.poll()
    assert second.config.theme == "light" and "config.toml" in applied[-1], "a file that is being written is no change"
    (tmp_path / "config.toml").write_text("scale = 3\n")
    second.poll()
    assert second.config == Config(scale=3.0)


@pytest.mark.parametrize(
    ("platform", "said", "shown"),
    [
        ("linux", "(<<uint32 2>>,)", "light"),
        ("linux", "(<<uint32 1>>,)", "dark"),
        ("linux", None, "dark"),
        ("darwin", "Light\n", "light"),
        ("darwin", "Dark\n", "dark"),
        ("win32", "  AppsUseLightTheme  REG_DWORD  0x1", "light"),
        ("win32", "  AppsUseLightTheme  REG_DWORD  0x0", "dark"),
    ],
)
def test_the_system_theme_is_the_desktops(monkeypatch, platform, said, shown):
    def run(command: tuple[str, ...], **_: object) -> subprocess.CompletedProcess[str]:
        if said is None:
            raise FileNotFoundError
        return subprocess.CompletedProcess(command, 0, said)

    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(subprocess, "run", run)
    desktop_theme.cache_clear()
    assert Config(theme=SYSTEM).shown_theme == shown and Config(theme="light").shown_theme == "light"
    desktop_theme.cache_clear()


def test_choices_are_those_of_what_they_choose():
    assert set(DECLARED["theme"].choices) == set(THEMES) == {*BY_NAME, SYSTEM}
    assert tuple(DECLARED["quality"].choices) == MODES


def test_every_setting_can_be_written_and_read(tmp_path: Path):
    other = Config(
        *("light", 2.0, False, True, "maya", True, True, False, False, "mm", "2", "best"),
        {"a.b": ("K",)},
        {"left": "pan"},
    )
    assert len({name for _, name, _ in changes_between(Config(), other)}) == 14
    settings = Settings(tmp_path / "new")
    settings.config = other
    assert read_config(tmp_path / "new") == other
