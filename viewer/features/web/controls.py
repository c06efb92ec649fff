"""Controls: adds controls to the pages of browsers, which act on the scene's thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from viser import ClientHandle, CommandEvent, GuiEvent, ViserServer


class Call(Protocol):
    """Hands a task to the scene's thread, and whose wish it is; may be called on any thread."""

    def __call__(self, task: Callable[[], object], client: ClientHandle | None = None) -> object:
        """Have the task run with the next step."""


class Controls:
    """Adds controls to the page of every browser, or of one; what they do runs on the scene's thread."""

    def __init__(self, owner: ViserServer | ClientHandle, call: Call) -> None:
        self.gui = owner.gui
        self._call = call

    def of(self, client: ClientHandle) -> Controls:
        """Return what adds controls to the page of one browser."""
        return Controls(client, self._call)

    def button(self, label: str, act: Callable[[], object], *, hint: str = "") -> Any:
        """Add a button."""
        button = self.gui.add_button(label, color="gray", hint=hint or None)

        @button.on_click
        async def _(event: GuiEvent[Any]) -> None:
            self._call(act, event.client)

        return button

    def buttons(self, labels: Sequence[str], act: Callable[[str], object]) -> None:
        """Add a row of buttons; `act` is called with the label of the one that was clicked."""

        @self.gui.add_button_group("", labels).on_click
        async def _(event: GuiEvent[Any]) -> None:
            self._call(partial(act, str(event.target.value)), event.client)

    def command(
        self, label: str, act: Callable[[], object], *, hotkey: Any = None, modifier: Any = None, description: str = ""
    ) -> None:
        """Add a command that a key, if there is one, and the page's palette run."""
        command = self.gui.add_command(label, description=description or None, hotkey=hotkey, modifier=modifier)

        @command.on_trigger
        async def _(event: CommandEvent) -> None:
            self._call(act, event.client)

    def follow_upload(self, button: Any, act: Callable[[], object]) -> None:
        """Act whenever a file has been uploaded by a button."""

        @button.on_upload
        async def _(event: GuiEvent[Any]) -> None:
            self._call(act, event.client)

    def follow(self, control: Any, act: Callable[[], object]) -> None:
        """Act whenever the value of a control has changed."""

        @control.on_update
        async def _(event: GuiEvent[Any]) -> None:
            self._call(act, event.client)
