"""Measuring in a window: one tool at a time has the clicks."""

from __future__ import annotations

import pytest

from octoscope.viewer.app import session
from tests.viewer.headless_app import HeadlessApp


def test_it_is_found_by_other_names_for_it(app: HeadlessApp) -> None:
    assert app.table.search("dimension")[0].id == "tools.measure_distance"
    assert [each.id for each in app.table.search("ruler")[:2]] == ["view.rulers", "tools.measure_distance"]


def test_its_commands_stand_between_the_gizmos_and_cancel(app: HeadlessApp) -> None:
    ids, measures = (
        [each if isinstance(each, str) else each.id for each in app.table.in_menu(menu)]
        for menu in ("Tools", "Tools/Measure")
    )
    added = [f"tools.measure_{kind}" for kind in ("distance", "angle", "path", "circle", "faces", "area")]
    added += ["tools.copy_figure", "tools.name_measurement", "tools.remove_measurement"]
    assert ids[ids.index("Tools/Measure") - 1] == "Tools/Gizmo snapping" and measures == added
    assert ids[-1] == "tools.stop"


@pytest.mark.parametrize("other", ["gizmo.move", "gizmo.select", "light.turn"])
def test_another_tool_ends_measuring_and_measuring_ends_it(app: HeadlessApp, other: str, monkeypatch) -> None:
    drawn: list[object] = []
    monkeypatch.setattr(session, "draw_gizmo", lambda tool, picture: drawn.append(tool))
    for command_id in ("tools.measure_distance", other, "tools.measure_angle"):
        app.table.run(app.table[command_id])
        on = [each for each in ("tools.measure_distance", "tools.measure_angle", other) if app.table[each].is_on]
        assert on == [command_id]
        drawn.clear()
        app.frame()
        assert bool(drawn) is command_id.startswith("gizmo."), "handles that take no click are not drawn"
    assert app.session._hud_state(0, 0).corner_box is not None
    app.press("Esc")
    assert app.tools.hand.tool is None and app.session._hud_state(0, 0).corner_box is None
