"""KeyCapture: the next key that is pressed becomes the key of a command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Command
from octoscope.viewer.document.questions import Choice, key_of_another
from octoscope.viewer.features.settings_window.key_changes import with_key
from octoscope.viewer.tools.intents import Click, Drag, Intent, KeyPress
from octoscope.viewer.window.keys import Chord


@dataclass(frozen=True)
class Awaited:
    """A command that gets the next key."""

    command: Command
    adds: bool  # whether beside the keys that it has


class KeyCapture:
    """A tool that has keys before all others do, while the window of settings waits for one."""

    def __init__(self, context: Context, is_shown: Callable[[], bool]) -> None:
        self._context = context
        self._is_shown = is_shown
        self.awaited: Awaited | None = None
        self.said = ""  # a line about the last key

    def wait_for(self, command: Command, *, adds: bool) -> None:
        """Wait for a key of a command, or no longer if that is what is waited for."""
        awaited = Awaited(command, adds)
        self.awaited = None if self.awaited == awaited else awaited
        self.said = ""

    def follow(self, intent: Intent) -> bool:
        """Take a key if one is waited for; clicks over the picture end that."""
        awaited = self.awaited
        if awaited is None or not isinstance(intent, KeyPress | Click | Drag):
            return False
        self.awaited = None
        if not (isinstance(intent, KeyPress) and self._is_shown()):
            return False
        if intent.chord != Chord("ESCAPE"):
            self._give(awaited, intent.chord)
        return True

    def _give(self, awaited: Awaited, chord: Chord) -> None:
        try:
            Chord.parse(str(chord))
        except ValueError:
            self.said = "this key cannot be the key of a command"
            return
        settings, table = self._context.settings, self._context.table()

        def give(choice: Choice = Choice.GIVE) -> None:
            settings.config = with_key(settings.config, table, awaited.command, chord, adds=awaited.adds)

        owner = table.owner_of(chord)
        if owner is None or owner.id == awaited.command.id:
            give()
        else:
            question = key_of_another(
                str(chord), awaited.command.label, owner.label, is_last=len(table.keys_of(owner)) == 1
            )
            self._context.document.flows.pending.ask(question, give)
