"""The commands of a search whose findings are gone through: find, next, previous, ignore."""

from __future__ import annotations

from functools import partial

from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.editing.findings import Findings


def declare_findings(
    command: Declarations, find_id: str, label: str, description: str, *, noun: str, one: str, synonyms: tuple[str, ...]
) -> None:
    """Declare the command that searches, and those that go through what it finds, select.next_NOUN and so on.

    Args:
        noun: word for a finding, such as "overlap".
        one: words for what the next one selects, in descriptions of commands.
    """
    menu = f"{noun.capitalize()}s"
    of_menu = partial(command, menu=f"Select/{menu}", synonyms=synonyms)

    @of_menu(find_id, label, description, enabled=lambda findings: not findings.is_busy)
    def find(findings: Findings) -> None:
        findings.find()

    of_findings = partial(
        of_menu, enabled=lambda findings: findings.has_any, refusal=f"look for {noun}s first: Select > {menu} > {label}"
    )

    @of_findings(f"select.next_{noun}", f"Next {noun}", f"select {one}, and look at it")
    def show_next(findings: Findings) -> None:
        findings.step(1)

    @of_findings(f"select.previous_{noun}", f"Previous {noun}", "select the one before")
    def show_previous(findings: Findings) -> None:
        findings.step(-1)

    @of_findings(f"select.ignore_{noun}", f"Ignore {noun}", "leave it out of the list until the next search")
    def ignore(findings: Findings) -> None:
        findings.ignore()
