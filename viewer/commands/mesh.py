"""The commands that bring meshes, or change what objects show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from scene import ReadError, editing
from scene.content import FileContent
from scene.formats.readers import read_file
from scene.mesh.primitives import PRIMITIVES
from scene.system.report import LoadReport
from scene.system.text_file import printable
from viewer.commands.table import Command
from viewer.document.file_names import MODEL_ENDINGS, PathRequest, folder_of
from viewer.editing.background_job import Progress
from viewer.editing.editor import Editor

_A_MESH = "select an object with a mesh"
_MANY_TRIANGLES = 100_000  # to look for their loose parts takes longer than a frame


def mesh_commands(
    editor: Editor,
    ask_path: Callable[[PathRequest], object],
    command: Callable[..., Command],
) -> tuple[Command, ...]:
    """What makes and exchanges meshes; `command` makes one that is about the selection."""

    def to_selection(operation: Callable[..., object]) -> Callable[[], object]:
        return lambda: editor.make_of(editor.selected_ids, operation)

    def add(kind: str) -> Command:
        def run() -> None:
            editor.make(editing.add_primitive, kind, translation=np.round(editor.view.camera.pivot, 3))

        return Command(f"add.{kind}", kind.capitalize(), run, "Object/Add", description="in front of the camera")

    def separate() -> None:
        ids = editor.selected_ids
        meshes = np.unique(editor.scene.mesh_ids[ids])
        if editor.scene.meshes.rows["triangle_count"][meshes[meshes >= 0]].sum() > _MANY_TRIANGLES:
            editor.make_beside("separating loose parts", editing.separate, ids)
        else:
            editor.make_of(ids, editing.separate)

    def ask_file() -> None:
        ids = editor.selected_ids  # of now: another selection meanwhile is not meant
        folder = folder_of(editor.scene.sources)
        ask_path(
            PathRequest("Replace by the mesh of", MODEL_ENDINGS, lambda path: replace_by(ids, path), folder=folder)
        )

    def replace_by(ids: np.ndarray, path: Path) -> None:
        def read(advance: Progress) -> FileContent:
            return read_file(path, progress=lambda _, done, total: advance(done, total or 0))

        def replace(content: FileContent) -> None:
            if editor.make(editing.replace_mesh_by_file, ids, content, path):
                editor.scene.report.add(LoadReport(problems=content.problems))

        def refuse(error: Exception) -> None:
            if not isinstance(error, ReadError):
                raise error
            editor.log.say("error", str(error), "Replace mesh by file")

        if editor.work.busy:
            text = f"Replace mesh: {editor.work.label}; try again when it is done"
            editor.log.say("warning", text, "Replace mesh by file")
        else:
            editor.work.begin(f"reading {printable(path.name)}", read, replace, failed=refuse)

    return (
        command(
            "object.apply_transform",
            "Apply rotation and scale",
            to_selection(editing.apply_transform),
            description="bake them into the mesh",
            separated=True,
            synonyms=("freeze transform", "bake", "reset scale"),
        ),
        command(
            "object.center_pivot",
            "Centre origin",
            to_selection(editing.center_pivot),
            description="bring the origin to the middle of the mesh",
            refusal=_A_MESH,
            can=lambda facts: facts.shown > 0,
            synonyms=("origin to geometry", "pivot"),
        ),
        command(
            "object.merge",
            "Merge",
            to_selection(editing.merge),
            keys=("Ctrl+J",),
            description="join them into one object",
            refusal="select two or more objects with a mesh",
            can=lambda facts: facts.shown > 1,
            synonyms=("join", "combine"),
        ),
        command(
            "object.separate",
            "Separate loose parts",
            separate,
            description="make an object of each connected part",
            refusal=_A_MESH,
            can=lambda facts: facts.shown > 0,
            synonyms=("split", "explode"),
        ),
        command(
            "object.share_mesh",
            "Mesh of the active",
            to_selection(editing.share_mesh),
            "Object/Replace mesh",
            description="give all selected objects the mesh of the active one",
            refusal="select two or more objects with a mesh; the last one gives its mesh",
            can=lambda facts: facts.shown > 1 and facts.last_is_shown,
        ),
        command(
            "object.replace_mesh",
            "Mesh of a file",
            ask_file,
            "Object/Replace mesh",
            description="give all selected objects the mesh in a file",
            asks=True,
            refusal=_A_MESH,
            can=lambda facts: facts.shown > 0,
        ),
        *map(add, PRIMITIVES),
    )
