"""Settings that are kept between runs: read as far as they make sense, with a line about each that does not."""

from __future__ import annotations

import json
import os
from dataclasses import fields

import platformdirs
import pytest

from octoscope.viewer.editing.log import Log
from octoscope.viewer.settings.config import (
    FOLDER_VARIABLE,
    Config,
    WindowState,
    config_folder,
    pictures_folder,
    read_config,
    read_window_state,
    save_window_state,
)
from octoscope.viewer.settings.recent_files import read_recent

FULL = """
theme = "light"
scale = 1.5
preset = "blender"
system_dialogs = false
[keys]
"view.frame" = ["F", "Ctrl+F"]
view.grid = "Shift+G"
octree.cells = []
"""


def config_of(tmp_path, text: str | bytes) -> Config:
    (tmp_path / "config.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_config(tmp_path)


def test_without_a_file_everything_is_as_at_first(tmp_path):
    assert read_config(tmp_path / "not there") == Config()
    assert read_window_state(tmp_path / "not there") == (WindowState(), [])


def test_a_file_says_theme_scale_preset_and_keys_whichever_way_they_are_written(tmp_path):
    assert config_of(tmp_path, FULL) == Config(
        theme="light",
        scale=1.5,
        preset="blender",
        keys={"view.frame": ("F", "Ctrl+F"), "view.grid": ("Shift+G",), "octree.cells": ()},
        system_dialogs=False,
    )


@pytest.mark.parametrize(
    ("text", "said"),
    (
        ('theme = "pink"', "pink"),
        ("theme = 3", "3"),
        ("scale = 99", "99"),
        ('system_dialogs = "no"', "system_dialogs"),
        ("scale = true", "True"),
        ("scale = nan", "nan"),
        ('preset = "word"', "word"),
        ("autosave = 1", "autosave"),
        ('[mouse]\nleft = "jump"', "jump"),
        ('[mouse]\n"Shift+wheel" = "pan"', "Shift+wheel"),
        ('[mouse]\nmiddle = "box"', "box"),
        ("mouse = 1", "mouse"),
        ("preset = []", "preset"),
        ("keys = 7", "keys"),
        ("[keys]\nview.frame = 7", "view.frame"),
        ("[keys]\nview.frame = [1]", "view.frame"),
        ("colour = 1", "colour"),
        ("theme =", "config.toml"),
        (b"\xff\xfe\x00", "config.toml"),
        ("[keys\n", "config.toml"),
        ("a=" + "[" * 5000, "config.toml"),
    ),
)
def test_what_makes_no_sense_is_told_in_a_line_and_passed_over(tmp_path, text, said):
    config = config_of(tmp_path, text)
    assert config == Config(problems=config.problems), "everything is as at first"
    assert len(config.problems) == 1
    assert said in config.problems[0] and "config.toml" in config.problems[0] and "\n" not in config.problems[0]


def test_what_makes_sense_beside_it_counts(tmp_path):
    config = config_of(tmp_path, 'theme = "light"\nscale = "big"\n[keys]\nview.grid = "K"\nview.frame = {}\n')
    assert (config.theme, config.scale, dict(config.keys)) == ("light", None, {"view.grid": ("K",)})
    assert len(config.problems) == 1


def test_a_folder_in_the_place_of_a_file_is_told(tmp_path):
    for name in ("config.toml", "window.json"):
        (tmp_path / name).mkdir()
    assert len(read_config(tmp_path).problems) == 1
    assert len(read_window_state(tmp_path)[1]) == 1
    assert "window.json" in save_window_state(tmp_path, WindowState())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes")
@pytest.mark.parametrize("name", ("config.toml", "window.json", "recent.json"))
def test_a_pipe_in_the_place_of_a_file_is_told_and_not_waited_for(tmp_path, name):
    os.mkfifo(tmp_path / name)
    told = [*read_config(tmp_path).problems, *read_window_state(tmp_path)[1], *read_recent(tmp_path)[1]]
    assert len(told) == 1 and f"{name}: " in told[0] and "(not a regular file)" in told[0]


def test_a_file_larger_than_a_person_writes_is_told_and_not_read(tmp_path):
    config = config_of(tmp_path, "".join(f'k{number} = "{number}"\n' for number in range(400_000)))
    assert len(config.problems) == 1 and "bytes, more than" in config.problems[0]


def test_of_very_many_problems_the_first_are_told_and_how_many_more_there_are(tmp_path):
    log = Log()
    log.say_all("warning", config_of(tmp_path, "".join(f"k{number} = 1\n" for number in range(5_000))).problems)
    assert len(log.entries) == len(log.toasts) == 21
    assert "k0:" in log.entries[0].text and log.entries[-1].text == "and 4,980 more like these"


def test_how_the_window_was_left_is_found_again(tmp_path):
    state = WindowState(panels=False, statistics=True, open={"messages": True}, layout="[Window][x]\nä\n")
    state.settings = {"view.grid": False, "gizmo.mode": None, "gizmo.step": 0.1}
    assert save_window_state(tmp_path / "new" / "folder", state) is None
    assert read_window_state(tmp_path / "new" / "folder") == (state, [])


@pytest.mark.parametrize(
    "text",
    (
        "",
        "[]",
        "{",
        '{"panels": 1}',
        '{"open": {"a": "yes"}}',
        '{"open": []}',
        '{"layout_scale": 0}',
        '{"layout_scale": true}',
        '{"layout": null}',
        '{"settings": []}',
        '{"settings": null}',
        "[" * 100_000,
    ),
)
def test_a_state_without_a_value_that_fits_is_told_in_a_line_and_the_window_begins_anew(tmp_path, text):
    (tmp_path / "window.json").write_text(text)
    state, problems = read_window_state(tmp_path)
    assert state == WindowState()
    assert len(problems) == 1 and "window.json" in problems[0] and "\n" not in problems[0]


VALUES = {
    "panels": (False, (0, "no", None)),
    "statistics": (True, ("yes",)),
    "toolbar": (False, (1,)),
    "open": ({"messages": True}, ([], {"messages": "yes"}, None)),
    "layout": ("[Window]", (None, 7, "x" * 2_000_000)),
    "layout_scale": (2.0, (0, True, "2")),
    "place": ([1, 2, 640, 480], ([1], "place", [0, 0, -5, 1e400], None)),
    "maximised": (True, (None,)),
    "settings": ({"view.grid": False}, ([], None)),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_that_makes_no_sense_costs_no_other(tmp_path, name):
    good = {known: value for known, (value, _) in VALUES.items()}
    assert set(good) == {field.name for field in fields(WindowState)}
    for wrong in VALUES[name][1]:
        (tmp_path / "window.json").write_text(json.dumps(good | {name: wrong}))
        state, problems = read_window_state(tmp_path)
        assert state == WindowState(**{known: value for known, value in good.items() if known != name})
        assert len(problems) == 1 and f"window.json: {name}: " in problems[0] and len(problems[0]) < 1000


def test_names_that_another_release_wrote_are_passed_over(tmp_path):
    good = {known: value for known, (value, _) in VALUES.items()}
    (tmp_path / "window.json").write_text(json.dumps({"new": [1], **good, "": None}))
    assert read_window_state(tmp_path) == (WindowState(**good), [])


def test_files_that_a_windows_editor_wrote_are_read(tmp_path):
    """Such editors put a byte order mark before UTF-8."""
    assert config_of(tmp_path, b"\xef\xbb\xbf" + FULL.encode()) == config_of(tmp_path, FULL)
    (tmp_path / "window.json").write_bytes(b'\xef\xbb\xbf{"panels": false}')
    assert read_window_state(tmp_path) == (WindowState(panels=False), [])
    (tmp_path / "recent.json").write_bytes(b"\xef\xbb\xbf[]")
    assert read_recent(tmp_path)[1] == []


LONG = "k" * 100_000


@pytest.mark.parametrize(
    "text",
    (
        f"{LONG} = 1",
        f"theme = '{LONG}'",
        f"scale = '{LONG}'",
        f"keys = '{LONG}'",
        f"[keys]\n{LONG} = 7",
        f"[keys]\nview.grid = ['{LONG}', 7]",
        f"[keys]\n{'.'.join([LONG[:9000]] * 12)} = 'F'",
        f"[{LONG}]\n[{LONG}]",
        LONG,
    ),
)
def test_a_message_about_something_long_is_cut(tmp_path, text):
    (problem,) = config_of(tmp_path, text).problems
    assert "config.toml" in problem and len(problem) < len(str(tmp_path)) + 250


def test_a_layout_too_long_to_be_one_is_passed_over(tmp_path):
    (tmp_path / "window.json").write_text(json.dumps({"layout": "x" * 2_000_000}))
    assert read_window_state(tmp_path)[0] == WindowState()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a folder that cannot be written to")
def test_a_state_that_cannot_be_kept_is_told(tmp_path):
    tmp_path.chmod(0o500)
    assert "window.json" in save_window_state(tmp_path, WindowState())


def test_the_folder_is_the_variables_or_the_platforms(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert config_folder() == tmp_path
    monkeypatch.delenv(FOLDER_VARIABLE)
    assert config_folder().name == "octoscope"
    assert pictures_folder() == platformdirs.user_pictures_path() / "Octoscope"


def test_a_key_of_too_many_parts_is_told_and_costs_nothing_else(tmp_path):
    config = config_of(tmp_path, "theme = 'light'\n[keys]\n" + "a." * 300 + "a = 'F'\n")
    assert config.theme == "light" and config.keys == {}
    assert len(config.problems) == 1 and "so many parts" in config.problems[0]


def test_a_misspelt_setting_is_told_which_one_may_be_meant(tmp_path):
    told = config_of(tmp_path, 'them = "dark"\nproblem = 1\nsystem-dialogs = true\n').problems
    assert [line.partition("unknown setting")[2] for line in told] == [
        "; did you mean theme?",
        "",
        "; did you mean system_dialogs?",
    ]
