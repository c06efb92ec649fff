"""The inspector: what is selected, and fields to change it with."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from imgui_bundle import imgui

from scene import Material, change_nodes
from scene.measuring.figures import without_noise
from scene.memory import readable_bytes
from scene.text_file import printable
from viewer import euler
from viewer.editor import Editor
from viewer.ui.fields import drag_numbers
from viewer.ui.theme import Theme
from viewer.view import counts_text

_LABELS = 0.34  # of the panel's width
_DEGREES_PER_PIXEL, _SCALE_PER_PIXEL = 0.5, 0.005
_MANY = 500  # objects, whose facts are not gathered anew for every frame
_MOST_MATERIALS = 64  # different ones that are looked for in a selection


@dataclass(frozen=True, eq=False)
class _Facts:
    """What many objects come to, gathered once for as long as nothing changes.

    Attributes:
        translations, degrees, scales: (k, 3). material_ids: (m,) that they show. own: whether all are the meshes' own.
        mesh_ids: (j,) of those that have one. counts: triangles, lines, points. vertices: how many.
        box: about them, world, or None.
    """

    translations: np.ndarray
    degrees: np.ndarray
    scales: np.ndarray
    material_ids: np.ndarray
    own: bool
    mesh_ids: np.ndarray
    counts: tuple[int, int, int]
    vertices: int
    box: tuple[np.ndarray, np.ndarray] | None


class Inspector:
    """Name, place, material and mesh of what is selected, and the cell of the octree that holds it."""

    id, title, place, keys, starts_open = "inspector", "Inspector", "right", ("Ctrl+2",), True

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._held = 0  # Dear ImGui's id of the field that is held
        self._has_gesture = False  # and that field has changed something
        self._name = ""
        self._name_of: np.ndarray | None = None
        self._angles: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None  # ids, rotations, degrees as typed
        self._material: Material | None = None  # while a field changes it
        self._facts: _Facts | None = None
        self._facts_for: tuple[int, int] | None = None

    def draw(self, theme: Theme) -> None:
        """Draw what is in the panel."""
        ids = self._editor.selected_ids
        held = imgui.internal.get_active_id()
        if held != self._held:  # what was held was one gesture
            self._held = held
            if self._has_gesture:  # any other is not the panel's to end
                self._has_gesture = False
                self._editor.finish()
        if not len(ids):
            self._draw_scene(theme)
            return
        facts = self._facts_of(ids)
        self._draw_name(ids, theme)
        if _section("Transform", theme):
            self._draw_transform(ids, facts, theme)
        if _section("Material", theme):
            self._draw_material(ids, facts, theme)
        if _section("Mesh", theme):
            self._draw_mesh(ids, facts, theme)
        if len(ids) == 1 and _section("Octree", theme):
            self._draw_cell(int(ids[0]), theme)

    def _facts_of(self, ids: np.ndarray) -> _Facts:
        scene = self._editor.scene
        wanted = (self._editor.revision, scene.tree_revision, scene.world_revision)
        if self._facts is None or len(ids) < _MANY or self._facts_for != wanted:
            scene.refresh_world()  # copies that were made since the last frame have no place yet
            mesh_ids = scene.mesh_ids[ids]
            mesh_ids = mesh_ids[mesh_ids >= 0]
            rows = scene.meshes.rows
            self._facts_for = wanted
            self._facts = _Facts(
                scene.translations[ids],
                self._shown_angles(ids),
                scene.scales[ids],
                self._materials_of(ids),
                bool((scene.material_overrides[ids] < 0).all()),
                mesh_ids,
                tuple(int(rows[f"{element}_count"][mesh_ids].sum()) for element in ("triangle", "line", "point")),
                int(rows["vertex_count"][mesh_ids].sum()),
                scene.bounds(ids),
            )
        return self._facts

    # What is selected.

    def _draw_scene(self, theme: Theme) -> None:
        imgui.text_colored(theme.quiet, "nothing is selected")
        imgui.spacing()
        scene, stats = self._editor.scene, self._editor.view.index.stats()
        if _section("Scene", theme):
            _fact(theme, "nodes", f"{len(scene):,}")
            _fact(theme, "with a mesh", f"{int((scene.mesh_ids >= 0).sum()):,}")
            _fact(theme, "meshes", f"{len(scene.meshes):,}")
            _fact(theme, "materials", f"{scene.material_count:,}")
            _draw_box(theme, self._editor.view.index.bounds)
        if _section("Octree", theme):
            _fact(theme, "levels", f"{stats.split_level} below the root")
            _fact(theme, "objects", f"{stats.spheres:,}")
            _fact(theme, "at the root", f"{stats.at_root:,}")
            _fact(theme, "occupied", f"{stats.occupied:,} of {stats.cells:,} cells")
            _fact(theme, "edge", f"{2.0 * stats.half_size:.6g}")
            _fact(theme, "memory", readable_bytes(stats.memory_bytes))

    def _draw_name(self, ids: np.ndarray, theme: Theme) -> None:
        scene = self._editor.scene
        if len(ids) > 1:
            imgui.text(f"{len(ids):,} objects")
            return
        node_id = int(ids[0])
        imgui.set_next_item_width(-1.0)
        shown = self._name if self._name_of is ids else str(scene.names[node_id])
        _, name = imgui.input_text_with_hint("##name", "(no name)", shown)
        if imgui.is_item_active():
            self._name, self._name_of = name, ids
        elif self._name_of is not None:
            if imgui.is_item_deactivated_after_edit() and self._name_of is ids:
                self._editor.rename(node_id, self._name)
            self._name_of = None
        parent = int(scene.parents[node_id])
        if parent >= 0:
            imgui.push_text_wrap_pos(0.0)
            imgui.text_colored(theme.quiet, f"in {scene.path_of(parent)}")
            imgui.pop_text_wrap_pos()

    # Transform.

    def _draw_transform(self, ids: np.ndarray, facts: _Facts, theme: Theme) -> None:
        scene, view = self._editor.scene, self._editor.view
        pixel = view.camera.pixel_size(800)  # a drag of a pixel is about one in the picture
        self._draw_row("Location", "translation", ids, facts.translations, pixel, theme)
        changed = _draw_numbers("Rotation", facts.degrees, _DEGREES_PER_PIXEL, theme)
        if changed is not None:
            self._do(ids, "Rotate", rotation=euler.rotations_of(changed))
            self._angles = (ids, scene.rotations[ids], changed)
        self._draw_row("Scale", "scale", ids, facts.scales, _SCALE_PER_PIXEL, theme)
        if len(ids) == 1:
            _fact(theme, "world", _place_text(scene.world_from_local[ids[0], :3, 3]))

    def _draw_row(
        self, label: str, column: str, ids: np.ndarray, values: np.ndarray, speed: float, theme: Theme
    ) -> None:
        changed = _draw_numbers(label, values, speed, theme)
        if changed is not None:
            self._do(ids, {"translation": "Move", "scale": "Scale"}[column], **{column: changed})

    def _shown_angles(self, ids: np.ndarray) -> np.ndarray:
        """(k, 3) degrees: as they were typed, for as long as the rotations are those; others may say the same."""
        rotations = self._editor.scene.rotations[ids]
        if self._angles is not None:
            known_ids, known, degrees = self._angles
            if known_ids is ids and (known == rotations).all():
                return degrees
        return euler.degrees_of(rotations)

    def _do(self, ids: np.ndarray, verb: str, **columns: np.ndarray) -> None:
        """Change what is selected; for as long as one field is held it is one gesture."""
        label = f"{verb} {len(ids):,} objects" if len(ids) > 1 else f"{verb} {self._editor.scene.names[ids[0]]}"
        self._has_gesture = imgui.is_any_item_active()
        self._editor.do(change_nodes(self._editor.scene, ids, label=label, **columns), continues=self._has_gesture)

    # Material.

    def _draw_material(self, ids: np.ndarray, facts: _Facts, theme: Theme) -> None:
        scene = self._editor.scene
        used = facts.material_ids
        if not len(used):
            imgui.text_colored(theme.quiet, "no mesh, no material")
            return
        material = self._material or scene.materials[used[0]]
        names = scene.materials[used[0]].name if len(used) == 1 else f"{len(used)} materials"
        _fact(theme, "name", printable(names))
        own = facts.own
        if own and len(used) > 1:
            _fact(theme, "", "a change gives one to all of it")
        values: dict[str, object] = {}
        _label(theme, "Colour")
        imgui.set_next_item_width(-1.0)
        changed, color = imgui.color_edit3("##color", list(material.base_color), imgui.ColorEditFlags_.float)
        if changed:
            values["base_color"] = tuple(min(1.0, max(0.0, value)) for value in color)
        held = imgui.is_item_active() or imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
        for label, name, value in (
            ("Opacity", "opacity", material.opacity),
            ("Metal", "metallic", material.metallic),
            ("Roughness", "roughness", material.roughness),
        ):
            _label(theme, label)
            imgui.set_next_item_width(-1.0)
            shown = "%.2f" if value is not None else "not set"
            if value is None:  # no handle, where there is no value: it would stand in the middle of the words
                imgui.push_style_color(imgui.Col_.slider_grab, (0.0, 0.0, 0.0, 0.0))
            changed, number = imgui.slider_float(f"##{name}", 0.5 if value is None else value, 0.0, 1.0, shown)
            if value is None:
                imgui.pop_style_color()
            if changed:
                values[name] = min(1.0, max(0.0, number))
            held |= imgui.is_item_active()
        if values:
            self._material = replace(material, **values)
        if self._material is not None and not held:
            self._give_material(ids, self._material)
            self._material = None
        if not own and imgui.button("its file's own", (-1.0, 0.0)):
            self._do(ids, "Take material from", material=np.full(len(ids), -1, dtype=np.int32))

    def _give_material(self, ids: np.ndarray, material: Material) -> None:
        scene = self._editor.scene
        with_mesh = ids[scene.mesh_ids[ids] >= 0]
        known = scene.materials.index(material) if material in scene.materials else scene.add_material(material)
        self._do(with_mesh, "Material of", material=np.full(len(with_mesh), known, dtype=np.int32))

    def _materials_of(self, ids: np.ndarray) -> np.ndarray:
        """(m,) the first materials that nodes show; of a mesh's own, that of its first vertex."""
        scene = self._editor.scene
        ids = ids[scene.mesh_ids[ids] >= 0]
        overrides = scene.material_overrides[ids]
        first = scene.meshes.rows["first_vertex"][scene.mesh_ids[ids]]
        shown = np.where(overrides >= 0, overrides, scene.meshes.vertices["material"][first])
        return np.unique(shown)[:_MOST_MATERIALS]

    # Mesh and octree.

    def _draw_mesh(self, ids: np.ndarray, facts: _Facts, theme: Theme) -> None:
        scene, mesh_ids = self._editor.scene, facts.mesh_ids
        if not len(mesh_ids):
            children = int((np.isin(scene.parents, ids) & scene.alive).sum())
            imgui.text_colored(theme.quiet, f"a group of {children:,}" if children else "none")
            return
        rows = scene.meshes.rows
        imgui.push_text_wrap_pos(0.0)
        _fact(theme, "shows", counts_text(*facts.counts))
        imgui.pop_text_wrap_pos()
        _fact(theme, "vertices", f"{facts.vertices:,}")
        if len(mesh_ids) == 1:
            shared = int((scene.mesh_ids == mesh_ids[0]).sum())
            if shared > 1:
                _fact(theme, "shared by", f"{shared:,} objects")
            source = int(rows["source"][mesh_ids[0]])
            if source >= 0:
                _fact(theme, "file", printable(scene.sources[source].name))
        _draw_box(theme, facts.box)

    def _draw_cell(self, node_id: int, theme: Theme) -> None:
        cell = self._editor.view.index.cell_of(node_id)
        if cell is None:
            imgui.text_colored(theme.quiet, "not in the octree")
            return
        upper = cell.lower + cell.edge
        _fact(theme, "level", f"{cell.level}" + (", the root" if cell.level == 0 else ""))
        _fact(theme, "edge", f"{cell.edge:.6g}")
        _fact(theme, "from", _place_text(cell.lower))
        _fact(theme, "to", _place_text(upper))
        _fact(theme, "code", f"{cell.code:o}")


