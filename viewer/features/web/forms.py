"""BrowserForms: the forms of commands in browsers: a box over the page of the browser that has asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from viser import ClientHandle

from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.forms import CheckField, ChoiceField, Form, FormState
from octoscope.viewer.features.web.controls import Controls


class BrowserForms:
    """Boxes over the pages of browsers.

    Args:
        client: returns the browser whose wish is done now; None: nobody's, and nobody is asked.
    """

    def __init__(self, controls: Controls, client: Callable[[], ClientHandle | None]) -> None:
        self._controls = controls
        self.client = client
        self._entered: dict[str, dict[str, str | bool]] = {}  # by title: what was entered last

    def ask(self, form: Form) -> None:
        """Let the user fill in a form; what was entered is remembered under its title."""
        client = self.client()
        if client is None:
            return
        state = FormState(form, self._entered.get(form.title, {}))
        controls, modal = self._controls.of(client), client.gui.add_modal(form.title)

        def show() -> None:
            if modal.closed:  # a field was changed while it was submitted
                return
            outcome = state.outcome()
            about.content = printable(outcome.text)
            submit.disabled = not outcome.is_possible
            state.preview()

        def close(*, submits: bool) -> None:
            if submits and not state.outcome().is_possible:  # the page has not been told yet, and says why then
                return
            if not _close(modal):
                return
            state.preview(on=False)
            if submits:
                self._entered[form.title] = state.entered
                form.submit(state.values())

        with modal:
            for label, fields in form.rows:
                for field in fields:
                    self._add_field(
                        controls, state, " ".join((label, getattr(field, "label", ""))).strip(), field, show
                    )
            about: Any = client.gui.add_markdown("")
            submit = controls.button(form.verb, partial(close, submits=True))
            controls.button("Cancel", partial(close, submits=False))
        show()

    def _add_field(
        self, controls: Controls, state: FormState, label: str, field: Any, show: Callable[[], object]
    ) -> None:
        entered, gui = state.entered, controls.gui
        handle: Any
        match field:
            case CheckField():
                handle = gui.add_checkbox(label, bool(entered[field.name]))
            case ChoiceField():
                values = {shown: value for value, shown in field.options}
                shown = next(shown for shown, value in values.items() if value == entered[field.name])
                handle = gui.add_dropdown(label, tuple(values), initial_value=shown)
            case _:
                handle = gui.add_text(label, str(entered[field.name]))

        def take() -> None:
            value = handle.value
            entered[field.name] = values.get(value, entered[field.name]) if isinstance(field, ChoiceField) else value
            show()

        controls.follow(handle, take)

    def ask_text(self, title: str, label: str, before: str, take: Callable[[str], object]) -> None:
        """Let the user type a text."""

        def fill(controls: Controls, close: Callable[[], bool]) -> None:
            def submit() -> None:
                if close():
                    take(str(text.value))

            text: Any = controls.gui.add_text(label, before)
            controls.button("OK", submit)

        self.show_box(title, fill)

    def tell(self, title: str, markdown: str) -> None:
        """Show a text until the user closes it."""
        self.show_box(title, lambda controls, close: controls.gui.add_markdown(markdown), verb="Close")

    def show_box(
        self, title: str, fill: Callable[[Controls, Callable[[], bool]], object], *, verb: str = "Cancel"
    ) -> None:
        """Show a box with what `fill` adds, and a last button that closes it.

        Args:
            fill: gets a function that closes the box and returns whether it was open.
        """
        client = self.client()
        if client is None:
            return
        controls, modal = self._controls.of(client), client.gui.add_modal(title)
        close = partial(_close, modal)
        with modal:
            fill(controls, close)
            controls.button(verb, close)


def _close(modal: Any) -> bool:
    """Close a box, and return whether it was open: a second click may come before the first was done."""
    was_open = not modal.closed
    if was_open:
        modal.close()
    return was_open
