"""The directions along the axes that a camera is turned to by name."""

from typing import Literal

ViewName = Literal["iso", "front", "back", "right", "left", "top", "bottom"]
VIEWS: dict[ViewName, tuple[float, float]] = {  # name: (yaw, pitch) in degrees
    "iso": (45.0, 35.264),
    "front": (0.0, 0.0),
    "back": (180.0, 0.0),
    "right": (90.0, 0.0),
    "left": (-90.0, 0.0),
    "top": (0.0, 90.0),
    "bottom": (0.0, -90.0),
}
