"""Select > Check meshes, and the panel of the faults that it finds."""

from __future__ import annotations

from functools import partial

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.mesh_checks.fault_list import FaultList
from octoscope.viewer.features.mesh_checks.panel import MeshChecksPanel

command = Declarations("Select", after="select.same_material")
_SYNONYMS = ("mesh analysis", "3d print", "holes", "non-manifold", "inverted", "validate", "statistics", "cleanup")


@command(
    "select.check_meshes",
    "Check meshes",
    "find open edges, inverted faces, missing normals ..., within the selection if there is one; "
    "View > Panels > Mesh checks lists them",
    enabled=lambda faults: not faults.is_busy,
    synonyms=_SYNONYMS,
)
def check_meshes(faults: FaultList) -> None:
    faults.find()


of_faults = partial(
    command,
    menu="Select/Mesh faults",
    enabled=lambda faults: faults.has_any,
    refusal="look for faults first: Select > Check meshes",
    synonyms=_SYNONYMS,
)


@of_faults("select.next_fault", "Next fault", "select the next object with a fault, and look at where that is")
def show_next(faults: FaultList) -> None:
    faults.step(1)


@of_faults("select.previous_fault", "Previous fault", "select the one before")
def show_previous(faults: FaultList) -> None:
    faults.step(-1)


@of_faults("select.ignore_fault", "Ignore fault", "leave it out of the list until the next check")
def ignore(faults: FaultList) -> None:
    faults.ignore()


def _contribute(context: Context) -> Contribution:
    faults = FaultList(context)
    return Contribution(panels=[MeshChecksPanel(context, faults)], commands=command.bound_to(faults))


PART = WindowPart(_contribute)
