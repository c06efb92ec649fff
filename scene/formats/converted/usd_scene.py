"""Read a USD stage by usd-core: its tree of prims, with instances and the shapes that they share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Tf, Usd, UsdGeom

from octoscope.scene.formats.converted.glb_builder import GlbBuilder
from octoscope.scene.formats.converted.usd_materials import Materials
from octoscope.scene.formats.converted.usd_meshes import Shapes

_EARLIEST = Usd.TimeCode.EarliestTime()  # of what moves
_MOST_PLACES = 1_000_000  # of a point instancer's instances


def convert_usd(path: Path, builder: GlbBuilder) -> None:
    """Add what a USD stage shows at its earliest time."""
    try:
        stage = Usd.Stage.Open(str(path))
    except Tf.ErrorException as error:
        raise ValueError(_reason(error, path)) from None
    if UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z:
        builder.up_axis = "z"
    world_from_stage = np.diag([*[UsdGeom.GetStageMetersPerUnit(stage)] * 3, 1.0])
    for layer in stage.GetUsedLayers():
        if layer.realPath and layer.realPath != stage.GetRootLayer().realPath:
            builder.dependencies.add(layer.realPath)
    for error in stage.GetCompositionErrors():
        named = re.search(r"@([^@]+)@", str(error))
        what = f"'{Path(named[1]).name[:60]}'" if named else f"a part of it ({type(error).__name__})"
        builder.report(f"{what} cannot be opened", "opened without it")
    tree = _Tree(builder, path)
    for prim in stage.GetPseudoRoot().GetFilteredChildren(_SHOWN):
        tree.add(prim, -1, world_from_stage)


# Prims that are there, with those within instances; abstract ones, from which others are made, are not.
_SHOWN = Usd.TraverseInstanceProxies(Usd.PrimIsActive & Usd.PrimIsLoaded & Usd.PrimIsDefined & ~Usd.PrimIsAbstract)


def _reason(error: Any, path: Path) -> str:
    complaints = [str(getattr(one, "commentary", one)).strip() for one in error.args]
    return complaints[0].replace(str(path), path.name) if complaints else "it cannot be opened"


class _Tree:
    """The nodes of a stage, and the meshes that they share."""

    def __init__(self, builder: GlbBuilder, path: Path) -> None:
        self._builder = builder
        self._shapes = Shapes(builder, Materials(builder, path))

    def add(self, top: Any, parent: int, parent_from_top: np.ndarray) -> None:
        """Add a prim and all below it, parents first.

        Args:
            parent_from_top: (4, 4), which comes before the prim's own transform.
        """
        stage_node, stage_matrix = parent, parent_from_top
        pending = [(top, parent, parent_from_top)]
        while pending:
            prim, above, parent_from_local = pending.pop()
            imageable = UsdGeom.Imageable(prim)
            if not imageable and prim.GetTypeName():
                continue  # a material, a light of another kind, settings
            if imageable and not self._is_shown(imageable):
                continue
            xformable = UsdGeom.Xformable(prim)
            if xformable:
                if xformable.GetResetXformStack():  # its place does not depend on its parents'
                    above, parent_from_local = stage_node, stage_matrix
                local = np.array(xformable.GetLocalTransformation(_EARLIEST)).T  # theirs are for row vectors
                parent_from_local = parent_from_local @ local
            mesh = self._shapes.mesh_of(prim)
            number = self._builder.add_node(prim.GetName(), parent_from_local, parent=above, mesh=mesh)
            if prim.IsA(UsdGeom.PointInstancer):
                self._add_places(UsdGeom.PointInstancer(prim), number)
                continue
            children = list(prim.GetFilteredChildren(_SHOWN))
            pending.extend((child, number, np.eye(4)) for child in reversed(children))

    def _is_shown(self, imageable: Any) -> bool:
        """Tell whether a prim is visible and for pictures, not a stand-in or a guide."""
        if imageable.GetVisibilityAttr().Get(_EARLIEST) == UsdGeom.Tokens.invisible:
            return False
        purpose = imageable.GetPurposeAttr().Get()
        return purpose not in (UsdGeom.Tokens.proxy, UsdGeom.Tokens.guide)

    def _add_places(self, instancer: Any, node: int) -> None:
        """Add a prototype for each place of a point instancer, below its node."""
        stage = instancer.GetPrim().GetStage()
        prototypes = [stage.GetPrimAtPath(path) for path in instancer.GetPrototypesRel().GetForwardedTargets()]
        kinds = instancer.GetProtoIndicesAttr().Get(_EARLIEST) or []
        if len(kinds) > _MOST_PLACES:
            raise ValueError(f"it has more than {_MOST_PLACES:,} objects")
        mask = instancer.ComputeMaskAtTime(_EARLIEST)
        # The prototypes' own transforms come with `add`.
        matrices = instancer.ComputeInstanceTransformsAtTime(
            _EARLIEST, _EARLIEST, UsdGeom.PointInstancer.ExcludeProtoXform, UsdGeom.PointInstancer.IgnoreMask
        )
        if len(matrices) != len(kinds):
            self._builder.report("a point instancer without a place for each copy", "left out")
            return
        for number, (kind, matrix) in enumerate(zip(kinds, matrices, strict=True)):
            if mask and not mask[number]:
                continue
            if 0 <= kind < len(prototypes) and prototypes[kind]:
                self.add(prototypes[kind], node, np.array(matrix).T)
            else:
                self._builder.report("a copy of a prototype that is not in the file", "left out")
