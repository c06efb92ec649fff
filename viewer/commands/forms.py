"""Forms: what a person says before something is done, as fields with a type; what was said last is remembered."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

_LONGEST_SHOWN = 40  # characters, of what was typed

Value = float | int | str | bool
Values = dict[str, Value]


@dataclass(frozen=True)
class NumberField:
    """A number that is typed.

    Attributes:
        name: by which its value goes. label: stands before it where a row has several.
        whole: whether it is an int. least, most: what it may be.
    """

    name: str
    default: float
    label: str = ""
    whole: bool = False
    least: float = -math.inf
    most: float = math.inf

    def read(self, text: str) -> float | int:
        """The number that a person typed; ValueError, a line that says what is needed, where it is none."""
        try:
            number = int(text) if self.whole else float(text)
        except ValueError:
            number = math.nan
        is_finite = -math.inf < number < math.inf  # math.isfinite fails for the largest whole numbers
        if not (is_finite and self.least <= number <= self.most):
            shown = text.strip() or "nothing"
            shown = shown if len(shown) <= _LONGEST_SHOWN else shown[:_LONGEST_SHOWN] + "..."
            raise ValueError(f"enter {self._wanted()}, not {shown}")
        return number

    def write(self, number: float) -> str:
        """A number as a person types it."""
        return str(int(number)) if self.whole else f"{number:.10g}"

    def _wanted(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        if math.isfinite(self.least) and math.isfinite(self.most):
            return f"{kind} from {self.write(self.least)} to {self.write(self.most)}"
        return f"{kind} of {self.write(self.least)} or more" if math.isfinite(self.least) else kind


@dataclass(frozen=True)
class ChoiceField:
    """One of several words.

    Attributes:
        options: (value, what a person reads) each. default: a value.
    """

    name: str
    options: tuple[tuple[str, str], ...]
    default: str


@dataclass(frozen=True)
class CheckField:
    """Yes or no."""

    name: str
    label: str
    default: bool


Field = NumberField | ChoiceField | CheckField


@dataclass(frozen=True)
class Outcome:
    """What would come of a form as it is filled in.

    Attributes:
        text: a line that says it, or what is wrong. is_possible: whether it can be done.
    """

    text: str
    is_possible: bool = True


@dataclass(frozen=True)
class Form:
    """Something to fill in.

    Attributes:
        title: what for; what was said under it last is what it begins with the next time.
        rows: (label, fields) each. verb: on the button that does it.
        submit: called with the values by the fields' names. outcome: what they would lead to.
    """

    title: str
    rows: tuple[tuple[str, tuple[Field, ...]], ...]
    submit: Callable[[Values], object]
    verb: str = "OK"
    outcome: Callable[[Values], Outcome] = lambda values: Outcome("")

    @property
    def fields(self) -> list[Field]:
        return [field for _, fields in self.rows for field in fields]


class FormState:
    """A form that is being filled in.

    Args:
        before: what was said last, by the fields' names; of fields that it lacks, their defaults.

    Attributes:
        said: by the fields' names, what each shows: of numbers the text, as it is typed.
    """

    def __init__(self, form: Form, before: dict[str, str | bool]) -> None:
        self.form = form
        self.said: dict[str, str | bool] = {
            field.name: before.get(
                field.name, field.write(field.default) if isinstance(field, NumberField) else field.default
            )
            for field in form.fields
        }
        self._outcome: tuple[dict[str, str | bool], Outcome] | None = None

    def values(self) -> Values:
        """What is said, as it is meant; ValueError, a line that names the field, where that is nothing."""
        values: Values = {}
        for label, fields in self.form.rows:
            for field in fields:
                said = self.said[field.name]
                if isinstance(field, NumberField):
                    try:
                        said = field.read(said)
                    except ValueError as error:
                        raise ValueError(f"{' '.join((label, field.label)).strip()}: {error}") from None
                values[field.name] = said
        return values

    def outcome(self) -> Outcome:
        """What would come of it; found out once for what is said."""
        if self._outcome is None or self._outcome[0] != self.said:
            try:
                outcome = self.form.outcome(self.values())
            except ValueError as error:
                outcome = Outcome(str(error), is_possible=False)
            self._outcome = dict(self.said), outcome
        return self._outcome[1]
