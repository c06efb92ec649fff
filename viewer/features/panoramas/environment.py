"""Which files are panoramas. Imports nothing that takes long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octoscope.viewer.frame.look.environment_names import EnvironmentPart

if TYPE_CHECKING:
    from octoscope.viewer.frame.look.environment import Environment

ENDINGS = (".hdr", ".exr")


def _read(name: str) -> Environment:
    from octoscope.viewer.features.panoramas.reading import read_environment  # only here: it imports numpy

    return read_environment(name)


PART = EnvironmentPart(ENDINGS, "a panorama, .hdr or .exr (needs the extra octoscope[environment])", _read)
