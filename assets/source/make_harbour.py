"""Write Octoscope's sample scene: ``harbour.obj`` and ``harbour.mtl``, a fishing village at dusk.

``python make_harbour.py`` rewrites both in assets/, byte for byte the same each time.  All of it is modelled here;
nothing is copied.  Right-handed, Y up, metres, water at y = 0: an L-shaped island lies along -X and -Z around a basin
that opens to +X +Z, its best side.

An object alternates materials and shapes (`shapes.py`; or lists of them); a material may also be a function of a face's
centre, in the coordinates its shape was made in.
"""

import math
from pathlib import Path

import numpy as np
from shapes import around, beam, box, corner_normals, extrude, lathe, loft, place, rng

HALF, QUAY = 40.0, 1.45  # half the side of the square the scene stands on; height of the quay's paving
objects = {}  # name: [(material of each face, points, faces, crease)]
surfaces = []  # the terrain's triangles
taken = [(26.8, -13.2, 5.5)]  # circles (x, z, radius) where no tree may grow
UP = np.array((0.0, 1.0, 0.0))
xyz = "{:z.4f} {:z.4f} {:z.4f}".format  # without negative zeros

MATERIALS = {  # red, green, blue, specular, shininess, further statements
    "sand": (0.89, 0.76, 0.58, 0.02, 5),
    "grass": (0.56, 0.60, 0.36, 0.02, 5),
    "seabed": (0.20, 0.33, 0.42, 0.02, 5),
    "rock": (0.47, 0.43, 0.47, 0.06, 12),
    "stone": (0.66, 0.61, 0.58, 0.06, 12),
    "gravel": (0.83, 0.74, 0.63, 0.03, 8),
    "bark": (0.38, 0.28, 0.25, 0.04, 10),
    "wood": (0.66, 0.49, 0.35, 0.06, 15),
    "cream": (0.95, 0.88, 0.75, 0.05, 12),
    "rose": (0.90, 0.68, 0.58, 0.05, 12),
    "white": (0.97, 0.94, 0.89, 0.12, 30),
    "slate": (0.36, 0.37, 0.45, 0.18, 40),
    "red": (0.78, 0.24, 0.20, 0.20, 45),
    "blue": (0.30, 0.48, 0.61, 0.20, 45),
    "pine": (0.25, 0.40, 0.34, 0.03, 8),
    "oak": (0.72, 0.60, 0.29, 0.03, 8),
    "terracotta": (0.77, 0.41, 0.29, 0.06, 14),
    "glow": (1.00, 0.84, 0.50, 0.10, 30, "Ke 0.55 0.38 0.14"),
    "water": (0.30, 0.50, 0.58, 0.45, 90, "d 0.85"),
    "glass": (0.75, 0.86, 0.88, 0.80, 160, "d 0.35"),
}


def add(name, *parts, at=(0, 0, 0), yaw=0.0):
    """Add one object: material, shape or list of shapes, material, shape, ..."""
    if name in objects:
        raise ValueError(f"two objects are called {name}")
    objects[name] = [
        ([m(s[0][list(f)].mean(0)) if callable(m) else m for f in s[1]], *place(s, at, yaw))
        for m, some in zip(parts[::2], parts[1::2], strict=True)
        for s in (some if isinstance(some, list) else [some])
    ]


def many(name, spots, *parts):
    """Add numbered copies of an object at (x, z, yaw) spots, standing on whatever is there."""
    for i, (x, z, *yaw) in enumerate(spots, 1):
        add(name.format(i), *parts, at=(x, ground(x, z), z), yaw=sum(yaw))