def _section(title: str, theme: Theme) -> bool:
    """A heading that opens and closes what is below it; whether it is open."""
    imgui.push_style_color(imgui.Col_.header, theme.raised)
    is_open = imgui.collapsing_header(title, imgui.TreeNodeFlags_.default_open)
    imgui.pop_style_color()
    return is_open


def _label(theme: Theme, text: str) -> None:
    """A label at the left; what comes next stands beside it, each below the last."""
    imgui.align_text_to_frame_padding()
    imgui.text_colored(theme.quiet, text)
    imgui.same_line(_LABELS * imgui.get_window_width())


def _fact(theme: Theme, label: str, text: str) -> None:
    imgui.text_colored(theme.quiet, label)
    imgui.same_line(_LABELS * imgui.get_window_width())
    imgui.text(text)


def _place_text(place: np.ndarray) -> str:
    return "  ".join(f"{value:.6g}" for value in without_noise(place))


def _draw_box(theme: Theme, box: tuple[np.ndarray, np.ndarray] | None) -> None:
    if box is not None:
        _fact(theme, "size", " × ".join(f"{value:.5g}" for value in box[1] - box[0]))


def _draw_numbers(label: str, values: np.ndarray, speed: float, theme: Theme) -> np.ndarray | None:
    """Three fields beside a label; (k, 3) values in, those that a person made of them out, or None."""
    _label(theme, label)
    gap = 3.0
    width = (imgui.get_content_region_avail().x - 2.0 * gap) / 3.0
    answer = None
    for axis in range(3):
        if axis:
            imgui.same_line(0.0, gap)
        changed = drag_numbers(f"##{label}{axis}", values[:, axis], speed, width)
        if changed is not None:
            answer = values.copy()
            answer[:, axis] = changed
    return answer
