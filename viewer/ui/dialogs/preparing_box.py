"""The progress bar that a window shows while kernels are compiled for the first time."""

from __future__ import annotations

from imgui_bundle import imgui

_WIDTH = 420.0  # logical pixels


def draw_preparing_box(fraction: float, seconds: float, scale: float) -> None:
    """Draw a progress bar in the middle of the window.

    Args:
        fraction: how much is done, 0 to 1; 0 is not known yet.
        seconds: since it began.
        scale: of the interface.
    """
    room = imgui.get_main_viewport().size
    imgui.set_next_window_pos((room.x / 2.0, room.y / 2.0), pivot=(0.5, 0.5))
    imgui.set_next_window_size((_WIDTH * scale, 0.0))
    flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_move
    if imgui.begin("preparing", flags=flags)[0]:
        imgui.text_wrapped("Octoscope is compiling for this computer, once. It takes a minute or two.")
        clock = f"{int(seconds) // 60}:{int(seconds) % 60:02}"
        text = f"{fraction:.0%}   {clock}" if fraction else clock
        # Where nobody knows yet, Dear ImGui's way to draw a bar that only moves.
        imgui.progress_bar(fraction or -imgui.get_time(), (-1.0, 0.0), text)
    imgui.end()
