"""New scenes have the unit and decimals of the settings; projects keep theirs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from octoscope.scene import Scene, save_project, write_glb
from tests.viewer.scenes import box_scene


@pytest.mark.parametrize(
    ("ending", "unit", "decimals", "factor"), [("glb", "mm", 1, 1000.0), ("octo.json", "", None, 1.0)]
)
def test_a_file_that_is_opened_has_the_units_of_the_settings_and_a_project_its_own(
    open_app, tmp_path, ending, unit, decimals, factor
):
    app, scene, path = open_app(Scene()), box_scene(), tmp_path / f"boxes.{ending}"
    (write_glb if ending == "glb" else save_project)(scene, path)
    settings = app.session.host.settings
    settings.config = replace(settings.config, length_unit="mm", length_decimals="1")
    app.session.document.open(path)
    app.settle()
    while (opened := app.session.document.next_document) is None:
        app.settle()
    found = opened.scene
    assert (found.length_unit, found.length_decimals) == (unit, decimals)
    found.update_world()
    assert found.bounds()[1].max() == pytest.approx(factor * scene.bounds()[1].max())
