"""Questions that a person answers before anything else goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scene.system.text_file import printable


@dataclass(frozen=True)
class Choice:
    """An answer, and what it does."""

    label: str
    run: Callable[[], object]


def nothing() -> None:
    """What an answer does that leaves everything as it is."""


CANCEL = Choice("Cancel", nothing)


@dataclass(frozen=True)
class Question:
    """Something to decide.

    Attributes:
        text: the question. choices: Enter takes the first, Esc the last, which loses nothing.
        details: lines below the question.
    """

    text: str
    choices: tuple[Choice, ...]
    details: tuple[str, ...] = ()


def unsaved(
    name: str, save: Callable[[], object], go_on: Callable[[], object], *, new_project: Path | None = None
) -> Question:
    """Return the question before unsaved changes would be lost.

    Args:
        name: of the scene. save, go_on: what the answers do.
        new_project: a scene that has no project yet is saved to this new one, unless a person names another; None: the
            scene's project is written.
    """
    losing = "Without saving, the changes are lost."
    if new_project is None:
        choices = (Choice("Save", save), Choice("Don't save", go_on), CANCEL)
        return Question(f"Save the changes to {name}?", choices, (losing,))
    choices = (Choice("Save as project", save), Choice("Don't save", go_on), CANCEL)
    place = f"{printable(new_project.name)} in {printable(new_project.parent)}"
    writing = f"The project is a new file. You can name it next; {place} is suggested. Opened files stay as they are."
    return Question(f"Save {name} with your changes as a project?", choices, (writing, losing))


def overwrite(name: str, write: Callable[[], object]) -> Question:
    """What is asked before a file is written over."""
    return Question(f"{name} is there already. Overwrite it?", (Choice("Overwrite", write), CANCEL))


def changed_meanwhile(name: str, write: Callable[[], object]) -> Question:
    """What is asked before what another program has written is written over."""
    text = f"{name} was changed by another program since it was opened. Overwrite it?"
    return Question(text, (Choice("Overwrite", write), CANCEL))


def recovered(name: str, count: int, go_back: Callable[[], object]) -> Question:
    """What is asked where a project's journal held changes that were not saved."""
    changes = "1 change that was" if count == 1 else f"{count:,} changes that were"
    return Question(
        f"Recovered {changes} not saved to {name}.",
        (Choice("Keep", nothing), Choice("Revert to saved", go_back), Choice("Decide later", nothing)),
        ("The program ended without saving. The changes are in the scene again.",),
    )


def never_saved(
    name: str, at: float, others: int, recover: Callable[[], object], discard: Callable[[], object]
) -> Question:
    """What is asked where an autosave was left behind, last changed `at` (seconds since 1970), and others were."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
    more = (f"There are {others} more, which are offered next time.",) if others else ()
    return Question(
        f"A scene that was never saved can be recovered: {name}",
        (Choice("Recover", recover), Choice("Discard", discard), Choice("Later", nothing)),
        (f"The program ended without saving it; its last change was on {when}.", *more),
    )
