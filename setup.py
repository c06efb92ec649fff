"""Find the packages: in a wheel the folders of the checkout lie inside octoscope; pyproject.toml cannot say so."""

from setuptools import find_packages, setup

FOLDERS = ("assets", "octree", "scene", "shaders", "viewer")
FOUND = find_packages(include=[f"{folder}*" for folder in FOLDERS])
PACKAGES = ["octoscope", *(f"octoscope.{package}" for package in FOUND)]

# So that a desktop on Linux opens files with it; below the folder that it is installed to, such as /usr.
ON_LINUX = [
    ("share/applications", ["assets/linux/octoscope.desktop"]),
    ("share/mime/packages", ["assets/linux/octoscope.xml"]),
    ("share/icons/hicolor/scalable/apps", ["assets/linux/octoscope.svg"]),
]

setup(packages=PACKAGES, package_dir={f"octoscope.{folder}": folder for folder in FOLDERS}, data_files=ON_LINUX)
