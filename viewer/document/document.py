"""Document: the scene of a window as a file, from opening to closing.

Every edit of a scene that has a project is written to the project's journal. A scene that has none is saved as an
autosave with its first edit, and that has a journal too; saving the scene replaces the autosave. A project that is
open in another window is treated in the same way, as a copy without a project.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from octoscope.scene import Scene, save_project
from octoscope.scene.editing.arranging import lay_out, lie_over_one_another
from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.scene.formats.writers import WRITERS, Writer
from octoscope.scene.loading.folders import MOST_FILES, neighbours, with_files_of_folders, with_folders_of_files
from octoscope.scene.loading.read import BackgroundReader
from octoscope.scene.mesh.data import counted
from octoscope.scene.project.paths import PROJECT_ENDINGS, is_project
from octoscope.scene.project.recorder import is_changed
from octoscope.scene.system.atomic_file import check_savable
from octoscope.scene.system.paths import abspath, realpath
from octoscope.scene.system.text_file import printable
from octoscope.viewer.camera.bookmark_pose import bookmark_of
from octoscope.viewer.document.autosaving import Autosaver, autosave_name, remove_autosave
from octoscope.viewer.document.document_loader import DocumentLoader, NextDocument
from octoscope.viewer.document.file_names import (
    OPENED,
    UNTITLED,
    PathRequest,
    chosen_path,
    folder_of,
    is_sample,
    recent_projects,
    suggested_path,
    title_of_files,
    working_folder,
)
from octoscope.viewer.document.flow import Flow, FlowRunner, WaitForJobs, WriteJob, starts
from octoscope.viewer.document.image_files import TakePicture, no_picture, save_screenshot
from octoscope.viewer.document.options import DocumentOptions
from octoscope.viewer.document.questions import (
    Choice,
    Question,
    changed_meanwhile,
    many_files,
    over_one_another,
    overwrite,
    unsaved,
)
from octoscope.viewer.document.recovery import Recovery
from octoscope.viewer.document.source_files import SourceFiles
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.settings.config import pictures_folder
from octoscope.viewer.settings.recent_files import add_recent

_MOST_RECENT = 3  # entries of the recent files that are made by files which are opened together
LEFT_TO_SCRIPT = "this window belongs to a script and keeps its scene; use Import to add to it"


class Document:
    """The scene of one window, from its first file until it is closed or replaced by another.

    Args:
        reader: the first files, which are still being read into the scene, or None.
        on_change: called on another thread when a file of the scene has changed on disk.
        take_picture: returns the picture of the scene without outlines; True as argument leaves out the background.
        config: folder of the list of recent files; None: there is no list.
        data: folder of autosaves; None: there are none.
    """

    def __init__(
        self,
        editor: Editor,
        options: DocumentOptions,
        ask_path: Callable[[PathRequest], object],
        *,
        reader: BackgroundReader | None = None,
        on_change: Callable[[], object] = lambda: None,
        take_picture: TakePicture = no_picture,
        config: Path | None = None,
        on_recent: Callable[[], object] = lambda: None,
        data: Path | None = None,
    ) -> None:
        self.next_document: NextDocument | None = None
        self.is_closed = False
        self.autosaves = True  # whether a scene without a project is saved by itself
        self.can_leave = options.can_leave
        self.files = SourceFiles(editor, options, reader, on_change=on_change)
        self.flows = FlowRunner(editor, ask_path)
        self._editor = editor
        self._scene = editor.scene
        self._options = options
        self._take_picture = take_picture
        self._config = config if self.can_leave else None
        self._on_recent = on_recent
        autosaves = data / "autosave" if data is not None and options.keeps_work else None
        self._recovery = Recovery(editor.log, autosaves, self._config)
        self._begun = False
        self._jobs = editor.jobs
        self._autosaver = Autosaver(editor, autosaves)
        self.new_scene: Callable[[], Scene] = Scene  # makes an empty one
        self._loader = DocumentLoader(editor, self.files.reader_of, lambda: self.new_scene())

    # State.

    @property
    def name(self) -> str:
        """The name of the project or autosave; of a scene that was never saved, the name of its files."""
        path, copy_of = self._scene.project.path, self._autosaver.copy_of
        if path is not None:
            return autosave_name(path) if self._autosaver.is_autosave(path) else printable(path.name)
        if copy_of is not None:
            return f"copy of {printable(copy_of.name)}"
        return self._options.title or printable(title_of_files(self._scene.sources))

    @property
    def is_unsaved(self) -> bool:
        """True if something would be lost without saving."""
        return self._editor.history.is_dirty

    @property
    def title(self) -> str:
        """The name, with a star before it while there are unsaved changes."""
        return f"*{self.name}" if self.is_unsaved else self.name

    @property
    def is_busy(self) -> bool:
        """True while a file is written."""
        return self._jobs.is_busy(JobKind.WRITE)

    @property
    def is_going(self) -> bool:
        """True while `poll` has something to do even if no event comes."""
        return self._jobs.is_going or self._loader.busy or self.files.is_going or not self._begun

    @property
    def holds_scene(self) -> bool:
        """True while the scene must not change: it is being saved, or another file is being opened in its place."""
        return self._editor.locked is not None

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """The file that is read or written, and the fraction that is done (None: unknown); None if there is none."""
        return self.files.progress or self._jobs.progress or self._loader.progress

    @property
    def opening(self) -> str:
        """The name of what is being opened, for a status bar; "" if nothing is."""
        progress = self.files.progress or self._loader.progress
        return progress[0] if progress else "opening files" if self.files.reading else ""

    def cancel(self) -> bool:
        """Stop reading and writing where that is possible, and return whether anything was under way."""
        was_waiting = self.progress is not None
        self.files.cancel()
        self._loader.cancel()
        self._jobs.cancel(JobKind.EDIT, JobKind.WRITE)
        if self.is_busy and self._jobs[JobKind.WRITE].fraction is None:
            self._say("info", f"{self._jobs[JobKind.WRITE].label} cannot be stopped halfway; it will be done soon")
        return was_waiting

    @property
    def is_left(self) -> bool:
        """True once the document is closed or replaced."""
        return self.is_closed or self.next_document is not None

    def poll(self, *, may_ask: bool = True) -> bool:
        """Continue what is under way, and return whether a panel should show a change.

        Args:
            may_ask: False while the user is asked for a path: a question about the files waits.
        """
        before = self.question, self._loader.busy
        next_document = self._loader.poll()
        if next_document is not None and self.is_busy:
            self._jobs.after_writing("closing it", lambda: self._leave(next_document))
        elif next_document is not None:
            self._leave(next_document)
        if not self._begun and not self.files.reading:
            self._begun = True
            self._begin()
        if may_ask and self.question is None and (nodes := self.files.take_together()) is not None:
            self.offer_layout(nodes)
        if self.autosaves:
            self._autosaver.autosave(self.name)
        return before != (self.question, self._loader.busy)

    @property
    def question(self) -> Question | None:
        """The question that waits for the user, or None."""
        return self.flows.pending.question

    def answer(self, choice: Choice) -> None:
        """Answer the question that waits for the user."""
        self.flows.pending.answer(choice)

    def offer_layout(self, nodes: np.ndarray) -> None:
        """Ask whether (k,) nodes of files are to be laid out in a grid, if they lie over one another."""
        if self.question is None and lie_over_one_another(self._scene, nodes):
            self.flows.start(self._ask_layout(nodes))

    # Operations.

    @starts
    def new(self) -> Flow:
        """Replace the scene by an empty one."""
        yield from self._settle()
        scene = self.new_scene()
        scene.index.settings = self._scene.index.settings
        self._leave(NextDocument(scene, ""))

    @starts
    def close(self) -> Flow:
        """Close the window."""
        yield from self._settle()
        self._leave(None)

    @starts
    def ask_open(self) -> Flow:
        """Ask for files to open in place of the scene."""
        paths = yield PathRequest("Open", OPENED, folder=self.folder, several=True)
        if any(map(is_project, paths)):
            self._take(paths)
        else:
            yield from self._open(*paths)

    @starts
    def ask_import(self) -> Flow:
        """Ask for files to add to the scene."""
        if self._editor.refuses_ever("Import"):
            return
        paths = yield PathRequest("Import into the scene", MODEL_ENDINGS, folder=self.folder, several=True)
        self.files.open(paths)

    def _open(self, path: Path, *others: Path) -> Flow:
        """Read files and replace the scene by them; the scene is shown until the first file is there."""
        # Opening the scene's own project again reverts it: its journal must not be replayed.
        is_own = self._editor.history.recorder is not None and realpath(path) == str(self._scene.project.path)
        yield from self._settle()
        self._loader.begin(*with_files_of_folders([path, *others]), replays=not is_own)

    open = starts(_open)

    @starts
    def open_neighbour(self, steps: int) -> Flow:
        """Open another file of the folder in place of the scene: by name the next one (1) or the one before (-1)."""
        path = self._path
        if path is None:
            self._say("info", "the scene has no file, so there is no next one")
            return
        files = neighbours(path)
        place = files.index(path) if path in files else -1 if steps > 0 else 0
        if not files or files == [path]:
            self._say("info", f"{printable(path.name)} is the only file in {printable(path.parent)} that can be opened")
            return
        yield from self._open(files[(place + steps) % len(files)])

    def _settle(self) -> Flow:
        """Ask about unsaved changes and save them if wanted; the flow ends here if the user cancels."""
        yield from self._finish()
        if self.is_unsaved and self._options.keeps_work:
            new_project = None if self._autosaver.chosen_path else self._suggestion()
            if (yield unsaved(self.name, new_project=new_project)) is not Choice.DISCARD_CHANGES:
                yield from self._save()

    def _finish(self) -> Flow:
        self._editor.finish()
        while self.is_busy:
            yield WaitForJobs("closing it")
            self._editor.finish()

    def _save(self) -> Flow:
        """Write the project, whose path is asked for if there is none."""
        if self._editor.refuses_ever("Save"):
            return
        path = self._autosaver.chosen_path
        if path is None:
            yield from self._save_as()
            return
        if is_overwritten := is_changed(self._scene):
            yield changed_meanwhile(self.name)
        yield from self._write(path, even_if_changed=is_overwritten)

    save = starts(_save)

    def _save_as(self) -> Flow:
        """Write a project to a path that the user names; it is the project of the scene from then on."""
        if self._editor.refuses_ever("Save as"):
            return
        answer = yield PathRequest("Save as", PROJECT_ENDINGS, suggestion=self._suggestion(), becomes_project=True)
        path, is_confirmed = chosen_path(answer, PROJECT_ENDINGS)
        yield from self._require_free(path, is_confirmed=is_confirmed)
        yield from self._write(path)

    save_as = starts(_save_as)

    def _require_free(self, path: Path, *, is_confirmed: bool) -> Flow:
        check_savable(path)
        if not is_confirmed and os.path.exists(path) and realpath(path) != str(self._scene.project.path):
            yield overwrite(printable(path.name))

    def _write(self, path: Path, *, even_if_changed: bool = False) -> Flow:
        old = self._scene.project.path
        with suppress(ValueError):  # it is too far away to be written
            self._scene.project.camera = bookmark_of(self._editor.view.camera)
        recorder = self._editor.history.recorder
        notes = yield WriteJob(
            f"saving {printable(path.name)}",
            lambda advance: save_project(
                self._scene, path, recorder=recorder, even_if_changed=even_if_changed, progress=advance
            ),
            subject="saving",
        )
        self._editor.history.mark_saved()
        if old is not None and self._autosaver.is_autosave(old):
            remove_autosave(old)
        if self._options.keeps_work:
            self._autosaver.start_recording()
        self._note_recent(path)
        for note in notes:
            self._say("warning", f"{printable(path.name)}: {note}")
        self._say("info", f"saved {printable(path)}")

    @starts
    def export(self, ending: str, write: Writer | None = None) -> Flow:
        """Write the scene in another format, to a path that the user names; `write`: None: as WRITERS has it."""
        write = WRITERS[ending] if write is None else write
        if self._editor.refuses_ever("Export"):
            return
        answer = yield PathRequest(f"Export as {ending[1:].upper()}", (ending,), suggestion=self._suggestion(ending))
        path, is_confirmed = chosen_path(answer, (ending,))
        if realpath(path) in map(realpath, self._scene.sources):
            # OBJ has world coordinates: read again, objects would be moved twice, here and in other projects too.
            name = printable(path.name)
            self._editor.log.say("error", f"{name} is a file of this scene; export under another name", "exporting")
            return
        yield from self._require_free(path, is_confirmed=is_confirmed)
        notes = yield WriteJob(
            f"exporting {printable(path.name)}",
            lambda scene, advance: write(scene, path, progress=advance),
            subject="exporting",
            of_snapshot=True,
        )
        for note in notes:
            self._say("warning", f"{printable(path.name)}: {note}")
        self._say("info", f"exported {printable(path)}")

    @starts
    def screenshot(self, *, transparent: bool = False) -> Flow:
        """Write the picture of the scene to a new file in the folder of screenshots."""
        pixels, folder, stem = self._take_picture(transparent), pictures_folder(), self._suggestion("").name
        path = yield WriteJob(
            "writing a screenshot",
            lambda scene, advance: save_screenshot(pixels, folder, stem),
            subject="screenshot",
            of_snapshot=True,
        )
        self._say("info", f"saved {printable(path)}")

    def _drop(self, paths: Sequence[Path]) -> Flow:
        """Open a project that was dropped on the window, or import other files; ask first if folders have many."""
        of_folders = with_files_of_folders(paths)
        if len(of_folders) > MOST_FILES and len(of_folders) > len(paths):
            yield many_files(len(of_folders))
        self._take(of_folders)

    drop = starts(_drop)

    def _take(self, paths: Sequence[Path]) -> None:
        projects = [path for path in paths if is_project(path)]
        others = [path for path in paths if not is_project(path)]
        if projects and not self.can_leave:
            self._say("warning", f"{printable(projects[0].name)} was not opened: {LEFT_TO_SCRIPT}")
        elif projects:
            self.open(projects[0])
        if projects[1:] or (projects and others):
            self._say("warning", "a project opens alone; the other files were not opened")
        elif others and not self._editor.refuses_ever("Import"):
            self.files.open(others)

    def end(self) -> None:
        """Close the window without asking about unsaved changes."""
        self.is_closed = True

    def abandon(self) -> None:
        """Stop all work when the program ends; unsaved changes remain in the journal and can be recovered."""
        self._jobs.end()
        self._loader.cancel()
        self.files.close()
        if self.next_document is None and not self.is_closed and self._options.keeps_work:
            self._autosaver.end(forget=not self.is_unsaved)

    def _leave(self, next_document: NextDocument | None) -> None:
        if self._options.keeps_work:
            self._autosaver.end(forget=True)
        self.next_document = next_document
        self.is_closed = next_document is None

    # Recovery.

    def _begin(self) -> None:
        """Start the journal and offer what can be recovered, once the first files are read."""
        state = self._scene.project
        if state.path is not None and self._options.keeps_work:
            is_autosave = self._autosaver.is_autosave(state.path)
            found, history = state.found_journal, self._editor.history
            self._autosaver.start_recording()
            is_own = state.path is not None  # None: another window has it open, and its journal
            if is_own and found is not None:
                history.resume(found)
            if is_own and is_autosave:
                history.mark_unsaved()
                self._say("info", f"{self.name}: recovered; edits from before its first autosave cannot be undone")
            elif is_own and found is not None and found.unsaved and history.recorder is not None:
                text = f"{self.name}: recovered {counted(changes=found.unsaved)} made since it was saved"
                self._editor.log.say("warning", text, offer=("Revert to saved", "file.revert"))
        for path in with_folders_of_files(self._scene.report.opened, self._scene.report.failed)[:_MOST_RECENT]:
            self._note_recent(path)
        offers = self._options.offers_lost and self.can_leave and self.question is None
        if offers and (lost := self._recovery.find(self._path)):
            if self.folder is None or lost[0].file == self._path:
                self.recover()
            else:
                self._recovery.remind_of(lost[0])

    @property
    def can_revert(self) -> bool:
        """True if the scene is a project that has changed since it was saved."""
        return self.is_unsaved and self._autosaver.chosen_path is not None and self._editor.history.recorder is not None

    @starts
    def revert(self) -> Flow:
        """Show the project as it was saved; the changes since then stay in a copy of its journal."""
        path, recorder = self._autosaver.chosen_path, self._editor.history.recorder
        if path is not None and recorder is not None:
            yield from self._finish()
            # If it cannot be read, the scene stays, and is still unsaved.
            self._loader.begin(path, replays=False, kept=recorder.journal.keep_aside())

    @property
    def can_recover(self) -> bool:
        """True if killed programs may have left unsaved changes, and these can take the scene's place."""
        return self.can_leave and self._recovery.may_find

    @starts
    def recover(self) -> Flow:
        """Ask which of the changes that killed programs have left are to be opened."""
        path = yield from self._recovery.ask(self._path, "" if self.folder is None else self.name)
        if path is not None:
            yield from self._open(path)

    def _ask_layout(self, nodes: np.ndarray) -> Flow:
        if (yield over_one_another(len(nodes))) is Choice.LAY_OUT:
            alive = nodes[self._scene.alive[nodes]]
            self._editor.run(lay_out, alive)
            self._editor.view.framing.frame_nodes(alive)

    def _suggestion(self, ending: str = PROJECT_ENDINGS[0]) -> Path:
        """Return a path named after the scene, in the folder of its project or file; several files may be of a kit."""
        folder, is_new = self.folder or working_folder(), not (self._autosaver.chosen_path or self._autosaver.copy_of)
        are_several = is_new and len(self._scene.sources) > 1
        if are_several or (is_new and not os.access(folder, os.W_OK)):
            folder = next((each.parent for each in recent_projects(self._config)), working_folder())
        return suggested_path(folder, UNTITLED if are_several else self.name, ending)

    @property
    def _path(self) -> Path | None:
        path = self._autosaver.chosen_path or (self._scene.sources[0] if self._scene.sources else None)
        return None if path is None else Path(abspath(path))

    @property
    def folder(self) -> Path | None:
        """The folder of the project, or of the first file; None for the sample scene's, which is nobody's."""
        path = self._autosaver.chosen_path or self._autosaver.copy_of
        files = [path] if path else [file for file in self._scene.sources[:1] if not is_sample(file)]
        return folder_of(files) if files else None

    def _note_recent(self, path: Path) -> None:
        is_own = os.path.exists(path) and not self._autosaver.is_autosave(Path(realpath(path)))
        if self._config is not None and is_own and not is_sample(path):
            if (problem := add_recent(self._config, path)) is not None:
                self._say("warning", problem)
            self._on_recent()

    def _say(self, level: str, text: str) -> None:
        self._editor.log.say(level, text)
