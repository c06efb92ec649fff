"""File > Share as web page writes the scene as the window shows it."""

from __future__ import annotations

from octoscope.viewer.editing.jobs import JobKind
from tests.scene.formats.page.pages import head_of
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene


def test_the_page_looks_from_where_the_window_does(open_app, tmp_path):
    app: HeadlessApp = open_app(box_scene())
    app.view.settings.show_grid = False
    requests = []
    app.document.flows._ask_path = requests.append
    app.table.run(app.table["file.share_page"])
    (request,) = requests
    assert request.endings == (".html",)
    request.choose(tmp_path / "shared.html")
    app.editor.jobs.wait(JobKind.WRITE)
    app.settle()
    look = head_of((tmp_path / "shared.html").read_text(encoding="utf-8"))["beside"]["look"]
    assert look["camera"]["position"] == app.view.camera.position.tolist() and not look["shows_grid"]
