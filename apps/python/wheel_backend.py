"""Makes the wheel for `pip install .` (PEP 517): CMake builds module and library, this packs them.

It uses the standard library alone, because pip's isolated environments hold nothing else without a network. The
build folder is kept, so that a second installation takes seconds. SPACEDYN_JOBS=N sets the number of parallel
compiler processes.
"""

import base64
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "spacedyn"
TAG = "cp{0.major}{0.minor}-cp{0.major}{0.minor}-{1}".format(
    sys.version_info, re.sub(r"[-.]", "_", sysconfig.get_platform()))
# equal files at equal times, so that equal builds give equal wheels
TIME = (1980, 1, 1, 0, 0, 0)


def version():
    """The version of the library, which CMakeLists.txt states."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(spacedyn VERSION ([\d.]+)", text).group(1)


def metadata():
    lines = [
        "Metadata-Version: 2.1", f"Name: {NAME}", f"Version: {version()}",
        "Summary: Floating-base multibody dynamics: free-flying robots, satellites with arms and appendages",
        "License: " + (ROOT / "LICENSE").read_text(encoding="utf-8").split("\n", 1)[0],
        "Requires-Python: >=3.9", "Requires-Dist: numpy", "Provides-Extra: plot",
        'Requires-Dist: matplotlib; extra == "plot"', "Provides-Extra: pandas",
        'Requires-Dist: pandas; extra == "pandas"', "Description-Content-Type: text/markdown", "",
    ]
    return "\n".join(lines) + "\n" + (ROOT / "README.md").read_text(encoding="utf-8")


def jobs():
    """Two gigabytes of memory for each compiler process, at least one process."""
    if os.environ.get("SPACEDYN_JOBS"):
        return os.environ["SPACEDYN_JOBS"]
    try:
        memory = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**31
    except (ValueError, OSError):
        memory = 4
    return str(max(1, min(os.cpu_count() or 1, memory)))


def run(*command):
    print("+", " ".join(command), flush=True)
    # pip hides what is installed behind this variable; numpy is wanted to write the types
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if subprocess.run(command, cwd=ROOT, env=environment).returncode != 0:
        raise SystemExit(f"{command[0]} failed; the packages of cmake/packages.txt and pybind11-dev, python3-dev and "
                         "python3-numpy must be installed")


def build(staging):
    """Builds the package and installs it below a folder."""
    if shutil.which("cmake") is None:
        raise SystemExit("cmake is missing: install the packages of cmake/packages.txt, or run ./quickstart")
    folder = ROOT / "build" / ("python-" + TAG)
    cache = folder / "CMakeCache.txt"
    if cache.exists() and f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" not in cache.read_text(encoding="utf-8"):
        shutil.rmtree(folder)
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", "-S", str(ROOT), "-B", str(folder), *generator, "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_UNITY_BUILD=ON", "-DSPACEDYN_BUILD_APPS=OFF", "-DSPACEDYN_BUILD_TESTS=OFF",
        "-DSPACEDYN_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}", "--log-level=WARNING")
    run("cmake", "--build", str(folder), "--parallel", jobs(), "--target", "spacedyn_python")
    run("cmake", "--install", str(folder), "--prefix", str(staging), "--component", "python")
    return folder


class Wheel:
    """A zip file with a record of its files."""

    def __init__(self, path):
        self._file = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._record = []
        self._info = f"{NAME}-{version()}.dist-info"

    def add(self, name, data, mode=0o644):
        entry = zipfile.ZipInfo(name, TIME)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._file.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(data)}\n")

    def add_folder(self, folder):
        # a zip file has no links: of a library and its links the one that the loader asks for is kept
        linked = {path.resolve() for path in folder.rglob("*") if path.is_symlink()}
        for path in sorted(folder.rglob("*")):
            if path.is_file() and (path.is_symlink() or path.resolve() not in linked):
                self.add(str(path.relative_to(folder)), path.read_bytes(), path.stat().st_mode & 0o777)

    def close(self):
        info = self._info
        self.add(f"{info}/METADATA", metadata().encode())
        self.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: spacedyn\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode())
        self.add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())
        self._file.writestr(zipfile.ZipInfo(f"{info}/RECORD", TIME), "".join(self._record) + f"{info}/RECORD,,\n")
        self._file.close()


def wheel_name():
    return f"{NAME}-{version()}-{TAG}.whl"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as staging:
        build(staging)
        wheel = Wheel(pathlib.Path(wheel_directory) / wheel_name())
        wheel.add_folder(pathlib.Path(staging))
        wheel.close()
    return wheel_name()


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Points to the build folder; building there again is all that a change of C++ needs."""
    with tempfile.TemporaryDirectory() as staging:
        folder = build(staging)
    wheel = Wheel(pathlib.Path(wheel_directory) / wheel_name())
    wheel.add(f"{NAME}.pth", f"{folder / 'python'}\n".encode())
    wheel.close()
    return wheel_name()


def build_sdist(sdist_directory, config_settings=None):
    """The files that git knows."""
    name = f"{NAME}-{version()}"
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.split(b"\0")
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file in sorted(filter(None, files)):
            archive.add(ROOT / os.fsdecode(file), f"{name}/{os.fsdecode(file)}", recursive=False)
        entry = tarfile.TarInfo(f"{name}/PKG-INFO")
        text = metadata().encode()
        entry.size = len(text)
        archive.addfile(entry, io.BytesIO(text))
    return f"{name}.tar.gz"
