"""The settings file is made where there is none, stays as it is where there is one, and is handed to the system."""

from __future__ import annotations

import os
import sys

import pytest

from octoscope.viewer.settings.config import Config, read_config
from octoscope.viewer.settings.settings_file import open_settings_file
from tests.viewer.windows.xvfb import wait_for


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="xdg-open is Linux's")
def test_it_is_made_and_opened_and_changes_nothing(tmp_path, monkeypatch):
    opener = tmp_path / "xdg-open"
    opener.write_text('#!/bin/sh\necho "$1" > "$0.told"\n')
    opener.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    folder = tmp_path / "new" / "config"
    level, line = open_settings_file(folder)
    path = folder / "config.toml"
    assert level == "info" and str(path) in line
    told = tmp_path / "xdg-open.told"
    wait_for(lambda: told.exists() and told.read_text().strip() == str(path), "the file to be opened")
    assert read_config(folder) == Config(), "all of it is commented out"


def test_every_line_of_it_can_be_used(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    open_settings_file(tmp_path)
    path = tmp_path / "config.toml"
    lines = [line.removeprefix("# ") for line in path.read_text().splitlines()[2:]]
    path.write_text("\n".join(lines))
    config = read_config(tmp_path)
    assert config.problems == ()
    assert (config.theme, config.scale, config.preset) == ("light", 1.25, "blender")
    assert config.keys == {"view.frame": ("F", "Ctrl+F")}


def test_one_that_is_there_stays_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "config.toml").write_text("scale = 2.0")
    open_settings_file(tmp_path)
    assert (tmp_path / "config.toml").read_text() == "scale = 2.0"


def test_where_it_cannot_be_made_that_is_said(tmp_path):
    (tmp_path / "config").write_text("a file")
    level, line = open_settings_file(tmp_path / "config" / "below")
    assert level == "error" and "cannot be made" in line
