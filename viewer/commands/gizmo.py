"""The gizmo's part of the table of commands."""

from __future__ import annotations

from collections.abc import Callable

from viewer.commands.table import Command
from viewer.editing.editor import Editor
from viewer.editing.selection_facts import AN_OBJECT
from viewer.tools.gizmo.settings import MOVE, PIVOTS, ROTATE, SCALE, SPACES, TARGETS
from viewer.tools.gizmo.tool import GizmoTool
from viewer.tools.measure_tool import MeasureTool

_STEPS = (0.01, 0.1, 1.0, 10.0)
_STEPS_DEG = (5.0, 15.0, 45.0, 90.0)
_PIVOTS_SAY = {
    "centre": "the middle of the box about the selection",
    "median": "the mean of the objects' origins",
    "individual": "each object's own origin",
    "cursor": "the point that was clicked last",
}
_SPACES_SAY = {
    "world": "along the world's axes",
    "local": "along the active object's axes, or each one's own about individual pivots",
    "parent": "along the parent's axes",
}


def gizmo_commands(editor: Editor, tool: GizmoTool, measure: MeasureTool) -> tuple[Command, ...]:
    """Handles, moving by keys, and how both work.

    Args:
        measure: another tool for the left button, which ends where handles are chosen.
    """
    settings = tool.settings

    def setter(name: str, value: object) -> Callable[[], None]:
        def run() -> None:
            setattr(settings, name, value)
            if name == "target" or name.startswith("step"):
                settings.snaps = True

        return run

    def is_set(name: str, value: object) -> Callable[[], bool]:
        return lambda: getattr(settings, name) == value

    def choice(name: str, value: str | float, label: str, menu: str, description: str = "") -> Command:
        command_id = f"gizmo.{name}_" + (f"{value:g}".replace(".", "_") if isinstance(value, float) else value)
        return Command(
            command_id,
            label,
            setter(name, value),
            f"Tools/{menu}",
            description=description,
            checked=is_set(name, value),
        )

    def mode(value: str | None, label: str, key: str, description: str, **more: object) -> Command:
        def run() -> None:
            measure.stop()
            tool.set_mode(value)

        return Command(
            f"gizmo.{value or 'select'}",
            label,
            run,
            "Tools",
            keys=(key,),
            description=description,
            checked=lambda: settings.mode == value and measure.kind is None,
            **more,
        )

    def by_keys(value: str, label: str, key: str, blender_key: str, *synonyms: str) -> Command:
        return Command(
            f"gizmo.{value}_by_keys",
            label,
            lambda: tool.begin_by_keys(value),
            "Tools",
            keys=(key,),
            blender_keys=(blender_key,),
            description="with the mouse, or typed; X Y Z an axis, Shift ten times finer, Ctrl inverts snapping, "
            "Enter or a click confirms, Esc cancels",
            enabled=lambda: len(editor.selected_ids) > 0,
            refusal=AN_OBJECT,
            separated=value == MOVE,
            synonyms=synonyms,
        )

    def mirror(axis: int) -> Command:
        name = "XYZ"[axis]
        return Command(
            f"gizmo.mirror_{name.lower()}",
            f"Mirror along {name}",
            lambda: tool.mirror(axis),
            "Object/Mirror",
            description=f"scale by -1 along {name} of the gizmo's space, about its pivot",
            enabled=lambda: len(editor.selected_ids) > 0,
            refusal=AN_OBJECT,
            synonyms=("flip", "reflect", "symmetry"),
        )

    def turn_over(name: str, values: tuple[str, ...]) -> Callable[[], None]:
        def run() -> None:
            setattr(settings, name, values[(values.index(getattr(settings, name)) + 1) % len(values)])

        return run

    def toggle_snapping() -> None:
        settings.snaps = not settings.snaps

    return (
        mode(None, "No handles", "Q", "drag moves the camera, click selects"),
        mode(MOVE, "Move", "W", "handles to move what is selected", blender_keys=(), synonyms=("translate",)),
        mode(ROTATE, "Rotate", "E", "handles to rotate what is selected", blender_keys=(), synonyms=("turn",)),
        mode(SCALE, "Scale", "R", "handles to scale what is selected", blender_keys=(), synonyms=("resize",)),
        by_keys(MOVE, "Move by keys", "G", "G"),
        by_keys(ROTATE, "Rotate by keys", "Shift+R", "R"),
        by_keys(SCALE, "Scale by keys", "Shift+S", "S"),
        *(mirror(axis) for axis in range(3)),
        Command(
            "gizmo.next_space",
            "Next space",
            turn_over("space", SPACES),
            "Tools/Gizmo space",
            keys=(",",),
            description="world, local, parent",
            synonyms=("orientation", "coordinate system"),
        ),
        *(choice("space", value, value.capitalize(), "Gizmo space", _SPACES_SAY[value]) for value in SPACES),
        Command(
            "gizmo.next_pivot",
            "Next pivot",
            turn_over("pivot", PIVOTS),
            "Tools/Gizmo pivot",
            keys=(".",),
            blender_keys=("Shift+.",),
            description=", ".join(PIVOTS),
            synonyms=("pivot point",),
        ),
        *(choice("pivot", value, value.capitalize(), "Gizmo pivot", _PIVOTS_SAY[value]) for value in PIVOTS),
        Command(
            "gizmo.snap",
            "Snap",
            toggle_snapping,
            "Tools/Gizmo snapping",
            keys=("Shift+Tab",),
            description="snap moves, rotations and scales; hold Ctrl to invert, Shift for tenths of a step",
            checked=lambda: settings.snaps,
            synonyms=("snapping", "magnet"),
        ),
        *(choice("target", value, f"Moves to {value}", "Gizmo snapping") for value in TARGETS),
        *(choice("step", step, f"Steps of {step:g}", "Gizmo snapping") for step in _STEPS),
        *(choice("step_deg", step, f"Turns by {step:g}°", "Gizmo snapping") for step in _STEPS_DEG),
    )
