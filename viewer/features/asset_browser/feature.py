"""The asset browser as a feature."""

from __future__ import annotations

from functools import partial

from imgui_bundle import icons_fontawesome_6 as icons

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.asset_browser.asset_folder import AssetFolder
from octoscope.viewer.features.asset_browser.overlay import PlacingOverlay
from octoscope.viewer.features.asset_browser.panel import AssetPanel
from octoscope.viewer.features.asset_browser.placing import Placer
from octoscope.viewer.features.asset_browser.thumbnails import Thumbnails
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.settings.config import cache_folder
from octoscope.viewer.settings.kept import Setting, are_texts, attribute, number, switch
from octoscope.viewer.ui.widgets.thumbnail_grid import SIZES


def _contribute(context: Context) -> Contribution:
    view = context.view
    folder = AssetFolder(lambda: context.document.folder, context.editor.jobs)
    redraw = partial(view.redraw.request, Damage.PANELS)
    thumbnails = Thumbnails(context.editor.jobs, cache_folder() / "thumbnails", redraw)
    placer = Placer(context)
    panel = AssetPanel(folder, thumbnails, placer, context)
    overlay = PlacingOverlay(panel, placer, view)
    return Contribution(
        panels=[panel],
        ways_in=[(f"panel.{panel.id}", icons.ICON_FA_SWATCHBOOK)],
        tools=[overlay.follow],
        overlays=[overlay.draw],
        status=lambda: overlay.text,
        settings={
            "assets.folder": Setting(lambda: folder.chosen, folder.choose, lambda value: isinstance(value, str)),
            "assets.before": Setting(
                lambda: str(folder.path), partial(setattr, folder, "before"), lambda value: isinstance(value, str)
            ),
            "assets.favourites": attribute(folder, "favourites", are_texts),
            "assets.recent": attribute(folder, "recent", are_texts),
            "assets.aligned": switch(placer, "aligned"),
            "assets.by_origin": switch(placer, "by_origin"),
            "assets.size": number(panel, "size", *SIZES),
        },
    )


PART = WindowPart(_contribute)
