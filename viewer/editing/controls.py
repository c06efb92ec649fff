"""Control: a button, slider, check box ... of a script, as data, which windows and browsers show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from octoscope.guesses import public

Kind = Literal["button", "slider", "checkbox", "dropdown", "text"]


def _nothing(control: Control) -> None:
    pass


@public(
    *("choices", "highest", "kind", "label", "lowest", "remove", "value"),
    instead={
        **dict.fromkeys(("on_change", "on_click", "on_update"), "give the function when the control is added"),
        **dict.fromkeys(("max", "maximum"), "it is called highest"),
        **dict.fromkeys(("min", "minimum"), "it is called lowest"),
    },
)
class Control:
    """A control that a script has added: window.button, slider, checkbox, dropdown or text_field return it.

    Attributes:
        kind: "button", "slider", "checkbox", "dropdown" or "text".
        label: text beside the control, or on the button.
        lowest: of a slider.
        highest: of a slider.
        choices: of a dropdown.
    """

    def __init__(
        self,
        kind: Kind,
        label: str,
        value: Any = None,
        on_change: Callable[..., object] | None = None,
        *,
        lowest: float = 0.0,
        highest: float = 0.0,
        choices: Sequence[str] = (),
        on_set: Callable[[Control], object] = _nothing,
        on_remove: Callable[[Control], object] = _nothing,
    ) -> None:
        self.kind, self.label, self.lowest, self.highest = kind, label, lowest, highest
        self.choices = tuple(choices)
        self._on_change = on_change
        self._on_set, self._on_remove = on_set, on_remove
        self._value = self._checked(value)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.label!r}" + ("" if self._value is None else f": {self._value!r}") + ">"

    @property
    def value(self) -> Any:
        """The present value; None for a button. Setting it shows it, and does not call the function.

        Raises:
            ValueError: it lies outside of a slider, or is none of a dropdown's choices.
        """
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        self._value = self._checked(value)
        self._on_set(self)

    @property
    def is_whole(self) -> bool:
        """True for a slider of whole numbers: one that was made of such."""
        return isinstance(self.lowest, int) and isinstance(self.highest, int) and isinstance(self._value, int)

    def remove(self) -> None:
        """Take it out of the window."""
        self._on_remove(self)

    def run(self) -> None:
        """Call the script's function."""
        if self._on_change is not None:
            self._on_change(*(() if self.kind == "button" else (self._value,)))

    def _checked(self, value: Any) -> Any:
        match self.kind:
            case "slider" if not self.lowest <= value <= self.highest:
                raise ValueError(f"{self.label}: a value of {self.lowest} to {self.highest} is needed, not {value!r}")
            case "dropdown" if value not in self.choices:
                raise ValueError(f"{self.label}: {value!r} is none of {', '.join(self.choices) or 'no choices'}")
        return value