def write(folder):
    """Write both files."""
    obj, v, vn = "# Octoscope sample scene, see make_harbour.py\nmtllib harbour.mtl\n", 1, 1
    for name, parts in objects.items():
        vertices, normals, runs = [], {}, {}
        for kinds, points, faces, crease in parts:
            for kind, face, corners in zip(kinds, faces, corner_normals(points, faces, crease), strict=True):
                ids = [normals.setdefault(xyz(*n), len(normals)) for n in corners]
                runs.setdefault(kind, [f"\nusemtl {kind}"]).append(
                    "\nf " + " ".join(f"{v + len(vertices) + i}//{vn + n}" for i, n in zip(face, ids, strict=True))
                )
            vertices += [f"\nv {xyz(*p)}" for p in points]
        obj += "".join([f"\no {name}", *vertices, *(f"\nvn {n}" for n in normals), *map("".join, runs.values()), "\n"])
        v, vn = v + len(vertices), vn + len(normals)
    (folder / "harbour.obj").write_text(obj, newline="\n")
    mtl = "# Octoscope sample scene, see make_harbour.py\n"
    for name, (r, g, b, ks, ns, *more) in MATERIALS.items():
        mtl += "\n".join(["", f"newmtl {name}", f"Kd {xyz(r, g, b)}", f"Ks {xyz(ks, ks, ks)}", f"Ns {ns}", *more, ""])
    (folder / "harbour.mtl").write_text(mtl, newline="\n")


def shore(x, z):
    """Rough distance to the shoreline, negative inland: blended capsules (from, to, radius)."""
    p, d = x + 1j * z, 99.0
    for a, b, r in (
        (-24 - 17j, 20 - 16.5j, 11.5),
        (-17 - 24j, -16.5 + 20j, 11.5),
        (-19 - 20j, -20 - 19j, 14),
        (29 + 30j, 31 + 29j, 2.6),
        (-15 + 25j, -14 + 25j, 8),
        (26.5 - 14j, 27 - 13j, 7),
    ):
        t = np.clip(((p - a) * np.conj(b - a)).real / abs(b - a) ** 2, 0, 1)
        e = abs(p - a - t * (b - a)) - r
        k = np.clip(0.5 + (d - e) / 10, 0, 1)
        d = d + (e - d) * k - 5 * k * (1 - k)
    return d + 0.5 * np.sin(0.43 * x + 1) + 0.5 * np.sin(0.47 * z + 2)


def land(x, z):
    """Heights of the sand (beach, plateau, terrace, hill) and of the turf, which dips under it."""
    d, inland = shore(x, z), np.maximum(-x, -z)
    y = np.interp(d, (-3.5, 0, 1.5, 3.5, 5), (0.95, 0, -0.5, -2.2, -2.6))
    rise = np.interp(inland, (13.5, 15, 16.5, 18), (0, 0.6, 1.6, 2.2))
    rise += 5.0 * np.exp(-((x + 21) ** 2 + (z + 21) ** 2) / 110)
    y = y + rise * np.interp(inland, (9, 12), (0, 1)) * np.interp(-d, (2, 4, 7.5), (0, 0.3, 1))
    for px, pz, r, level in ((-21, -20.5, 4.5, 6.6), (26.8, -13.2, 2.5, 2.2)):  # level sites
        y = y + (level - y) * np.interp(np.hypot(x - px, z - pz), (r, r + 5), (1, 0))
    return y, y + np.clip(-0.22 * (d + 2.3), -0.7, 0.3)


