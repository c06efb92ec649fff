"""Reloader: reads files again when they change on disk, and replaces in the scene what came from them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from octoscope.scene import ReadError, Texture
from octoscope.scene.content import FileContent, MaterialContent
from octoscope.scene.formats.readers import AS_USUAL, FileProgress, ReadOptions, read_file
from octoscope.scene.loaded_source import LoadedSource
from octoscope.scene.loading.read import BackgroundReader
from octoscope.scene.loading.reload import FileReload, ReloadCounts
from octoscope.scene.loading.reload_materials import reload_materials, reload_textures
from octoscope.scene.mesh.images import TEXTURE_ENDINGS, not_a_texture, read_textures
from octoscope.scene.project.paths import is_project
from octoscope.scene.system.paths import is_standard_input
from octoscope.scene.system.text_file import printable
from octoscope.viewer.document.load import Load, Pending, prepared
from octoscope.viewer.document.watch import Watcher, resolved_path
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind

Notes = dict[str, tuple[str, str]]


@dataclass(frozen=True)
class _Reload:
    path: Path  # of the file to read
    about: list[Path]  # the files that changed, which messages name
    read: Callable[[FileProgress], Any]  # reads it, on a thread
    take: Callable[[Any], bool | Pending]  # puts the result into the scene, as Load's


class Reloader:
    """Watches all files of a scene, also missing ones: meshes, .mtl files, textures.

    A mesh file that changed is read again whole. If only an .mtl file or a texture of an OBJ changed, only materials
    are replaced; a texture that the user has chosen is replaced alone.
    """

    def __init__(self, editor: Editor, notes: Notes, watcher: Watcher, options: ReadOptions = AS_USUAL) -> None:
        self._editor = editor
        self._scene = editor.scene
        self._notes = notes
        self._options = options
        self._watcher = watcher
        self._watched_for: tuple[int, ...] = ()
        self._jobs: list[_Reload] = []  # being read, in order
        self.load: Load | None = None  # of changed files
        self._when = ""
        self.watch()

    @property
    def busy(self) -> bool:
        """True while files are read again."""
        return self.load is not None

    def cancel(self) -> None:
        """Stop reading."""
        if self.load is not None:
            self.load.reader.cancel()

    def close(self) -> None:
        """Stop reading and watching."""
        self.cancel()
        self._watcher.stop()

    def poll(self) -> tuple[bool, list[Path]]:
        """Take in what was read, or begin to read; return whether the scene changed, and which files were left out."""
        left_out: list[Path] = []
        if self.load is None:
            self.watch()
            self._begin()
            return False, left_out
        changed = self.load.poll()
        if self.load.is_done:
            left_out = self.load.reader.left_out
            self.load, self._watched_for = None, ()
            self.watch()
            self._begin()  # what changed meanwhile, which the watcher reports only once
        return changed, left_out

    def watch(self) -> None:
        """Watch all files that the scene consists of now."""
        scene = self._scene
        state = len(scene.sources), len(scene.loaded_sources), len(scene.materials), scene.materials_revision
        if state != self._watched_for and self._editor.history.transaction is None:
            self._watched_for = state
            paths = [path for path in scene.sources if not is_standard_input(path) and not is_project(path)]
            paths += [path for loaded in scene.loaded_sources.values() for path in loaded.dependencies]
            self._watcher.watch([*paths, *self._images()])

    def _images(self) -> list[Path]:
        textures = {texture for material in self._scene.materials for texture in material.textures}
        return [texture.path for texture in textures if texture.is_file]

    def _begin(self) -> None:
        changed = set(self._watcher.take())
        if not changed:
            return
        self._when = time.strftime("%H:%M:%S")
        resolved = cache(resolved_path)
        images = changed.intersection(map(resolved, self._images()))
        self._jobs = [self._reload_of_images(sorted(images))] if images else []
        for source, path in enumerate(self._scene.sources):
            loaded = self._scene.loaded_sources.get(source, LoadedSource())
            about = sorted(changed.intersection(map(resolved, loaded.dependencies)))
            if resolved(path) in changed:
                self._jobs.append(self._reload_of_file(source, path, [path]))
            elif about and loaded.read_materials is None:
                self._jobs.append(self._reload_of_file(source, path, about))
            elif about and loaded.read_materials is not None:
                self._jobs.append(self._reload_of_materials(source, path, about, loaded.read_materials))
        if self._jobs:
            paths, readers = [job.path for job in self._jobs], [job.read for job in self._jobs]
            self.load = Load(BackgroundReader(paths, readers=readers), self._take)

    def _reload_of_file(self, source: int, path: Path, about: list[Path]) -> _Reload:
        def read(progress: FileProgress) -> FileContent:
            return read_file(path, self._options, progress=progress)

        def take(content: FileContent) -> bool | Pending:
            change = FileReload(self._scene, source, content, is_edited=self._editor.history.changes)

            def join() -> None:
                self._note(about, _differences(change.join()))
                selection = self._editor.history.selection
                selection.ids = selection.ids[self._scene.alive[selection.ids]]

            if change.is_large:
                return prepared(self._editor.jobs, JobKind.JOIN, change, join)
            join()
            return True

        return _Reload(path, about, read, take)

    def _reload_of_materials(
        self, source: int, path: Path, about: list[Path], read_materials: Callable[[], MaterialContent]
    ) -> _Reload:
        def read(_: FileProgress) -> MaterialContent:
            images = read_textures(each for each in about if each.suffix.lower() in TEXTURE_ENDINGS)
            for image, texture in images.items():
                if isinstance(texture, OSError):
                    raise not_a_texture(image, texture)
            return read_materials()

        def take(content: MaterialContent) -> bool:
            reload_materials(self._scene, source, content)
            self._note(about)
            return True

        return _Reload(path, about, read, take)

    def _reload_of_images(self, paths: list[Path]) -> _Reload:
        def take(textures: Mapping[Path, Texture | OSError]) -> bool:
            read = {path: texture for path, texture in textures.items() if isinstance(texture, Texture)}
            reload_textures(self._scene, read)
            self._note(read)
            for path, error in textures.items():
                if isinstance(error, OSError):
                    self._note_failure([path], not_a_texture(path, error))
            return bool(read)

        return _Reload(paths[0], paths, lambda _: read_textures(paths), take)

    def _take(self, _: Path, result: object) -> bool | Pending:
        job = self._jobs.pop(0)
        if isinstance(result, ReadError):
            self._note_failure(job.about, result)
            return False
        if isinstance(result, Exception):
            raise result
        return job.take(result)

    def _note(self, paths: Iterable[Path], differences: str = "") -> None:
        for path in paths:
            self._notes[str(path)] = ("info", f"{printable(path)}: reloaded at {self._when}{differences}")

    def _note_failure(self, paths: Iterable[Path], error: ReadError) -> None:
        for path in paths:
            self._notes[str(path)] = ("error", f"{error} (not reloaded at {self._when}; the previous version stays)")


def _differences(reloaded: ReloadCounts) -> str:
    parts = [
        f"{count:,} {what} object{'' if count == 1 else 's'}"
        for count, what in ((reloaded.new, "new"), (reloaded.gone, "missing"))
        if count
    ]
    return ": " + ", ".join(parts) if parts else ""
