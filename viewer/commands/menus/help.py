"""The Help menu's documentation and version."""

from __future__ import annotations

import importlib.metadata
import platform

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.document.questions import Choice, Question
from octoscope.viewer.settings.config import config_folder
from octoscope.viewer.settings.guide import open_guide

command = Declarations("Help")


command(
    "help.documentation",
    "Documentation",
    "the guide, in the browser",
    needs_window=True,
    separated=True,
    synonyms=("manual", "guide", "readme", "tutorial"),
)(lambda context: context.editor.log.say(*open_guide(config_folder())))


@command(
    "help.about",
    "About Octoscope",
    "version, licence, where to report faults",
    of=lambda context: importlib.metadata.version("octoscope"),
    synonyms=("version", "licence", "license", "credits"),
)
def show_about(context: Context) -> None:
    facts = importlib.metadata.metadata("octoscope")
    python = f"Python {platform.python_version()}, {platform.system()}"
    doctor = "octoscope doctor, in a terminal, says more about this computer and its graphics card."
    question = Question(
        f"Octoscope {facts['Version']}",
        (Choice.CLOSE,),
        (facts["Summary"], f"{facts['License-Expression'] or facts['License']} licence; {python}", doctor),
    )
    context.document.flows.pending.ask(question, lambda choice: None)
