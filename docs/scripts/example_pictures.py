"""Pictures of the examples: each script in tests/examples writes one under its own name."""

from __future__ import annotations

import io
import os
import runpy
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
from PIL import Image

from docs.scripts.window_pictures import save
from tests.viewer.windows.xvfb import Screen

EXAMPLES = Path(__file__).parents[2] / "tests" / "examples"


def main(folder: Path) -> None:
    """Run all examples, in a folder beside the sample scene and with a display, and keep their pictures in a folder."""
    folder, screen, begin = folder.resolve(), Screen(), Path.cwd()
    os.environ["DISPLAY"] = screen.display
    try:
        for path in sorted(EXAMPLES.glob("*.py")):
            with tempfile.TemporaryDirectory() as place:
                os.chdir(place)
                Path("assets").symlink_to(EXAMPLES.parents[1] / "assets", target_is_directory=True)
                with redirect_stdout(io.StringIO()):
                    runpy.run_path(str(path), run_name="__main__")
                save(np.asarray(Image.open(f"{path.stem}.png").convert("RGB")), folder / f"{path.stem}.webp")
                os.chdir(begin)
    finally:
        os.chdir(begin)
        screen.close()
