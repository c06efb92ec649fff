"""Find the packages, and put two folders of the checkout inside viewer: pyproject.toml cannot say so."""

from setuptools import find_packages, setup

FOUND = find_packages(include=["octree*", "scene*", "viewer*"])
# This way the program finds its shaders and its sample scene alike in the checkout and in a wheel.
INSIDE_VIEWER = {"viewer.assets": "assets", "viewer.shaders": "shaders"}

setup(packages=[*FOUND, *INSIDE_VIEWER], package_dir=INSIDE_VIEWER)
