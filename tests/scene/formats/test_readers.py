"""Files are read by the reader for their ending."""

import pytest

from octoscope.scene.formats.endings import FORMATS, MODEL_ENDINGS
from octoscope.scene.formats.readers import is_obj, read_file
from octoscope.scene.system.text_file import ReadError


@pytest.mark.parametrize("ending", MODEL_ENDINGS)
def test_only_an_obj_is_read_as_one(ending, tmp_path):
    path = tmp_path / f"model{ending.upper()}"
    assert is_obj(path) == (ending in FORMATS["OBJ"].endings)
    read_elsewhere = [format_.endings for format_ in FORMATS.values() if format_.reader[0].startswith("converted")]
    if not any(ending in endings for endings in read_elsewhere):
        path.write_bytes(b"\x00hello")
        with pytest.raises(ReadError) as refused:
            read_file(path)
        assert ("OBJ" in str(refused.value).replace(path.name, "")) == is_obj(path)
