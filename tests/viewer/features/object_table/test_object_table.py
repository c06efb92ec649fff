"""The table under the mouse and by keys, its file, and what it asks for in a frame."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.viewer.document.table_file import write_table
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.features.object_table import panel
from octoscope.viewer.features.object_table.columns import Columns
from octoscope.viewer.features.object_table.panel import ObjectTable
from octoscope.viewer.settings.config import WindowState
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import add_box_mesh, crowd

FILTER, CSV, NAME, SIZE, BARS = (380, 435), (535, 435), (320, 461), (490, 461), (905, 488)


@pytest.fixture
def app(open_app) -> HeadlessApp:
    return open_app(crowd(300, seed=4), state=WindowState(open={ObjectTable.id: True}))


def table(app: HeadlessApp) -> ObjectTable:
    (found,) = (each for each in app.shell.panels if isinstance(each, ObjectTable))
    return found


def row(number: int, x: float = 450.0) -> tuple[float, float]:
    return x, 481.0 + 20.0 * number


def test_rows_are_selected_by_click_range_and_toggling(app):
    ids = table(app).rows.ids.tolist()
    app.click(row(1))
    assert app.selected == [ids[1]]
    app.click(row(3), held="shift")
    assert app.selected == ids[1:4]
    app.click(row(2), held="ctrl")
    assert app.selected == [ids[1], ids[3]]
    app.press("Down")
    assert app.selected == [ids[4]]


def test_a_click_on_a_title_sorts_and_another_turns_it_round(app):
    app.click(SIZE)
    sizes = table(app).rows.columns.sizes(table(app).rows.ids)
    assert (np.diff(sizes) <= 0.0).all()
    app.click(SIZE)
    sizes = table(app).rows.columns.sizes(table(app).rows.ids)
    assert (np.diff(sizes) >= 0.0).all()


def test_a_double_click_renames_with_undo(app):
    node = int(table(app).rows.ids[0])
    before = str(app.view.scene.names[node])
    app.click(row(0, 300.0), times=2)
    app.type("Zebra")
    app.press("Enter")
    assert app.view.scene.names[node] == "Zebra" and table(app).rows.ids[-1] == node
    app.table.run(app.table["edit.undo"])
    app.settle()
    assert app.view.scene.names[node] == before and table(app).rows.ids[0] == node


def test_enter_selects_what_the_filter_finds(app):
    app.click(FILTER)
    name = str(app.view.scene.names[table(app).rows.ids[5]])
    app.type(name)
    found = table(app).rows.ids.tolist()
    assert 0 < len(found) < 300
    app.press("Enter")
    assert app.selected == found


def test_a_bar_selects_the_objects_in_it(app):
    spread = table(app).rows.spreads[2]
    app.click(BARS)
    assert 0 < len(app.selected) < 300
    bars = {int(spread.place_of[table(app).rows.row_of(node)]) for node in app.selected}
    assert len(bars) == 1 and len(app.selected) == spread.counts[bars.pop()]


@pytest.mark.parametrize(("count", "told"), [(0, ["", ""]), (1, ["1.000", "12"])])
def test_histograms_tell_the_ends_of_what_there_is(open_app, monkeypatch, count, told):
    scene = Scene()
    for number in range(count):
        scene.add_node(f"cube {number}", mesh=add_box_mesh(scene))
    seen, cut_text = [], panel.cut_text
    monkeypatch.setattr(panel, "cut_text", lambda text, color: (seen.append(text), cut_text(text, color)))
    app = open_app(scene, state=WindowState(open={ObjectTable.id: True}))
    assert seen[-2:] == told
    assert [int(spread.counts[0]) for spread in table(app).rows.spreads.values()] == [count, count], "the first bar"


def test_the_rows_are_written_as_they_are_sorted(app, tmp_path):
    rows = table(app).rows
    app.view.scene.set_names([int(rows.ids[0])], ['a "big", b\nc'])
    app.click(SIZE)
    requests = []
    app.document.flows._ask_path = requests.append
    app.click(CSV)
    (request,) = requests
    assert request.endings == (".csv",)
    request.choose(tmp_path / "objects.csv")
    app.editor.jobs.wait(JobKind.WRITE)
    app.settle()
    with (tmp_path / "objects.csv").open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    assert head == ["name", "triangles", "size", "material", "file", "memory"]
    assert [line[0] for line in lines] == app.view.scene.names[rows.ids].tolist()
    assert [float(line[2]) for line in lines] == rows.columns.sizes(rows.ids).tolist()


def test_a_row_stays_while_its_new_name_does_not_fit_the_filter(app):
    node = int(table(app).rows.ids[0])
    app.click(FILTER)
    app.type(str(app.view.scene.names[node]))
    app.click(row(0, 300.0), times=2)
    app.type("Zebra")
    app.press("Enter")
    assert app.view.scene.names[node] == "Zebra" and node in table(app).rows.ids.tolist()


def test_names_that_spreadsheets_would_run_are_written_as_text(tmp_path):
    names = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "a=1"]
    write_table({"name": names, "size": [-1.0] * 6}, Scene(), tmp_path / "a.csv", progress=lambda share: None)
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))[1:]
    assert [name for name, _ in lines] == [*(f"'{name}" for name in names[:-1]), "a=1"]
    assert {size for _, size in lines} == {"-1.0"}


def test_a_frame_asks_only_for_the_rows_that_are_seen(app, monkeypatch):
    asked: list[int] = []
    names = Columns.names
    monkeypatch.setattr(Columns, "names", lambda columns, ids: asked.append(len(ids)) or names(columns, ids))
    table(app).rows.columns = Columns(app.view.scene)
    app.frame()
    assert asked and max(asked) < 20
