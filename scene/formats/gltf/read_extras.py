"""Read measurements and labels, which files of our own have in the "extras" of the scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

import numpy as np

from octoscope.scene.annotations.annotation_json import labels_from_json, measurements_from_json
from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import IN_WORLD, Measurement
from octoscope.scene.formats.gltf.codes import LABELS, MEASUREMENTS
from octoscope.scene.formats.gltf.document import GltfDocument
from octoscope.scene.geometry.ranges import index_in
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problems

_Kind = TypeVar("_Kind", Measurement, Label)
_EACH_BYTES = 1_000  # that a measurement or label takes in a scene


def read_extras(
    document: GltfDocument, sources: np.ndarray, problems: Problems
) -> tuple[list[Measurement], list[Label]]:
    """Return the measurements and labels of the scene that a file shows; others are reported.

    Args:
        sources: (n,) int64 node of the file that each node of the content is. Measurements and labels get the latter.
    """
    scenes, chosen = document.objects("scenes"), document.json.get("scene", 0)
    extras = scenes[chosen].get("extras") if type(chosen) is int and 0 <= chosen < len(scenes) else None
    if not isinstance(extras, dict):
        return [], []
    measured, labelled = extras.get(MEASUREMENTS, []), extras.get(LABELS, [])
    counts = [len(each) for each in (measured, labelled) if isinstance(each, list)]
    current_limits().take(_EACH_BYTES * sum(counts))
    node_count = len(document.objects("nodes"))
    places = index_in(sources, max(node_count, int(sources.max(initial=-1)) + 1))
    return (
        [*_placed(measurements_from_json(measured, node_count, problems), places)],
        [*_placed(labels_from_json(labelled, node_count, problems), places)],
    )


def _placed(found: Iterable[_Kind], places: np.ndarray) -> Iterator[_Kind]:
    """Yield what is at nodes that are shown, with their places in the content."""
    for each in found:
        nodes = [IN_WORLD if anchor.node == IN_WORLD else int(places[anchor.node]) for anchor in each.anchors]
        if all(new >= 0 or anchor.node == IN_WORLD for new, anchor in zip(nodes, each.anchors, strict=True)):
            moved = zip(nodes, each.anchors, strict=True)
            yield each.with_anchors([replace(anchor, node=node) for node, anchor in moved])
