"""`octoscope info --checks`: what is wrong with meshes, in figures."""

import pytest

from tests.viewer.cli.cli_steps import TRIANGLE, box

pytestmark = pytest.mark.usefixtures("in_folder")


@pytest.fixture
def holed(write):
    """Two boxes; the second lacks its last face."""
    first, second = box("whole", (0, 0, 0)), box("holed", (5, 0, 0), first=8)
    return write("holed.obj", first + second.rstrip().rsplit("\n", 1)[0] + "\n")


def test_json_holds_all_faults_with_places(holed, facts):
    checks = facts("info", holed, "--checks")["checks"]
    (opened,) = (each for each in checks if each["kind"] == "open edges")
    assert opened["path"] == "holed.obj/holed" and opened["id"] == 2 and opened["count"] in (3, 4)
    assert all(abs(number - middle) <= 1.0 for number, middle in zip(opened["point"], (5, 0, 0), strict=True))
    assert not any(each["kind"] == "open edges" and each["id"] == 1 for each in checks)
    assert "checks" not in facts("info", holed)


def test_people_are_told_in_lines(holed, write, run):
    status, out, err = run("info", holed, "--checks")
    assert (status, err) == (0, [])
    (line,) = (line for line in out.splitlines() if line.startswith("open edges: "))
    assert " of holed.obj/holed, such as at (" in line
    many = write("many.obj", "".join(f"o t{i}\n{TRIANGLE}" for i in range(8)))
    assert "open edges: and 3 more objects; --json lists them all" in run("info", many, "--checks")[1].splitlines()
    whole = write("whole.obj", "vn 0 0 1\n" + box("whole", (0, 0, 0)))
    assert "open edges" not in run("info", whole, "--checks")[1]
