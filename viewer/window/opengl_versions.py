"""The versions of OpenGL that a context is asked for, one after the other, and whether it tells what it finds wrong.

The newest of use is wanted, and some drivers make exactly what is asked for. Each of these has a part that is used
where it is there; 3.3 is enough.
"""

import os
import sys

VERSIONS = ((4, 1), (3, 3)) if sys.platform == "darwin" else ((4, 5), (4, 3), (4, 1), (3, 3))  # Apple has no later one


def tells_messages() -> bool:
    """Return whether what drivers say about calls of OpenGL is to be printed, which makes them slower."""
    return bool(os.environ.get("OCTOSCOPE_DEBUG_GL"))
