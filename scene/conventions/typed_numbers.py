"""Numbers as users type them: arithmetic expressions with units of length, and changes of the present value."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable

import numpy as np

from octoscope.scene.conventions.length_unit import METRES, NO_UNIT

_LONGEST = 200  # characters; limits how deeply an expression can be nested
_OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_UNIT = re.compile(rf"([\d.)]\s*)({'|'.join(METRES)})\b", re.IGNORECASE)  # with the end of what it is behind
_UNIT_OVER_UNIT = re.compile(rf"{_UNIT.pattern}[^-+]*/[^-+]*{_UNIT.pattern}", re.IGNORECASE)
_RELATIVE = {"+=": np.add, "-=": np.subtract, "*=": np.multiply, "/=": np.divide}
_NAMES = {"pi": math.pi, "tau": math.tau, "e": math.e}
_FUNCTIONS: dict[str, Callable[[float], float]] = {  # angles are in degrees, as in the fields
    "sqrt": math.sqrt,
    "abs": abs,
    "sin": lambda degrees: math.sin(math.radians(degrees)),
    "cos": lambda degrees: math.cos(math.radians(degrees)),
    "tan": lambda degrees: math.tan(math.radians(degrees)),
    "asin": lambda ratio: math.degrees(math.asin(ratio)),
    "acos": lambda ratio: math.degrees(math.acos(ratio)),
    "atan": lambda ratio: math.degrees(math.atan(ratio)),
}


def typed_number(text: str, unit: str = NO_UNIT) -> float:
    """Return the number that a text gives, as of `typed_values` but for changes of a present value.

    Raises:
        ValueError: the text is not valid, or the result is not finite; the message is one line.
    """
    number = _number(text, unit, text)
    if not math.isfinite(number):
        raise ValueError(f"{text!r} is out of range")
    return number


def typed_values(text: str, values: np.ndarray, unit: str = NO_UNIT) -> np.ndarray:
    """Return the values that a text gives to the (k,) present values, (k,) float64.

    An expression, such as "90/4" or "2*sqrt(3)", is one value for all; "+=1", "-=1", "*=2" and "/=2" change each. A
    comma without a point is a decimal comma; functions of angles count in degrees. Of lengths whose `unit` is
    known, others may stand behind numbers and brackets, such as in "3 ft + 2 in" or "+=2 cm", which are converted.

    Raises:
        ValueError: the text is not valid, or a result is not finite; the message is one line.
    """
    text = text.strip()
    relative = _RELATIVE.get(text[:2])
    if relative is None:
        return np.full(len(values), typed_number(text, unit))
    with np.errstate(all="ignore"):
        result = relative(values, _number(text[2:], unit, text))
    if not np.isfinite(result).all():
        raise ValueError(f"{text!r} is out of range")
    return result


def _number(text: str, unit: str, typed: str) -> float:
    """Return the value of an expression, which is a part of what was `typed`."""
    shown = typed if len(typed) <= 40 else typed[:40] + "..."
    plain = text.replace(",", ".") if "." not in text and text.count(",") == 1 else text
    match = _UNIT.search(plain)
    if match is not None and unit == NO_UNIT:
        raise ValueError(f"{match[2]}: no unit goes here; lengths in the world have that of View > Unit of length")
    if _UNIT_OVER_UNIT.search(plain):
        raise ValueError(f"{shown!r} has a unit on both sides of /; leave out both")
    plain = _UNIT.sub(lambda match: f"{match[1]}*{METRES[match[2].lower()] / METRES[unit]!r}", plain)
    try:
        if len(text) > _LONGEST:
            raise ValueError
        return _evaluated(ast.parse(plain.strip().replace("^", "**"), mode="eval").body)
    except ZeroDivisionError:
        raise ValueError(f"{shown!r} divides by zero") from None
    except OverflowError:
        raise ValueError(f"{shown!r} is out of range") from None
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        raise ValueError(f"{shown!r} is not a number") from None


def _evaluated(node: ast.expr) -> float:
    match node:
        case ast.Constant(int() | float() as value) if not isinstance(value, bool):
            return float(value)
        case ast.Name(name) if name.lower() in _NAMES:
            return _NAMES[name.lower()]
        case ast.Call(ast.Name(name), [argument], []) if name.lower() in _FUNCTIONS:
            return _FUNCTIONS[name.lower()](_evaluated(argument))
        case ast.UnaryOp(ast.UAdd(), operand):
            return _evaluated(operand)
        case ast.UnaryOp(ast.USub(), operand):
            return -_evaluated(operand)
        case ast.BinOp(left, operation, right) if type(operation) in _OPERATIONS:
            result = _OPERATIONS[type(operation)](_evaluated(left), _evaluated(right))
            if type(result) is float:  # a root of a negative number is complex
                return result
    raise ValueError
