"""Controls: adds controls to the pages of browsers, which act on the scene's thread; BrowserHand: whose a tool is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from viser import ClientHandle, CommandEvent, GuiEvent, ViserServer

from octoscope.viewer.tools.tool import Hand, HeldTool


class Call(Protocol):
    """Hands a task to the scene's thread, and whose wish it is; may be called on any thread."""

    def __call__(self, task: Callable[[], object], client: ClientHandle | None = None) -> object:
        """Have the task run with the next step."""


class BrowserHand(Hand):
    """Holds a tool for one browser. A browser that takes or drops it becomes the holder.

    Args:
        acting: returns the browser whose wish is done now, or None.
        browsers: returns those that are connected, by their numbers.
    """

    def __init__(
        self, acting: Callable[[], ClientHandle | None], browsers: Callable[[], dict[int, ClientHandle]]
    ) -> None:
        super().__init__()
        self._acting = acting
        self._browsers = browsers
        self._holder: int | None = None  # the number of the browser

    def is_of(self, client: ClientHandle | None) -> bool:
        """Return whether a tool is held that a browser uses; None: whoever acts, who may be no browser."""
        client = client or self._acting()
        return self.tool is not None and (client is None or self._holder in (None, client.client_id))

    @property
    def holder_name(self) -> str:
        """The name of the browser that has the tool, where there are several, else ""."""
        return "" if self._holder is None or len(self._browsers()) < 2 else f"Browser {self._holder + 1}"

    def take(self, tool: HeldTool | None) -> None:
        """Hold a tool for the browser that acts."""
        held, client = self.tool, self._acting()
        if held is not None and not self.is_of(None):
            held.put_down()
            tool = tool or held
        self._holder = None if tool is None or client is None else client.client_id
        super().take(tool)

    def drop_lost(self) -> None:
        """Put the tool down if its browser has gone."""
        if self._holder is not None and self._holder not in self._browsers():
            self.take(None)


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

    def buttons(self, title: str, labels: Sequence[str], act: Callable[[str], object]) -> Any:
        """Add a row of buttons; `act` is called with the label of the one that was clicked."""
        row = self.gui.add_button_group(title, labels)

        @row.on_click
        async def _(event: GuiEvent[Any]) -> None:
            self._call(partial(act, str(event.target.value)), event.client)

        return row

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
