"""Shapes of the sample scene, ``(points, faces, crease)``.

Normals are smooth across edges bent by less than ``crease`` degrees.
"""

import math
import random

import numpy as np

rng = random.Random(1897)


def loft(rings, crease=0.0):
    """Skin successive rings of points, cap both ends with strips, and turn all faces outwards."""
    rings = np.asarray(rings, float)
    m, n = rings.shape[:2]
    quads = [(i + j, i + (j + 1) % n, i + n + (j + 1) % n, i + n + j) for i in range(0, m * n - n, n) for j in range(n)]
    quads += [
        tuple(first + k for k in (a, a + 1, n - 2 - a, n - 1 - a)[::step])
        for first, step in ((0, -1), (m * n - n, 1))
        for a in range((n - 1) // 2)
    ]
    points, index = np.unique(rings.reshape(-1, 3).round(5), axis=0, return_inverse=True)
    index = index.ravel().tolist()
    faces = [f for f in (tuple(dict.fromkeys(index[k] for k in q)) for q in quads) if len(f) > 2]
    volume = sum(np.linalg.det(points[[f[0], f[k], f[k + 1]]]) for f in faces for k in range(1, len(f) - 1))
    return points, faces if volume > 0 else [f[::-1] for f in faces], crease


def box(sx, sy, sz, x=0.0, y=0.0, z=0.0, taper=1.0):
    """A box standing on height y, centred in x and z; ``taper`` scales its top."""
    square = np.array([(-sx, 0, -sz), (sx, 0, -sz), (sx, 0, sz), (-sx, 0, sz)]) / 2
    return loft([square + np.array((x, y, z)), square * taper + np.array((x, y + sy, z))])


def extrude(outline, half, parts=1):
    """An outline in (z, y), drawn along x from -half to half."""
    return loft([[(x, y, z) for z, y in outline] for x in np.linspace(-half, half, parts + 1)])


def around(n, r=1.0):
    """The n corners (x, 0, z) of a regular polygon."""
    return np.array([(r * math.cos(a), 0, r * math.sin(a)) for a in np.arange(n) * math.tau / n])


def lathe(profile, n=10, crease=62.0, rough=0.0):
    """Revolve (radius, height) pairs about the Y axis, with a regular or a ragged outline."""
    outline = around(n) * [[1 + rng.uniform(-rough, rough)] for _ in range(n)]
    return loft([r * outline + (0, y, 0) for r, y in profile], crease)


def beam(a, b, r=0.06, end=None, n=6):
    """A straight rod from a to b."""
    frame = np.array([u := np.cross(np.subtract(b, a), (3, 1, 2)), (0, 0, 0), np.cross(np.subtract(b, a), u)])
    side = around(n) @ (frame / np.linalg.norm(frame, axis=1, keepdims=True).clip(1e-9))
    return loft([a + r * side, b + (r if end is None else end) * side], 62.0)


def place(shape, at=(0, 0, 0), yaw=0.0):
    """The shape turned by ``yaw`` degrees about Y (90 takes its +Z to +X), then moved."""
    c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    return shape[0] @ [(c, 0, -s), (0, 1, 0), (s, 0, c)] + np.array(at, float), *shape[1:]


def corner_normals(points, faces, crease):
    """Yield, for each face, the unit normals of its corners: smooth where faces meet at less than `crease` degrees."""
    areas = [np.cross(points[f[2]] - points[f[0]], points[f[-1]] - points[f[1]]) for f in faces]
    units, users, limit = [a / np.linalg.norm(a) for a in areas], {}, math.cos(math.radians(crease)) + 1e-6
    for k, i in ((k, i) for k, face in enumerate(faces) for i in face):
        users.setdefault(i, []).append(k)
    for k, face in enumerate(faces):
        sums = [sum((areas[q] for q in users[i] if q != k and units[q] @ units[k] > limit), areas[k]) for i in face]
        yield [s / np.linalg.norm(s) for s in sums]
