"""Small OBJ texts that together hold all that the reader knows, right and wrong: to be cut, mangled and compared."""

from __future__ import annotations

from tests.scene.formats.obj.texts import SQUARE

CORPUS: dict[str, str] = {
    "everything": f"""# made by hand
mtllib a.mtl b c.mtl
o first object
{SQUARE}v 0.5 2e0 -1.25E-3 1 0 0.5
vt 0 0
vt 1 0 0
vt .5
vn 0 0 1
vn 0 3 4
usemtl red
s 1
f 1/1/1 2/2/1 3/3/1
f -5 -4 -3 -2
f 1//1 2//2 3//1 4//2 5//1
g left wall
s off
f 1/1 2/2 3/1 # behind
usemtl
l 1 2 3 4 1
g right \\
 wall
p 1 2 -1
usemtl blue
f 5 4 \\
 3 \\
 2
o second

v 1 2 3 4
curv 0 1 1 2
f 1 2 6
""",
    "interleaved": "".join(f"v {k} 0 0\nv {k} 1 0\nv {k} 0 1\nvt 0.{k} 0\nf -3/-1 -2/-1 -1/-1\n" for k in range(12)),
    "concave": """v 0 0 0
v 2 0 0
v 2 1 0
v 1 1 0
v 1 2 0
v 0 2 0
s 3
f 1 2 3 4 5 6
f -6 -5 -4 -3 -2 -1
f 6 5 4 3 2 1
s 4
f 1 2 3
""",
    "faults": f"""{SQUARE}v nan 0 0
v 1 2
v x y z
v 0,5 0 0
v
vt
vt a
vn 1 0
vn inf 0 0
v 0 0 0 2
v 0 0 0 a
v 0 0 0 1 0
f 1 2 3
f 1 2
f
f 1 2 99
f 1/7 2/8 3/9
f 1//7 2//8 3//9
f 0 1 2
f 1 2 5
f 1 2 x
f 1/1/1/1 2 3
f 1 2 3 4 77777777777777777777
f -99 1 2
l 1
l 1 99
l 0 1
l a b
p 99
p 0
p z
keyword with words
another \\
 one
\\
usemtl nowhere
o empty
g empty too
f 1 3 4
""",
    "colors": "".join(f"v {k} {k * k} 1 {k % 2} 0.5 {1 - k % 2}\nv {k} 0 0\n" for k in range(8))
    + "f 1 2 3\nl 4 5\np 6\n",
    "vertices alone": "o a\nv 0 0 0\nv 1 0 0\no b\nv 2 0 0\ng c\nv inf 0 0\nv 4 0 0\n",
    "many small objects": SQUARE
    + "".join(f"o {k}\ng {k}\ns {k % 3}\nusemtl m{k % 4}\nf 1 2 {k % 3 + 2}\n" for k in range(40)),
    "names": SQUARE
    + "".join(f"o {name}\nf 1 2 3\n" for name in ("", "a", "é" * 40, "屋根 🙂", "x" * 300, "# no", "a\\ b", "\t")),
    "numbers": """v 1. .5 -0
v +1e0 1E-2 00001
v 1e-400 123456789012345678901234567890 1e22
v 4.9e-324 1.5e300 -1e300
v 0.1000000000000000055511151231257827 9007199254740993 1e23
f 1 2 3 4 5
""",
    "a polygon of many corners": "".join(f"v {k} {k % 2} {k % 5}\n" for k in range(66))
    + "f "
    + " ".join(map(str, range(1, 67))),
    "points and lines": SQUARE + "l 1 2\nl 2 3 4\np 1\np 2 3\nl -1/-1 -2\nl 1/ 2/\n" * 5,
    "smoothing": SQUARE + "v 0 0 1\nv 1 0 1\ns 1\nf 1 2 3 4\nf 2 1 5 6\ns 2\nf 1 2 3\ns off\nf 1 4 5\ns 1\nf 2 3 6\n",
}


def in_bytes(text: str) -> dict[str, bytes]:
    """A text in other layouts and encodings."""
    return {
        "LF": text.encode(),
        "CRLF": text.replace("\n", "\r\n").encode(),
        "CR": text.replace("\n", "\r").encode(),
        "UTF-16": text.encode("utf-16"),
        "BOM": text.encode("utf-8-sig"),
        "Latin-1": text.encode("latin-1", errors="replace"),
    }
