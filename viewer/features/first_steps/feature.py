"""FirstSteps: a card of three gestures over the picture, the command in the Help menu, and whether it was seen."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.frame.redraw import Damage, RedrawProperty
from octoscope.viewer.frame.view import View
from octoscope.viewer.settings import kept
from octoscope.viewer.settings.settings import Settings
from octoscope.viewer.tools.intents import Hover, Intent, Press
from octoscope.viewer.ui.imgui.items import sentence_case
from octoscope.viewer.ui.overlays.hud import CornerBox
from octoscope.viewer.window.drags import GESTURES, ORBIT, PAN

_ACTIONS = ((ORBIT, icons.ICON_FA_ROTATE, "Orbit"), (PAN, icons.ICON_FA_UP_DOWN_LEFT_RIGHT, "Pan"))


class FirstSteps:
    """Stands over the picture until the mouse or a key does anything there, which it leaves to others."""

    is_shown = RedrawProperty[bool](Damage.PANELS)

    def __init__(self, view: View, settings: Settings) -> None:
        self.redraw = view.redraw
        self._view = view
        self._settings = settings
        self.is_shown = True  # until the settings of an earlier run say that it was seen

    def box(self) -> CornerBox | None:
        """Return the rows of the card, for the user's drags of the mouse; None once it was seen, or without a scene."""
        if not self.is_shown or len(self._view.scene) == 0:
            return None
        drags = self._settings.config.drags
        rows = [
            (f"{icon}  {sentence_case(gesture.replace('+', ' + '))} drag", text)
            for action, icon, text in _ACTIONS
            for gesture in [each for each in GESTURES if drags.get(each) == action][:1]
        ]
        return CornerBox([*rows, (f"{icons.ICON_FA_MAGNIFYING_GLASS}  Wheel", "Zoom")])

    def follow(self, intent: Intent) -> bool:
        """End with the first gesture or key."""
        if self.is_shown and not isinstance(intent, Hover | Press):
            self.is_shown = False
        return False


command = Declarations("Help", after="help.keys")
switch(
    command,
    "is_shown",
    "help.first_steps",
    "First steps",
    "how to orbit, pan and zoom, over the picture until the first gesture or key",
    synonyms=("welcome", "tutorial", "getting started", "hints"),
)


def _contribute(context: Context) -> Contribution:
    card = FirstSteps(context.view, context.settings)
    return Contribution(
        commands=command.bound_to(card),
        tools=[card.follow],
        corner_box=card.box,
        settings={"help.first_steps": kept.switch(card, "is_shown")},
    )


PART = WindowPart(_contribute)
