"""Measure what `octoscope tiles` costs for scenes of more and more triangles, and draw the plot of tiles.md.

    .venv/bin/python -m tests.benchmarks.tiles_cost [--of cities|terrain] [--smallest TRIANGLES] [--largest TRIANGLES]
                                                    [--plot-only] [--folder DIR]

Cities are tiled by one process, and again with triangles compressed by Draco; terrain, in files of a million triangles
each, by one that the system gives 2 GB of memory and no more. Seconds are of processor time, so that other programs on
the machine do not count. Figures are kept in tiles_cost.json, the tables are printed. A hundred million triangles take
a quarter of an hour.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from octoscope import Scene, write_glb
from octoscope.scene.city import city
from octoscope.scene.mesh.data import MeshData

_FIGURES = Path(__file__).with_name("tiles_cost.json")
_PLOT = Path(__file__).parents[2] / "docs" / "pictures" / "tiles_cost.svg"
_TRIANGLES_PER_OBJECT = 30  # of a city, about
_SMALLEST = 10_000
_WAYS = {"plain": [], "draco": ["--compress", "draco"]}
_FILE_TRIANGLES = 1_000_000  # of a file of terrain
_MEMORY_BYTES = 2 * 2**30  # for terrain
# What is plotted: title, field of the figures, and what it is divided by.
_PANELS = (
    ("processor seconds", "seconds", 1.0),
    ("memory, MiB", "peak_bytes", 2.0**20),
    ("size of the tiles, MiB", "bytes", 2.0**20),
)
_COLORS = {"plain": "#3465a4", "draco": "#c4762b", "terrain": "#4e9a06"}
_LABELS = {"plain": "cities", "draco": "cities, Draco", "terrain": "terrain, at most 2 GiB"}
_WIDTH, _HEIGHT, _MARGIN = 300, 240, 46


def main() -> None:
    """Measure all sizes, print the table and draw the plot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--smallest", type=int, default=_SMALLEST, metavar="TRIANGLES", help="keep the figures of smaller cities"
    )
    parser.add_argument("--largest", type=float, default=1e8, metavar="TRIANGLES", help="of the largest city")
    parser.add_argument("--of", choices=("cities", "terrain"), default="cities", help="what is measured")
    parser.add_argument("--folder", type=Path, help="for files meanwhile: 30 GB for a hundred million triangles")
    parser.add_argument("--plot-only", action="store_true", help="draw the figures that are there")
    options = parser.parse_args()
    figures = json.loads(_FIGURES.read_text())
    size = options.smallest
    if not options.plot_only:
        figures = [
            one
            for one in figures
            if one["triangles"] < size / 2 or (one["way"] == "terrain") != (options.of == "terrain")
        ]
    while not options.plot_only and size <= options.largest:
        with tempfile.TemporaryDirectory(dir=options.folder) as name:
            folder = Path(name)
            paths = _write_terrain(size, folder) if options.of == "terrain" else [folder / "city.glb"]
            if options.of == "cities":
                write_glb(city(size // _TRIANGLES_PER_OBJECT), paths[0])
            file_bytes = sum(path.stat().st_size for path in paths)
            limit = ["--max-memory", str(_MEMORY_BYTES)]
            for way, arguments in {"terrain": limit}.items() if options.of == "terrain" else _WAYS.items():
                figures.append({"way": way, "file_bytes": file_bytes, **_measured(paths, arguments)})
                print(figures[-1], file=sys.stderr)
        _FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
        size *= 10
    _print_table(figures)
    _PLOT.write_text(_plot(figures))


def _write_terrain(triangles: int, folder: Path) -> list[Path]:
    """Write hills as GLBs of a million triangles, side by side; return their paths."""
    side = round(math.sqrt(min(triangles, _FILE_TRIANGLES) / 2))
    corner = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).ravel()
    quads = corner[:, None] + (0, side + 1, side + 2, 1)
    faces = np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]])
    count = max(round(triangles / len(faces)), 1)
    paths = []
    for number in range(count):
        row, column = divmod(number, math.ceil(math.sqrt(count)))
        z, x = np.mgrid[0 : side + 1, 0 : side + 1] + np.array((row, column))[:, None, None] * float(side)
        y = 40.0 * np.sin(x / 190.0) * np.cos(z / 230.0) + 6.0 * np.sin(x / 17.0 + z / 29.0) + np.sin(x * z / 700.0)
        made = Scene()
        positions = np.stack([x, y, z], axis=2).reshape(-1, 3)
        mesh = MeshData(positions, faces, None, np.zeros(len(positions), np.int32))
        made.add_node(f"patch {number}", mesh=made.meshes.add(mesh))
        paths.append(folder / f"terrain_{number:03}.glb")
        write_glb(made, paths[-1])
    return paths


