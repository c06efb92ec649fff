"""PLY and 3MF files for tests, and what is read of such files."""

from __future__ import annotations

import io
import zipfile

from octoscope.scene import FileContent, MeshData

SQUARE = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
XYZ = "property float x\nproperty float y\nproperty float z\n"
FACES = "property list uchar int vertex_indices\n"


def ply(vertices: str, body: str, *, properties: str = "", count: int = 4, more: str = "", comment: str = "") -> str:
    return (
        f"ply\nformat ascii 1.0\n{comment}element vertex {count}\n{XYZ}{properties}{more}end_header\n{vertices}{body}"
    )


def threemf(model: str, *, into_resources: str = "", head: str = "") -> bytes:
    resources = f"<resources>{into_resources}</resources>" if into_resources else ""
    model = model.removeprefix(into_resources)
    namespace = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "3D/3dmodel.model", f'<?xml version="1.0"?><model xmlns="{namespace}" {head}>{resources}{model}</model>'
        )
    return out.getvalue()


def sound(content: FileContent) -> MeshData:
    """The one mesh of a file in which nothing is wrong."""
    assert content.problems == [] and len(content.objects) == 1
    return content.objects[0][1]
