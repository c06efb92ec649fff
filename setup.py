"""What pyproject.toml cannot say: in a wheel the folders of the checkout lie inside octoscope; the README's links."""

import re
import tomllib
from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).parent
FOLDERS = ("assets", "docs", "octree", "scene", "shaders", "viewer")
FOUND = find_packages(include=[f"{folder}*" for folder in FOLDERS])
PACKAGES = ["octoscope", "octoscope.docs", *(f"octoscope.{package}" for package in FOUND)]  # docs holds pages alone


def readme() -> str:
    """Return the README with links that work where there is no repository beside it, as on the page of an index."""
    source = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Source"]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"(!\[[^]]*\]\()(?!https:)", rf"\1{source}/raw/main/", text)
    return re.sub(r"(\]\()(?!https:)", rf"\1{source}/blob/main/", text)


# So that a desktop on Linux opens files with it; below the folder that it is installed to, such as /usr.
ON_LINUX = [
    ("share/applications", ["assets/linux/octoscope.desktop"]),
    ("share/mime/packages", ["assets/linux/octoscope.xml"]),
    ("share/icons/hicolor/scalable/apps", ["assets/linux/octoscope.svg"]),
]

setup(
    long_description=readme(),
    long_description_content_type="text/markdown",
    packages=PACKAGES,
    package_dir={f"octoscope.{folder}": folder for folder in FOLDERS},
    data_files=ON_LINUX,
)
