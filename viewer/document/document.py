"""Document: the scene of a window as a file. It is saved, exported, kept from being lost, and left for another.

A scene that has a project has every edit in that one's journal. One that was never saved becomes an autosave with the
first edit (viewer.autosaves), which has a journal too; saving it takes its place. So does one whose project another
window has open.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image

from scene import SaveError, Scene, save_project
from scene.formats.writers import WRITERS
from scene.project.paths import is_project
from scene.project.recorder import is_changed
from scene.system.atomic_file import check_savable
from scene.system.paths import current_folder, realpath
from scene.system.text_file import printable
from viewer.document.autosave_files import Lost, autosave_name, find_lost, remove_autosave
from viewer.document.autosaving import Keeper
from viewer.document.document_loader import Following, Opening
from viewer.document.file_names import MODEL_ENDINGS, PROJECT_ENDINGS, PathRequest, folder_of, suggested_path
from viewer.document.flow import Flow, FlowRunner, Job, Turn, starts
from viewer.document.image_files import save_screenshot
from viewer.document.path_input import with_ending
from viewer.document.questions import Choice, Question, changed_meanwhile, never_saved, overwrite, recovered, unsaved
from viewer.document.sample import is_sample
from viewer.document.source_files import OpenFiles
from viewer.editing.editor import Editor
from viewer.editing.jobs import Lane
from viewer.settings.config import pictures_folder
from viewer.settings.recent_files import add_recent

LEFT_TO_SCRIPT = "this window belongs to a script and keeps its scene; use Import to add to it"


class Document:
    """What one window shows, from its first file on until it is closed or left for another.

    Args:
        ask_path: lets the user name a file.
        title: what it is called as long as it has no project.
        take_picture: what the window shows of the scene.
        config, data: folders of the recent files and of autosaves; None: there are none.
        offers_lost: whether autosaves of programs that were killed are offered.
        for_script: whether the scene is a script's: it is not left for another, and what becomes of it is not asked.

    Attributes:
        flows: what is under way with answers of the user.
        can_leave: whether another scene may take its place.
        following: what takes its place, once it is left. is_closed: whether the window is to close.
    """

    def __init__(
        self,
        editor: Editor,
        files: OpenFiles,
        ask_path: Callable[[PathRequest], object],
        *,
        title: str,
        take_picture: Callable[[], Image.Image] | None = None,
        config: Path | None = None,
        data: Path | None = None,
        offers_lost: bool = False,
        for_script: bool = False,
    ) -> None:
        self.following: Following | None = None
        self.is_closed = False
        self._editor = editor
        self._scene = editor.scene
        self._files = files
        self._title = title
        self._take_picture = take_picture
        self._config = None if for_script else config
        self.can_leave = not for_script
        self._autosaves = None if data is None or for_script else data / "autosave"
        self._offers_lost = offers_lost
        self._begun = False
        self._jobs = editor.jobs
        self.flows = FlowRunner(editor, ask_path)
        self._keeper = Keeper(editor, self._autosaves)
        self._opening = Opening(editor, files.reader_of)  # of what is to follow

    # What it is.

    @property
    def name(self) -> str:
        """For a person: the project's; as long as it was never saved, its files'."""
        path, copy_of = self._scene.project.path, self._keeper.copy_of
        if path is None:
            return self._title if copy_of is None else f"copy of {printable(copy_of.name)}"
        return autosave_name(path) if self._keeper.is_autosave(path) else printable(path.name)

    @property
    def pictures(self) -> Path:
        """The folder that screenshots go to."""
        return pictures_folder()

    @property
    def is_unsaved(self) -> bool:
        """Whether something would be lost without saving."""
        return self._editor.history.is_dirty

    @property
    def title(self) -> str:
        """Its name, with a star where something is not saved."""
        return f"*{self.name}" if self.is_unsaved else self.name

    @property
    def is_busy(self) -> bool:
        """Whether something is being written."""
        return self._jobs.is_busy(Lane.WRITE)

    @property
    def is_going(self) -> bool:
        """Whether `turn` will have something to do before anything else happens."""
        return self._jobs.is_going or self._opening.busy or self._files.is_going or not self._begun

    @property
    def holds_scene(self) -> bool:
        """Whether the scene must stay as it is, for it is being saved, or another file is to take its place."""
        return self._editor.locked is not None

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """What takes long just now, and the fraction that is done, None where nobody knows; None: nothing does."""
        return self._files.progress or self._jobs.progress or self._opening.progress

    def cancel(self) -> bool:
        """Stop what takes long, if it can be stopped; whether there was anything."""
        was_waiting = self.progress is not None
        self._files.cancel()
        self._opening.cancel()
        self._jobs.cancel(Lane.EDIT, Lane.WRITE)
        if self.is_busy and self._jobs[Lane.WRITE].fraction is None:
            self._say("info", f"{self._jobs[Lane.WRITE].label} cannot be stopped halfway; it will be done soon")
        return was_waiting

    @property
    def is_left(self) -> bool:
        """Whether nothing is to be done with it any more."""
        return self.is_closed or self.following is not None

    def turn(self) -> bool:
        """Go on with what is under way; whether anything changed."""
        before = self.question, self._opening.busy
        following = self._opening.turn()
        if following is not None and self.is_busy:
            self._jobs.after_writing("closing it", lambda: self._leave(following))
        elif following is not None:
            self._leave(following)
        if not self._begun and not self._files.reading:
            self._begun = True
            self._begin()
        self._keeper.autosave(self.name)
        return before != (self.question, self._opening.busy)

    @property
    def question(self) -> Question | None:
        """What the user is to answer next."""
        return self.flows.question

    # What can be done.

    @starts
    def new(self) -> Flow:
        """Leave it for an empty scene."""
        yield from self._settle()
        scene = Scene()
        scene.index.fit_like(self._scene.index)
        self._leave(Following(scene, "untitled"))

    @starts
    def close(self) -> Flow:
        """Close the window."""
        yield from self._settle()
        self._leave(None)

    @starts
    def ask_open(self) -> Flow:
        """Let the user choose what to open in its place."""
        path = yield PathRequest("Open", (*PROJECT_ENDINGS, *MODEL_ENDINGS), folder=self._folder)
        yield from self._open(path)

    @starts
    def ask_import(self) -> Flow:
        """Let the user choose a file to add."""
        path = yield PathRequest("Import into the scene", MODEL_ENDINGS, folder=self._folder)
        self._files.open([path])

    def _open(self, path: Path) -> Flow:
        """Leave it for a file, once that was read; what it shows stays until then."""
        # What was done to its own project since the last save is given up; its journal goes when the scene is left.
        is_own = self._editor.history.recorder is not None and realpath(path) == str(self._scene.project.path)
        yield from self._settle()
        self._opening.begin(path, replays=not is_own)

    open = starts(_open)

    def _settle(self) -> Flow:
        """Get past unsaved changes: they were saved, or the user gave them up."""
        self._editor.finish()
        while self.is_busy:
            yield Turn("closing it")
            self._editor.finish()
        if self.is_unsaved and self.can_leave:
            new_project = None if self._keeper.chosen_path else self._suggestion(PROJECT_ENDINGS[0])
            if (yield unsaved(self.name, new_project=new_project)) is not Choice.DISCARD_CHANGES:
                yield from self._save()

    def _save(self) -> Flow:
        """Write its project, whose name is asked for if it has none."""
        path = self._keeper.chosen_path
        if path is None:
            yield from self._save_as()
            return
        is_overwritten = is_changed(self._scene)
        if is_overwritten:
            yield changed_meanwhile(self.name)
        yield from self._write(path, even_if_changed=is_overwritten)

    save = starts(_save)

    def _save_as(self) -> Flow:
        """Write it to a project that the user names, which is its own from now on."""
        path = yield PathRequest("Save as", PROJECT_ENDINGS, suggestion=self._suggestion(PROJECT_ENDINGS[0]))
        path = with_ending(path, PROJECT_ENDINGS)
        yield from self._require_free(path)
        yield from self._write(path)

    save_as = starts(_save_as)

    def _require_free(self, path: Path) -> Flow:
        """Get past a file of that name; SaveError: none can be written."""
        check_savable(path)
        if os.path.exists(path) and realpath(path) != str(self._scene.project.path):
            yield overwrite(printable(path.name))

    def _write(self, path: Path, *, even_if_changed: bool = False) -> Flow:
        old = self._scene.project.path
        yield Job(
            f"saving {printable(path.name)}",
            lambda advance: save_project(
                self._scene,
                path,
                recorder=self._editor.history.recorder,
                even_if_changed=even_if_changed,
                progress=advance,
            ),
            subject="saving",
        )
        self._editor.history.mark_saved()
        if old is not None and self._keeper.is_autosave(old):
            remove_autosave(old)
        if self.can_leave:
            self._keeper.start_recording()
        self._note_recent(path)
        self._say("info", f"saved {printable(path)}")

    @starts
    def export(self, ending: str) -> Flow:
        """Write the scene in another format, to a file that the user names."""
        path = yield PathRequest(f"Export as {ending[1:].upper()}", (ending,), suggestion=self._suggestion(ending))
        path = with_ending(path, (ending,))
        if realpath(path) in map(realpath, self._scene.sources):
            # Read again, what was moved would be moved twice, in this scene and in every project that shows it.
            self._say("error", f"{printable(path.name)} is a file of this scene; export under another name")
            return
        yield from self._require_free(path)
        notes = yield Job(
            f"exporting {printable(path.name)}",
            lambda scene, advance: WRITERS[ending](scene, path, progress=advance),
            of_snapshot=True,
        )
        for note in notes:
            self._say("warning", f"{printable(path.name)}: {note}")
        self._say("info", f"exported {printable(path)}")

    @starts
    def screenshot(self) -> Flow:
        """Write what is seen of the scene to a new picture in the user's folder of screenshots."""
        image, folder, stem = self._take_picture(), self.pictures, self._suggestion("").name
        path = yield Job(
            "writing a screenshot",
            lambda scene, advance: save_screenshot(image, folder, stem),
            subject="screenshot",
            of_snapshot=True,
        )
        self._say("info", f"saved {printable(path)}")

    def drop(self, paths: Sequence[Path]) -> None:
        """Files came from elsewhere: a project is opened, others join the scene."""
        projects = [path for path in paths if is_project(path)]
        others = [path for path in paths if not is_project(path)]
        if projects and not self.can_leave:
            self._say("warning", f"{printable(projects[0].name)} was not opened: {LEFT_TO_SCRIPT}")
        elif projects:
            self.open(projects[0])
        if projects[1:] or (projects and others):
            self._say("warning", "a project opens alone; the other files were not opened")
        elif others:
            self._files.open(others)

    def abandon(self) -> None:
        """The program ends, whatever of it is saved: what is not can be recovered."""
        self._jobs.end()
        self._opening.cancel()
        if self.following is None and not self.is_closed and self.can_leave:
            self._keeper.end(forget=not self.is_unsaved)

    def _leave(self, following: Following | None) -> None:
        if self.can_leave:
            self._keeper.end(forget=True)
        self.following = following
        self.is_closed = following is None

    # What would be lost.

    def _begin(self) -> None:
        """The files that it began with are there."""
        state = self._scene.project
        if state.path is not None and self.can_leave:
            is_autosave = self._keeper.is_autosave(state.path)
            count = 0 if state.found_journal is None else state.found_journal.unsaved
            self._keeper.start_recording()
            is_own = state.path is not None  # else another window has it, and what was done there
            if is_own and (is_autosave or count):
                self._editor.history.mark_unsaved()
            if is_own and is_autosave:
                self._say("info", f"{self.name}: recovered; it was never saved")
            elif is_own and count and self._editor.history.recorder is not None:
                self.flows.start(self._ask_recovered(count))
        for path in self._scene.report.opened:
            self._note_recent(path)
        if self._offers_lost and self._autosaves is not None and self.question is None:
            self.flows.start(self._ask_lost(find_lost(self._autosaves)))

    def _ask_recovered(self, count: int) -> Flow:
        path = self._scene.project.path
        if (yield recovered(self.name, count)) is not Choice.REVERT:
            return
        recorder = self._editor.history.recorder
        try:
            aside = None if recorder is None else recorder.journal.keep_aside()
        except SaveError as error:
            self._say("error", str(error))
            return
        self._editor.history.clear()
        self._editor.history.mark_saved()
        if aside is not None:
            self._say("info", f"the changes are kept in {printable(aside.name)}")
        yield from self._open(path)

    def _ask_lost(self, lost: Sequence[Lost]) -> Flow:
        for place, each in enumerate(lost, start=1):
            choice = yield never_saved(each.name, each.at, len(lost) - place)
            if choice is Choice.RECOVER:
                yield from self._open(each.path)
            if choice is not Choice.DISCARD:
                return
            remove_autosave(each.path)

    def _suggestion(self, ending: str) -> Path:
        """A path of the scene's name, beside its files."""
        folder = self._folder
        if self._keeper.chosen_path is None and not os.access(folder, os.W_OK):
            folder = current_folder()
        return suggested_path(folder, self.name, ending)

    @property
    def _folder(self) -> Path:
        """Where it lies: its project, or the first of its files."""
        path = self._keeper.chosen_path or self._keeper.copy_of
        return folder_of(self._scene.sources) if path is None else path.parent

    def _note_recent(self, path: Path) -> None:
        is_own = os.path.isfile(path) and not self._keeper.is_autosave(Path(realpath(path)))
        if self._config is not None and is_own and not is_sample(path):
            problem = add_recent(self._config, path)
            if problem is not None:
                self._say("warning", problem)

    def _say(self, level: str, text: str) -> None:
        self._editor.log.say(level, text)
