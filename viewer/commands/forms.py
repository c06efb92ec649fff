"""Forms: typed fields that a command asks for, and the values that the user has entered."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from octoscope.scene.conventions.length_unit import NO_UNIT
from octoscope.scene.conventions.typed_numbers import typed_number
from octoscope.scene.nodes.node_table import DeletedNodeError

_LONGEST_SHOWN = 40  # characters, of what was typed

Value = float | int | str | bool
Values = dict[str, Any]  # by name, each of the type of its field


@dataclass(frozen=True)
class NumberField:
    """A number."""

    name: str  # key of its value
    default: float  # value at first
    label: str = ""  # shown before it if its row has several fields
    whole: bool = False  # whether it is an int
    least: float = -math.inf  # lower limit
    most: float = math.inf  # upper limit
    # of a length: returns the scene's unit for what is entered in all fields, or NO_UNIT
    unit: Callable[[Mapping[str, str | bool]], str] = lambda entered: NO_UNIT

    def read(self, text: str, unit: str = NO_UNIT) -> float | int:
        """Return the number in a text, in which another unit may be; a ValueError says in a line what is needed."""
        try:
            number = typed_number(text, unit)
        except ValueError:
            number = math.nan
        if self.whole and number.is_integer():
            number = int(number)
        if not self.least <= number <= self.most or (self.whole and not isinstance(number, int)):
            shown = text.strip() or "nothing"
            shown = shown if len(shown) <= _LONGEST_SHOWN else shown[:_LONGEST_SHOWN] + "..."
            raise ValueError(f"enter {self._wanted()}, not {shown}")
        return number

    def write(self, number: float) -> str:
        """Return the text of a number."""
        return str(int(number)) if self.whole else f"{number:.10g}"

    def _wanted(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        if math.isfinite(self.least) and math.isfinite(self.most):
            return f"{kind} from {self.write(self.least)} to {self.write(self.most)}"
        return f"{kind} of {self.write(self.least)} or more" if math.isfinite(self.least) else kind


@dataclass(frozen=True)
class ChoiceField:
    """One of several options."""

    name: str  # key of its value
    options: tuple[tuple[str, str], ...]  # (value, label) each
    default: str  # a value


@dataclass(frozen=True)
class CheckField:
    """A check box."""

    name: str
    label: str
    default: bool


Field = NumberField | ChoiceField | CheckField


@dataclass(frozen=True)
class Outcome:
    """The result that a form would have as it is filled in."""

    text: str  # a line about it, or about what is wrong
    is_possible: bool = True  # whether the form can be submitted


@dataclass(frozen=True)
class Form:
    """A form."""

    title: str  # shown at the top; entered values are remembered under it
    rows: tuple[tuple[str, tuple[Field, ...]], ...]  # (label, fields) each
    submit: Callable[[Values], object]  # called with the values by name
    verb: str = "OK"  # label of the button
    outcome: Callable[[Values], Outcome] = lambda values: Outcome("")  # returns the result for values by name
    # shows the result in the scene while it is filled in, called for each frame; None shows nothing
    preview: Callable[[Values | None], object] | None = None

    @property
    def fields(self) -> list[Field]:
        """The fields of all rows."""
        return [field for _, fields in self.rows for field in fields]


class FormState:
    """A form being filled in: `entered` has by name what each field shows, at first what it showed `before`."""

    def __init__(self, form: Form, before: dict[str, str | bool]) -> None:
        self.form = form
        self.entered: dict[str, str | bool] = {}
        for field in form.fields:
            default = field.write(field.default) if isinstance(field, NumberField) else field.default
            shown = before.get(field.name, default)
            # The options may depend on the scene.
            is_gone = isinstance(field, ChoiceField) and shown not in dict(field.options)
            self.entered[field.name] = default if is_gone else shown
        self._begun_with = dict(self.entered)
        self._outcome: tuple[dict[str, str | bool], Outcome] | None = None

    @property
    def is_untouched(self) -> bool:
        """True as long as the fields show what they did at first: what is missing is no error yet."""
        return self.entered == self._begun_with

    def values(self) -> Values:
        """Return the values by name; a ValueError is a line that names a field whose number is not valid."""
        values: Values = {}
        for label, fields in self.form.rows:
            for field in fields:
                entered: Value = self.entered[field.name]
                if isinstance(field, NumberField):
                    try:
                        entered = field.read(str(entered), field.unit(self.entered))
                    except ValueError as error:
                        raise ValueError(f"{' '.join((label, field.label)).strip()}: {error}") from None
                values[field.name] = entered
        return values

    def outcome(self) -> Outcome:
        """Return the result for the present values, computed once for them."""
        if self._outcome is None or self._outcome[0] != self.entered:
            try:
                outcome = self.form.outcome(self.values())
            except (ValueError, DeletedNodeError) as error:
                outcome = Outcome(str(error), is_possible=False)
            self._outcome = dict(self.entered), outcome
        return self._outcome[1]

    def preview(self, *, on: bool = True) -> None:
        """Show the result for the present values in the scene if the form has a preview, or take it back."""
        if self.form.preview is not None:
            self.form.preview(self.values() if on and self.outcome().is_possible else None)
