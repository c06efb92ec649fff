"""What pyproject.toml cannot say: the packages are found, and two folders of the checkout join them inside viewer."""

from setuptools import find_packages, setup

FOUND = find_packages(include=["octree*", "scene*", "viewer*"])
# So the program finds its shaders and its sample scene the same way from the checkout and from a wheel.
INSIDE_VIEWER = {"viewer.assets": "assets", "viewer.shaders": "shaders"}

setup(packages=[*FOUND, *INSIDE_VIEWER], package_dir=INSIDE_VIEWER)