def _measured(paths: list[Path], arguments: list[str]) -> dict[str, float]:
    """Tile files in a process of its own; return what it says and took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    files, output = map(str, paths), paths[0].with_name("tiles")
    command = [sys.executable, "-m", "octoscope", "tiles", *files, "-o", str(output), "--force", "--workers", "1"]
    is_limited = "--max-memory" in arguments
    done = subprocess.run(
        [*command, "--json", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        preexec_fn=_limit_memory if is_limited else None,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    facts = json.loads(done.stdout)
    kept = {name: facts[name] for name in ("objects", "triangles", "tiles", "bytes", "peak_bytes")}
    return kept | {
        "levels": len(facts["levels"]),
        "seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    }


def _limit_memory() -> None:
    """Limit the memory of this process (RLIMIT_DATA) to what terrain may take."""
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY_BYTES, _MEMORY_BYTES))


def _print_table(figures: list[dict]) -> None:
    """Print the tables of the page."""
    print("| triangles | files | levels | tiles | processor time | memory | files on disk | tiles on disk |")
    print("|---|---|---|---|---|---|---|---|")
    for one in figures:
        if one["way"] == "terrain":
            counts = " | ".join(f"{one[name]:,}" for name in ("triangles", "objects", "levels", "tiles"))
            sizes = " | ".join(f"{_three_digits(one[name] / 2**20)} MiB" for name in ("file_bytes", "bytes"))
            print(f"| {counts} | {one['seconds']:,.3g} s | {_three_digits(one['peak_bytes'] / 2**20)} MiB | {sizes} |")
    figures = [one for one in figures if one["way"] != "terrain"]
    print("| triangles | objects | levels | tiles | processor time | memory | file | tiles on disk | by Draco |")
    print("|---|---|---|---|---|---|---|---|---|")
    for plain, draco in zip(figures[::2], figures[1::2], strict=True):
        sizes = (plain[name] for name in ("peak_bytes", "file_bytes", "bytes"))
        mebibytes = " | ".join(f"{_three_digits(size / 2**20)} MiB" for size in (*sizes, draco["bytes"]))
        counts = " | ".join(f"{plain[name]:,}" for name in ("triangles", "objects", "levels", "tiles"))
        print(f"| {counts} | {plain['seconds']:.3g} s | {mebibytes} |")


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000.0 else f"{value:.3g}"


def _plot(figures: list[dict]) -> str:
    """Draw a panel for each of _PANELS against the number of triangles, both axes logarithmic, as an SVG."""
    parts = []
    for number, (title, field, unit) in enumerate(_PANELS):
        rows = {way: [(one["triangles"], one[field] / unit) for one in figures if one["way"] == way] for way in _COLORS}
        parts.append(f'<g transform="translate({number * _WIDTH} 0)">{_panel(title, rows)}</g>')
    size = f'width="{len(_PANELS) * _WIDTH}" height="{_HEIGHT}"'
    style = "text { font: 11px sans-serif; fill: #444 } line { stroke: #ccc }"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{style}</style>'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _panel(title: str, rows: dict[str, list[tuple[float, float]]]) -> str:
    """Draw the curves of one panel, with a grid of powers of ten."""
    points = [point for curve in rows.values() for point in curve]
    spans = [_decades([point[axis] for point in points]) for axis in (0, 1)]
    ends = [(_MARGIN, _WIDTH - 14), (_HEIGHT - 34, 30)]

    def placed(axis: int, value: float) -> float:
        (low, high), (begin, end) = spans[axis], ends[axis]
        return begin + (math.log10(value) - low) / (high - low) * (end - begin)

    parts = [f'<text x="{_MARGIN}" y="18" style="font-weight: bold">{title}</text>']
    for power in range(spans[0][0], spans[0][1] + 1):
        x = placed(0, 10.0**power)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{ends[1][0]}" y2="{ends[1][1]}"/>')
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - 18}" text-anchor="middle">{_power(power)}</text>')
    for power in range(spans[1][0], spans[1][1] + 1):
        y = placed(1, 10.0**power)
        parts.append(f'<line x1="{ends[0][0]}" x2="{ends[0][1]}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{_MARGIN - 5}" y="{y + 4:.1f}" text-anchor="end">{_power(power)}</text>')
    for row, (way, curve) in enumerate(rows.items()):
        places = " ".join(f"{placed(0, x):.1f},{placed(1, y):.1f}" for x, y in curve)
        parts.append(f'<polyline points="{places}" fill="none" stroke="{_COLORS[way]}" stroke-width="2"/>')
        y = 44 + 15 * row
        parts.append(f'<text x="{_MARGIN + 8}" y="{y}" style="fill: {_COLORS[way]}">{_LABELS[way]}</text>')
    parts.append(f'<text x="{_WIDTH // 2}" y="{_HEIGHT - 4}" text-anchor="middle">triangles</text>')
    return "".join(parts)


def _decades(values: list[float]) -> tuple[int, int]:
    """Return the powers of ten below and above all values."""
    powers = [math.log10(value) for value in values]
    return int(min(powers) // 1), int(-(-max(powers) // 1))


def _power(power: int) -> str:
    return f'10<tspan dy="-4" font-size="8">{power}</tspan>' if power not in (0, 1) else str(10**power)


if __name__ == "__main__":
    main()
