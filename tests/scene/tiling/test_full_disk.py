"""Tiles that do not fit on the disk: the error says so."""

from __future__ import annotations

import errno

import numpy as np
import pytest

from octoscope.scene.bake import baked
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.tiling.pieces import load_geometry, save_geometry
from tests.limits import largest_file
from tests.scene.dressed import dressed_scene


def test_a_geometry_that_does_not_fit_on_the_disk_is_an_error_that_says_why(tmp_path):
    scene = dressed_scene(1)
    ids = scene.objects.ids
    geometry = MergedGeometry.of(baked(scene, ids), ids)
    save_geometry(geometry, tmp_path / "whole")
    again = load_geometry(tmp_path / "whole")
    for name, array in vars(geometry).items():
        np.testing.assert_array_equal(getattr(again, name), array, err_msg=name)
    for size in (50, 1000):
        with largest_file(size), pytest.raises(OSError) as raised:
            save_geometry(geometry, tmp_path / "part")
        assert raised.value.errno == errno.EFBIG
