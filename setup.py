"""Find the packages, and put two folders of the checkout inside viewer: pyproject.toml cannot say so."""

from setuptools import find_packages, setup

FOUND = find_packages(include=["octree*", "scene*", "viewer*"])
# This way the program finds its shaders and its sample scene alike in the checkout and in a wheel.
INSIDE_VIEWER = {"viewer.assets": "assets", "viewer.shaders": "shaders"}

# So that a desktop on Linux opens files with it; below the folder that it is installed to, such as /usr.
ON_LINUX = [
    ("share/applications", ["assets/linux/octoscope.desktop"]),
    ("share/mime/packages", ["assets/linux/octoscope.xml"]),
    ("share/icons/hicolor/scalable/apps", ["assets/linux/octoscope.svg"]),
]

setup(packages=[*FOUND, *INSIDE_VIEWER], package_dir=INSIDE_VIEWER, data_files=ON_LINUX)
