"""Add to pyproject.toml the packages and compiled kernels of a wheel, and README links that work anywhere.

In a wheel the folders of the checkout lie inside octoscope. It holds the kernels as machine code for its Python, system
and family of processors; with OCTOSCOPE_WITHOUT_KERNELS=1 it holds none, and then needs numba where it is installed.
"""

import os
import re
import shutil
import sys
import sysconfig
import tomllib
from importlib import import_module
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

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


def _say(done: float) -> None:
    sys.stdout.write(f"kernels: {done:.0%}\n")


class BuildKernels(build_ext):
    """Compiles what kernel_types.txt of each package lists, by numba, and links it by the system's compiler."""

    def build_extension(self, ext: Extension) -> None:
        """Make the library; files of a kernel that are there already are used again."""
        import numpy as np  # only here: nothing but a wheel needs it

        self._require_compiler()
        sys.path.insert(0, str(Path(__file__).parent.resolve()))
        builder = import_module("octoscope.octree.jit.builder")
        folder = Path(self.build_temp).resolve() / f"kernels-{sys.implementation.cache_tag}"
        folder.mkdir(parents=True, exist_ok=True)
        source, objects = builder.write_parts(folder, builder.OF_A_WHEEL, _say)
        # A path below the present folder: the compiler's output goes to the same place below build_temp.
        ext.sources, ext.extra_objects = [os.path.relpath(source)], [str(file) for file in objects]
        ext.include_dirs = [np.get_include()]
        ext.libraries = [] if sys.platform == "win32" else ["m"]
        super().build_extension(ext)
        builder.check(builder.library.load(Path(self.get_ext_fullpath(ext.name))))

    def _require_compiler(self) -> None:
        """Say what is missing before minutes of compiling, not after; Microsoft's compiler is looked for elsewhere."""
        command = getattr(self.compiler, "compiler_so", None)
        headers = Path(sysconfig.get_path("include"), "Python.h")
        if command and not (shutil.which(command[0]) and headers.is_file()):
            raise SystemExit(
                f"octoscope: a wheel with compiled kernels needs a C compiler ({command[0]}) and {headers}; without "
                "them: OCTOSCOPE_WITHOUT_KERNELS=1 pip install 'octoscope[kernels]'"
            )


# A checkout compiles when it is used, for the processor that it is on.
has_kernels = "bdist_wheel" in sys.argv and os.environ.get("OCTOSCOPE_WITHOUT_KERNELS", "") in ("", "0")

setup(
    long_description=readme(),
    long_description_content_type="text/markdown",
    packages=PACKAGES,
    package_dir={f"octoscope.{folder}": folder for folder in FOLDERS},
    data_files=ON_LINUX,
    ext_modules=[Extension("octoscope.octree.jit.octoscope_kernels", [])] if has_kernels else [],
    cmdclass={"build_ext": BuildKernels},
)
