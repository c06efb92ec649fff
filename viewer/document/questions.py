"""All questions that wait for an answer of the user."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from octoscope.scene.system.text_file import printable
from octoscope.viewer.document.autosaving import LostScene


class Choice(Enum):
    """An answer; the value is its label."""

    SAVE = "Save"
    SAVE_AS_PROJECT = "Save as project"
    DISCARD_CHANGES = "Don't save"
    OVERWRITE = "Overwrite"
    OPEN_ALL = "Open all"
    LAY_OUT = "Lay out in grid"
    LEAVE = "Leave as they are"
    RECOVER = "Recover"
    DISCARD = "Discard"
    NEXT = "Next"
    LATER = "Later"
    GIVE = "Give it"
    CLOSE = "Close"
    CANCEL = "Cancel"


@dataclass(frozen=True)
class Question:
    """A question with its answers."""

    text: str
    choices: tuple[Choice, ...]  # Enter takes the first; Esc the last, which loses nothing
    details: tuple[str, ...] = ()  # lines below the question


class PendingQuestion:
    """The question that waits for the user, and who continues with the answer."""

    def __init__(self) -> None:
        self.question: Question | None = None
        self._answered: Callable[[Choice], object] = lambda choice: None

    def ask(self, question: Question, answered: Callable[[Choice], object]) -> None:
        """Ask a question; it takes the place of one that waits."""
        self.question, self._answered = question, answered

    def answer(self, choice: Choice) -> None:
        """Take the user's answer, and pass it on unless it is Cancel."""
        answered, self._answered, self.question = self._answered, lambda choice: None, None
        if choice is not Choice.CANCEL:
            answered(choice)


def unsaved(name: str, *, new_project: Path | None = None) -> Question:
    """Return the question before unsaved changes would be lost; `new_project`: where one without a project would go."""
    losing = "Without saving, the changes are lost."
    if new_project is None:
        choices = (Choice.SAVE, Choice.DISCARD_CHANGES, Choice.CANCEL)
        return Question(f"Save the changes to {name}?", choices, (losing,))
    choices = (Choice.SAVE_AS_PROJECT, Choice.DISCARD_CHANGES, Choice.CANCEL)
    place = f"{printable(new_project.name)} in {printable(new_project.parent)}"
    writing = f"The project is a new file. You can name it next; {place} is suggested. Opened files stay as they are."
    return Question(f"Save {name} with your changes as a project?", choices, (writing, losing))


def overwrite(name: str) -> Question:
    """Return the question before a file is overwritten."""
    return Question(f"{name} is there already. Overwrite it?", (Choice.OVERWRITE, Choice.CANCEL))


def many_files(count: int) -> Question:
    """Return the question before the many files of folders are opened."""
    return Question(f"Open all {count:,} files of what was dropped?", (Choice.OPEN_ALL, Choice.CANCEL))


def over_one_another(count: int) -> Question:
    """Return the question after files were opened whose objects are all in one place."""
    text = f"The {count:,} files lie over one another. Lay them out in a grid?"
    later = "It can be undone, and done later: Object > Align > Lay out in grid."
    return Question(text, (Choice.LAY_OUT, Choice.LEAVE), (later,))


def key_of_another(key: str, label: str, owner: str, *, is_last: bool) -> Question:
    """Return the question before a command gets a key that another one, the owner, has; `is_last`: and no other."""
    left = (f"{owner} has no key then.",) if is_last else ()
    return Question(f"{key} is the key of {owner}. Give it to {label}?", (Choice.GIVE, Choice.CANCEL), left)


def changed_meanwhile(name: str) -> Question:
    """Return the question before changes of another program are overwritten."""
    text = f"{name} was changed by another program since it was opened. Overwrite it?"
    return Question(text, (Choice.OVERWRITE, Choice.CANCEL))


def left_unsaved(lost: LostScene, others: int, *, shown: str = "") -> Question:
    """Return the question about changes that a killed program has not saved; `others`: how many more there are.

    Args:
        shown: name of the scene that they would take the place of, or "".
    """
    where = "" if lost.file is None else f" in {printable(lost.file.parent)}"
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(lost.at))
    place = (f"They are shown in place of {shown}, which stays as it is.",) if shown else ()
    discard, following = (Choice.DISCARD,) * lost.is_autosave, (Choice.NEXT,) * bool(others)
    return Question(
        f"Recover the unsaved changes to {lost.name}{where}?",
        (Choice.RECOVER, *discard, *following, Choice.LATER),
        (f"The program ended without saving; the last change was on {when}.", *place),
    )