def island(cells=45):
    """The water and its floor, and two height fields: cells of one irregular grid."""
    add("sea_floor", "seabed", box(2 * HALF, 1.2, 2 * HALF, y=-3.0))
    add("water", "water", box(2 * HALF, 1.7, 2 * HALF, y=-1.7))
    line, jitter = np.linspace(-HALF, HALF, cells + 1), np.random.RandomState(7)
    x, z = (g + jitter.uniform(-0.4, 0.4, g.shape) for g in np.meshgrid(line, line))
    low, high = land(x, z)
    inside = (low > -2) & (np.maximum(abs(x), abs(z)) < HALF - 3)
    for name, material, y, keep in (
        ("island_beach", "sand", low, inside & (high < low + 0.28)),
        ("island_meadow", "grass", high, high > low - 0.3),
    ):
        top, faces = np.stack([x, y, z], -1).reshape(-1, 3), []
        for i, j in np.ndindex(cells, cells):
            if keep[i : i + 2, j : j + 2].any():
                a, b, c, d = (k + i * (cells + 1) + j for k in (0, cells + 1, cells + 2, 1))
                faces += [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
        surfaces.append(top[np.array(faces)])
        used, index = np.unique(faces, return_inverse=True)
        add(name, material, (top[used], list(map(tuple, index.reshape(-1, 3).tolist())), 0.0))


def ground(x, z):
    """Height of the quay, the terrain or the water at one point."""
    heights = [QUAY if -9 <= min(x, z) <= -4 and -9 <= max(x, z) <= 19 else 0.0]
    for tri in surfaces:
        p = tri[:, :, 0] - x + 1j * (tri[:, :, 2] - z)
        w = (np.conj(p[:, (1, 2, 0)]) * p[:, (2, 0, 1)]).imag
        w /= w.sum(1, keepdims=True)
        heights += (w * tri[:, :, 1]).sum(1)[(w > -1e-9).all(1)].tolist()
    return max(heights)


def ribbon(points, half, top, depth):
    """A band along a rounded course through (x, z) points, its surface at height ``top(x, z)``."""
    p = np.array(points, float)
    run = np.r_[0, np.cumsum(np.hypot(*np.diff(p, axis=0).T))]
    p = np.stack([np.interp(np.arange(0, run[-1], 0.9), run, c) for c in p.T], 1)
    for _ in range(7):
        p[1:-1] = (p[:-2] + 2 * p[1:-1] + p[2:]) / 4
    side = np.gradient(p, axis=0)[:, ::-1] * (half, -half)
    side /= np.linalg.norm(side, axis=1, keepdims=True) / half
    taken.extend((x, z, half + 0.5) for x, z in p)
    return loft(
        [
            [
                (x + k * a, top(x + k * a, z + k * b) - y, z + k * b)
                for k, y in ((-1, 0), (0, 0), (1, 0), (1, depth), (0, depth), (-1, depth))
            ]
            for x, z, a, b in np.hstack([p, side])
        ],
        40.0,
    )


def builder(name, x, y, z, yaw=0.0):
    """`add` for the parts of one thing."""
    return lambda part, *parts: add(f"{name}_{part}", *parts, at=(x, y, z), yaw=yaw)


def house(name, x, z, yaw, w, d, h, wall, roof, paint, side=0):
    """A gabled house, ridge along local x; its door is on ``side`` 0 (the eaves) or 1 (a gable)."""
    k, e, top, low, r = d / 2, d / 2 + 0.3, h + 0.42 * d, h - 0.34, max(w, d) / 2
    y = 0.08 + max(ground(x + a * r, z + b * r) for a in (-1, 0, 1) for b in (-1, 0, 1))
    put = builder(name, x, y, z, yaw)
    taken.append((x, z, r + 1.2))

    def on(face, shape, along=0.0, up=0.0):
        return place(place(shape, (along, up, (k, w / 2)[face % 2])), yaw=90 * face)

    put("walls", wall, extrude([(-k, 0), (-k, h), (0, top), (k, h), (k, 0)], w / 2))
    put(
        "roof",
        roof,
        extrude([(-e, low), (0, top - 0.08), (e, low), (e, low + 0.2), (0, top + 0.16), (-e, low + 0.2)], w / 2 + 0.28),
    )
    put("door", "white", on(side, box(1.2, 2.05, 0.12, y=0.02)), paint, on(side, box(0.9, 1.85, 0.2, y=0.04)))
    put("plinth", "stone", box(w + 0.24, 2.4, d + 0.24, y=-2.4), "gravel", on(side, box(1.5, 0.9, 1, y=-0.92, z=0.1)))
    spots = [
        (f, a * (w, d)[f % 2], u)
        for f in range(4)
        for u in np.arange(0.85, h - 1.1, 2.2)
        for a in ((-0.3, 0.3) if f < 2 else (0,))
    ]
    panes = spots + [(1, 0, h - 0.1), (3, 0, h - 0.1), (0, 0, 3.05)][: 2 + (h > 4)]
    put(
        "windows",
        "white",
        [on(f, box(0.9, 1.05, 0.14), a, u) for f, a, u in panes],
        ("slate", "glow")[rng.random() < 0.7],
        [on(f, box(0.68, 0.83, 0.2, y=0.11), a, u) for f, a, u in panes],
    )
    if name != "chapel":
        put(
            "shutters",
            paint,
            [on(f, box(0.3, 1.0, 0.12), a + q, u) for f, a, u in spots if f == side for q in (-0.62, 0.62)],
        )
        put(
            "chimney",
            wall,
            box(0.6, top - h + 0.2, 0.7, 0.27 * w, h + 0.5, -0.2 * d),
            "terracotta",
            box(0.76, 0.16, 0.86, 0.27 * w, top + 0.7, -0.2 * d),
        )


def village():
    """Two rows of houses along each quay, the chapel on the hill and the lighthouse."""
    styles = (
        ("cream", "slate", "blue"),
        ("white", "slate", "red"),
        ("rose", "terracotta", "blue"),
        ("cream", "terracotta", "red"),
        ("white", "terracotta", "blue"),
    )
    for i, (x, z, yaw, tall, style, side) in enumerate(
        (
            (0.2, -12.2, 0, 1, 3, 0),
            (6.8, -12.4, 90, 0, 0, 1),
            (12.8, -12.2, 0, 1, 4, 0),
            (18.6, -12.2, 0, 0, 1, 0),
            (-12.3, -0.4, 90, 1, 2, 0),
            (-12.3, 6, 90, 0, 1, 0),
            (-12.5, 11.8, 0, 1, 3, 1),
            (-12.3, 17.6, 90, 0, 2, 0),
            (-1.6, -20.6, 0, 0, 1, 0),
            (5.2, -20.6, 0, 1, 2, 0),
            (12.4, -20.6, 90, 0, 3, 1),
            (-20.6, -2.4, 90, 0, 4, 0),
            (-20.6, 4.6, 90, 1, 1, 0),
            (-20.6, 12, 0, 0, 2, 1),
            (-13, 26, 60, 0, 1, 0),
        ),
        1,
    ):
        house(f"house_{i:02}", x, z, yaw, *((5.2, 4.6, 4.6) if tall else (4.8, 4.6, 2.7)), *styles[style], side)
    house("chapel", -20.6, -20.4, 0, 7.0, 4.8, 4.2, "white", "slate", "red", 1)
    put = builder("chapel", -25.2, ground(-25.2, -20.4), -20.4)
    put("tower", "white", box(3, 8.6, 3, y=-2), "stone", box(3.4, 0.3, 3.4, y=6.5))
    louvres = [place(box(0.9, 1.3, 0.1, 0, 7.1, 1.25), yaw=q) for q in (0, 90, 180, 270)]
    put("belfry", "white", box(2.5, 2, 2.5, y=6.8), "slate", louvres)
    put("spire", "slate", place(lathe([(2.1, 8.8), (1.9, 9.05), (0, 12)], 4, 0), yaw=45))
    put("cross", "glow", [box(0.14, 1.4, 0.14, y=11.7), box(0.16, 0.14, 0.8, y=12.5)])
    put, radius = builder("lighthouse", 26.8, ground(26.8, -13.2), -13.2), np.poly1d((-0.065, 2.0))
    for part, material, n, *profile in (
        ("base", "stone", 16, (2.9, -1.5), (2.7, 0.6), (2.5, 0.75)),
        (
            "tower",
            lambda c: ("white", "red")[int((c[1] - 0.7) / 2.2) % 2],
            20,
            *((radius(h), h) for h in np.linspace(0.7, 11.7, 6)),
        ),
        ("gallery", "slate", 20, (1.2, 11.2), (1.95, 11.7), (1.95, 11.9)),
        ("lamp", "glow", 10, (0.3, 12.2), (0.55, 12.7), (0.55, 13.2), (0.3, 13.6)),
        ("lantern", "glass", 10, (1.0, 11.85), (1.0, 13.85)),
        ("roof", "red", 16, (1.3, 13.8), (1.3, 13.95), (0.75, 14.6), (0.15, 14.9)),
        ("finial", "slate", 8, (0.06, 14.8), (0.06, 15.1), (0.2, 15.3), (0, 16.3)),
    ):
        put(part, material, lathe(profile, n))
    ring = around(10, 1.85) + 12.8 * UP
    put("railing", "slate", [beam(ring[i], p, 0.04) for i in range(10) for p in (ring[i - 1], ring[i] - 0.9 * UP)])
    put("frame", "white", [beam(p + 11.9 * UP, p + 13.9 * UP, 0.05) for p in around(6, 1.04)])
    for part, pane, h, yaw, w, tall in (
        ("door", "blue", 0.7, 40, 1, 1.9),
        ("window_1", "glow", 4.3, 55, 0.5, 0.8),
        ("window_2", "glow", 8.4, 35, 0.5, 0.8),
    ):
        out = radius(h + tall) - 0.15
        put(
            part,
            "stone",
            place(box(w + 0.3, tall + 0.25, 0.5, y=h, z=out), yaw=yaw),
            pane,
            place(box(w, tall, 0.6, y=h + 0.1, z=out), yaw=yaw),
        )


def waterfront():
    """Quays, piers, paths and the mole."""
    for i in range(8):
        long, x, z = ((7, -5.5 + 7 * i, -6.5), (5.75, -6.5, -1.125 + 5.75 * (i - 4)))[i > 3]
        taken.append((x, z, 5))
        add(
            f"quay_{i + 1}",
            "stone",
            box(long - 0.04, QUAY + 1.95, 5, y=-2.0),
            "gravel",
            box(long - 0.1, 0.2, 4.3, y=QUAY - 0.2, z=-0.3),
            at=(x, 0, z),
            yaw=90 * (i > 3),
        )
    for i, x, z, yaw, long in ((1, 14, -4, 0, 14), (2, -4, 9, 90, 12), (3, 4, -4, 0, 6)):
        put = builder(f"pier_{i}", x, 0, z, yaw)
        put("planks", "wood", [box(rng.uniform(1.9, 2.1), 0.1, 0.4, 0, 1.15, q) for q in np.arange(0.3, long, 0.46)])
        put("joists", "bark", [box(0.22, 0.28, long - 0.1, q, 0.88, long / 2 + 0.1) for q in (-0.7, 0.7)])
        for j, q in enumerate(np.arange(long - 0.4, 1, -1.6)):
            pile = place(lathe([(0.17, -2.2), (0.17, 1.65), (0.17, 1.9)], 7), (1.14 * (-1) ** j, 0, q + 0.8 * (j % 2)))
            put(f"pile_{j + 1}", lambda c: ("bark", "white")[int(c[1] > 1.7)], pile)
    for i, (name, *course) in enumerate(
        (
            ("chapel", (-8.4, -8.2), (-10, -12.5), (-14.5, -10.5), (-16.5, -13), (-13, -16), (-12.6, -20), (-16, -20)),
            ("headland", (19.2, -8), (22, -8.2), (23.2, -10.6), (24.6, -11.8)),
            ("upper", (-13, -15.4), (-4, -16.6), (8, -16.2), (19, -17), (22.8, -15.6), (23.2, -12)),
            ("western", (-15, -11.4), (-16.6, -4), (-16.2, 8), (-16.2, 18), (-13, 22.4), (-7.4, 20.4)),
        )
    ):
        add(f"path_{name}", "gravel", ribbon(course, 0.75, lambda a, b, i=i: ground(a, b) + 0.12 - i / 100, 0.5))
    add("mole_wall", "stone", ribbon([(-7.5, 26), (-3, 28), (6, 28.4), (12, 25)], 1.4, lambda a, b: 1.1, 3.0))
    many(
        "mole_beacon",
        [(10.8, 25.7)],
        lambda c: ("red", "glow")[int(3.9 < c[1] < 4.3)],
        lathe([(0.8, 1), (0.7, 1.5), (0.45, 1.51), (0.35, 3.6), (0.5, 3.85), (0.3, 3.86), (0.3, 4.4), (0, 4.8)]),
    )


def sail(tack, head, clew, belly):
    """A thin three-cornered sail between (y, z) corners, hollowed towards +X."""
    s, k = np.mgrid[0:1:5j, 0:1:5j]
    y, z = (a + (b - a) * s + (c - a) * k * (1 - 0.97 * s) for a, b, c in zip(tack, head, clew, strict=True))
    p = np.stack([belly * np.sin(math.pi * k) * (1 - s * s), y, z], -1)
    return loft(np.hstack([p, p[:, ::-1]]) + np.outer(np.repeat((0.025, -0.025), 5), (1, 0, 0)), 40.0)


def hull(long, wide, free, draft):
    """Cross-sections of a boat from its stern to its bow at +Z, port to starboard by the keel."""
    t, (x, q) = (
        np.linspace(0, 1, 8)[:, None],
        np.array(((-1, 1), (-0.95, 0.55), (-0.7, 0.15), (0, 0), (0.7, 0.15), (0.95, 0.55), (1, 1))).T,
    )
    b = wide / 2 * (0.72 + 0.28 * np.sin(np.minimum(1, t / 0.4) * math.pi / 2))
    b = b * (1 - np.maximum(0, (t - 0.4) / 0.6) ** 2.3) + 0.03
    low, high = draft * (0.8 * t**4 - 1), free * (1 + 1.2 * (t - 0.4) ** 2)
    return np.stack([b * x, low + (high - low) * q, long * (t - 0.5 + 0.12 * t**4 * (q - 0.5))], -1)


def boats():
    """Sailing boats, two of them moored with furled sails, and rowing boats."""
    for i, (x, z, yaw, k, paint, cloth) in enumerate(
        (
            (10.8, 4, 180, 7, "blue", "white"),
            (17, 5, 0, 7, "red", "cream"),
            (3, 12, 90, 7, "white", "terracotta"),
            (25, 18, 205, 8, "blue", "white"),
            (32, 3, 160, 6, "red", "cream"),
            (8, 33, 60, 6, "white", "rose"),
        ),
        1,
    ):
        put, r, m = builder(f"boat_{i}", x, 0, z, yaw), hull(k, 0.32 * k, 0.8, 0.5), 0.16 * k
        put("hull", lambda c, paint=paint: (paint, "slate")[int(c[1] < 0.1)], loft(r, 40.0))
        put("deck", "wood", loft(r[:, (0, 6, 6, 0)] * (0.84, 1, 0.93) + np.outer((-0.2, -0.2, 0.05, 0.05), UP)))
        put(
            "cabin",
            "white",
            box(m, 0.55, 0.3 * k, y=0.75, z=-0.03 * k, taper=0.86),
            "slate",
            box(m + 0.01, 0.16, 0.2 * k, y=1.0, z=-0.03 * k, taper=0.96),
        )
        put("mast", "wood", beam((0, 0.6, m), (0, 1.3 * k, m), 0.09, 0.05))
        put("boom", "wood", beam((0, 1.6, m), (0, 1.7, -0.36 * k)))
        put(
            "rigging",
            "slate",
            [
                beam((0, 1.28 * k, m), p, 0.018, n=4)
                for p in ((0, 1.05, 0.53 * k), (0, 0.9, -0.49 * k), (m, 0.8, 0.1 * k), (-m, 0.8, 0.1 * k))
            ],
        )
        put("pennant", "red", extrude([(m, 1.3 * k - 0.4), (m, 1.3 * k), (m - 0.8, 1.3 * k - 0.2)], 0.02))
        put(
            "mainsail",
            cloth,
            beam((0, 1.74, 0.8 * m), (0, 1.82, -0.34 * k), 0.17, 0.1)
            if i < 3
            else sail((1.75, m), (1.26 * k, m), (1.8, -0.34 * k), 0.09 * k),
        )
        if i > 2:
            put("jib", cloth, sail((1.2, 0.5 * k), (1.1 * k, 0.2 * k), (1.5, m), 0.06 * k))
    r = hull(3.6, 1.45, 0.42, 0.15)
    inner = r * (0.84, 1, 0.985) + np.outer((0, 0.12, 0.18, 0.22, 0.18, 0.12, 0), UP)
    shell = [loft(np.hstack([r, inner[:, ::-1]]), 40.0), loft(r[0] + [[(0, 0, 0.01)], [(0, 0, -0.07)]])]
    for i, (x, z, yaw, paint) in enumerate(
        (
            (6.2, -1.2, 175, "red"),
            (1.8, -0.4, 5, "blue"),
            (-2.5, 3.5, 0, "white"),
            (12, 15.5, 240, "oak"),
            (-4.8, 20.9, 70, "blue"),
            (-6, 23.2, 80, "red"),
        ),
        1,
    ):
        put = builder(f"rowboat_{i}", x, ground(x, z) + 0.12 * (ground(x, z) > 0), z, yaw)
        put("hull", paint, shell)
        put("benches", "wood", [box(1 - q / 10, 0.05, 0.28, 0, 0.24, q) for q in (-1.2, -0.2, 0.7)])
        put("oars", "wood", [beam((q, 0.33, -1.5), (q, 0.34, 1), 0.035, n=4) for q in (-0.3, 0.3)])


def nature():
    """Trees wherever there is room for them, and rocks along the outer shores."""
    kinds = {
        "pine": [36, 1.2, 7, 62, 0, (0.2, 0.9), (1.35, 0.7), (0.55, 2.3), (0.95, 2.1), (0, 4.3)],
        "oak": [14, 1.5, 7, 62, 0.12, (0.5, 0.9), (1.1, 1.2), (1.25, 1.8), (0.9, 2.5), (0.35, 2.8)],
        "rock": [24, 2.0, 6, 0, 0.3, (1.2, -0.9), (1, 0.05), (0.6, 0.6), (0.25, 0.75)],
    }
    for x, z in ((rng.uniform(-36, 33), rng.uniform(-36, 33)) for _ in range(6000)):
        d, hill = shore(x, z), math.hypot(x + 20, z + 20) < 15 or min(x, z) < -24
        kind = "rock" if d > -1.5 else "pine" if hill else "oak"
        left, room, n, crease, rough, *profile = kinds[kind]
        if left and not -3.3 < d < -1.5 and d < 1.8 and all(math.hypot(x - a, z - b) > r + room for a, b, r in taken):
            taken.append((x, z, room))
            kinds[kind][0] -= 1
            s, put = rng.uniform(0.8, 1.25), builder(f"{kind}_{left:02}", x, ground(x, z), z)
            put("crown" if n == 7 else "stone", kind, lathe([(r * s, h * s) for r, h in profile], n, crease, rough))
            if n == 7:
                put("trunk", "bark", box(0.34 * s, 0.6 + 1.3 * s, 0.34 * s, y=-0.6, taper=0.6))


def details():
    """Lamps, bollards, stalls, cargo, buoys, fences and gulls."""
    posts = [(c, -4.75) for c in (-0.3, 5.4, 11.6, 18.3)] + [(-14.6, -22), (24, -9.4)]
    posts += [(z, x) for x, z in posts[:4]]
    many("lamp_{}_post", posts, "slate", lathe([(0.2, -0.4), (0.12, 0.4), (0.06, 2.72)], 6))
    many("lamp_{}_head", posts, "glow", lathe([(0.14, 2.7), (0.2, 3.1)], 6), "slate", lathe([(0.3, 3.1), (0, 3.4)], 6))
    spots = [(c, -4.4) for c in (-2, 1.5, 7, 10.5, 17.5)]
    many("bollard_{}", spots + [(b, a) for a, b in spots], "slate", lathe([(0.2, -0.1), (0.15, 0.4), (0.3, 0.5)], 6))
    spots = (3.4, -7.5, 0), (9.6, -7.5, 0), (-7.5, 2.6, 90), (-7.5, 8.8, 90)
    many(
        "stall_{}_frame",
        spots,
        "wood",
        box(2.1, 0.85, 0.9),
        "bark",
        [box(0.1, 2.26 - 0.16 * b, 0.1, a, 0, b) for a in (-1.1, 1.1) for b in (-0.8, 0.8)],
    )
    many(
        "stall_{}_awning",
        spots,
        lambda c: ("red", "white")[round(c[0] / 0.4 + 9) % 2],
        extrude([(-1, 2.42), (1.2, 2.06), (1.2, 2.13), (-1, 2.5)], 1.4, 7),
    )
    spots = (8, -5.6), (12.6, -7.6), (15.4, -5.7), (-6.4, 12.6), (-7.9, 15), (-6.2, 0.6), (-3, -8)
    many(
        "barrel_{}",
        spots,
        lambda c: ("wood", "slate")[int(abs(abs(c[1] - 0.52) - 0.25) < 0.04)],
        lathe([(0.32, 0), (0.39, 0.22), (0.4, 0.32), (0.4, 0.72), (0.39, 0.82), (0.32, 1.04)], 7),
    )
    many(
        "crate_{}",
        [(x + 1.1, z + 0.2, rng.uniform(-25, 25)) for x, z in spots],
        "wood",
        box(0.84, 0.76, 0.84),
        "bark",
        [box(0.92, 0.1, 0.92, y=h) for h in (0.06, 0.6)],
    )
    many(
        "buoy_{}",
        ((18, 25), (24, 10), (20, 31)),
        lambda c: ("red", "white")[int(0.3 < c[1] < 0.8)],
        lathe([(0.3, -0.3), (0.5, 0.1), (0.46, 0.4), (0.2, 0.75), (0.12, 1.4), (0, 1.5)], 8),
    )
    for i, (a, b, c, d) in enumerate(((-17, 20.6, -23, 19.4), (-24.4, 1, -24.2, 12), (23.8, -17.4, 23.4, -22.4)), 1):
        line = np.array([(x, ground(x, z), z) for x, z in np.linspace((a, b), (c, d), 6)])
        rails = [beam(line[k] + h * UP, line[k + 1] + h * UP, 0.045, n=4) for k in range(5) for h in (0.4, 0.8)]
        add(f"fence_{i}", "wood", [box(0.16, 1.4, 0.16, x, y - 0.4, z) for x, y, z in line], "white", rails)
    for i, (x, y, z, yaw) in enumerate(
        ((3, 0, -5, 200), (18, 0, -6, 30), (-4.6, 0, 16, 110), (16, 8, 14, 40), (19, 9, 9, 70), (4, 7, 17, 10)), 1
    ):
        wings = extrude([(-0.2, 0.2), (0.1, 0.2), (0, 0.26)], 0.65 if y else 0.13, 2)
        wings[0][:, 1] += 0.35 * abs(wings[0][:, 0])
        body = [beam((0, 0.16, -0.3), (0, 0.2, 0.12), 0.04, 0.12), beam((0, 0.16, 0.06), (0, 0.34, 0.3), 0.12, 0.05)]
        add(f"gull_{i}", "slate", wings, "white", body, at=(x, QUAY + y - 0.06, z), yaw=yaw)


if __name__ == "__main__":
    for build in (island, village, waterfront, boats, nature, details):
        build()
    write(Path(__file__).resolve().parents[1])
