"""BrowserForms: the forms of commands in browsers: a box over the page of the browser that has asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from viser import ClientHandle

from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.forms import CheckField, ChoiceField, Form, FormState
from octoscope.viewer.features.web.front import Controls


class BrowserForms:
    """Boxes over the pages of browsers.

    Args:
        client: returns the browser whose wish is done now; None: nobody's, and nobody is asked.
    """

    def __init__(self, controls: Controls, client: Callable[[], ClientHandle | None]) -> None:
        self._controls = controls
        self._client = client
        self._entered: dict[str, dict[str, str | bool]] = {}  # by title: what was entered last

    def ask(self, form: Form) -> None:
        """Let the user fill in a form; what was entered is remembered under its title."""
        client = self._client()
        if client is None:
            return
        state = FormState(form, self._entered.get(form.title, {}))
        controls, modal = self._controls.of(client), client.gui.add_modal(form.title)

        def show() -> None:
            outcome = state.outcome()
            about.content = printable(outcome.text)
            submit.disabled = not outcome.is_possible
            state.preview()

        def close(*, submits: bool) -> None:
            modal.close()
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
        self._box(title, lambda controls: controls.gui.add_text(label, before), lambda text: take(str(text.value)))

    def tell(self, title: str, markdown: str) -> None:
        """Show a text until the user closes it."""
        self._box(title, lambda controls: controls.gui.add_markdown(markdown))

    def _box(self, title: str, fill: Callable[[Controls], Any], take: Callable[[Any], object] | None = None) -> None:
        """Show a box with what `fill` adds, which OK hands to `take`, if that is given."""
        client = self._client()
        if client is None:
            return
        controls, modal = self._controls.of(client), client.gui.add_modal(title)

        def submit() -> None:
            modal.close()
            if take is not None:
                take(filled)

        with modal:
            filled = fill(controls)
            controls.button("OK", submit)
            if take is not None:
                controls.button("Cancel", modal.close)
