"""Makes the wheel for `pip install .` (PEP 517): CMake builds module and library, this packs them.

It uses the standard library alone, because pip's isolated environments hold nothing else without a network. The
build folder is kept, so that a second installation takes seconds. SPACEDYN_JOBS=N sets the number of parallel
compiler processes. pip shows nothing of what a backend prints: progress goes to the terminal itself.
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


def environment():
    # pip hides what is installed behind this variable; numpy is wanted to write the types
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


def check_needs():
    """Refuses at once what would fail after minutes."""
    if shutil.which("cmake") is None:
        raise SystemExit("cmake is missing: install the packages of cmake/packages.txt, or run ./quickstart")
    numpy = subprocess.run([sys.executable, "-c", "import numpy"], env=environment(), capture_output=True)
    if numpy.returncode != 0:
        raise SystemExit(f"{sys.executable} has no numpy: install python3-numpy and make the environment with "
                         "'python3 -m venv --system-site-packages', or run 'pip install numpy' in it first")


def show(text):
    """Writes over the last line of the terminal, if there is one."""
    try:
        with open("/dev/tty", "w", encoding="utf-8") as terminal:
            terminal.write(f"\r\033[K{text}")
    except OSError:
        pass


def run(*command):
    print("+", " ".join(command), flush=True)
    with subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace") as child:
        for line in child.stdout:
            print(line, end="", flush=True)
            step = re.match(r"\[\s*(\d+)(?:/(\d+)|%)\]", line)  # of ninja, of make
            if step:
                show(f"spacedyn: compiling, {step[1]} of {step[2]} steps" if step[2] else
                     f"spacedyn: compiling, {step[1]} %")
    show("")
    if child.returncode != 0:
        raise SystemExit(f"{command[0]} failed; the packages of cmake/packages.txt must be installed: run ./quickstart")


def build(staging):
    """Builds the package and installs it below a folder."""
    check_needs()
    folder = ROOT / "build" / ("python-" + TAG)
    cache = folder / "CMakeCache.txt"
    if cache.exists() and f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" not in cache.read_text(encoding="utf-8"):
        shutil.rmtree(folder)
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", "-S", str(ROOT), "-B", str(folder), *generator, "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_UNITY_BUILD=ON", "-DSPACEDYN_BUILD_APPS=ON", "-DSPACEDYN_BUILD_BENCHMARKS=OFF",
        "-DSPACEDYN_BUILD_TESTS=OFF", "-DSPACEDYN_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}", "--log-level=WARNING")
    run("cmake", "--build", str(folder), "--parallel", jobs(), "--target", "spacedyn_python", "spacedyn_cli")
    run("cmake", "--install", str(folder), "--prefix", str(staging), "--component", "python")
    return folder


def info_files():
    """What stands beside the package, by name."""
    return {
        "METADATA": metadata(),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: spacedyn\nRoot-Is-Purelib: false\nTag: {TAG}\n",
        "LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8"),
        "entry_points.txt": f"[console_scripts]\nspacedyn = {NAME}.__main__:main\n",
    }


class Wheel:
    """A zip file with a record of its files."""

    def __init__(self, path):
        self._file = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._record = []
        self._info = info_folder()

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
        for name, text in info_files().items():
            self.add(f"{info}/{name}", text.encode())
        self._file.writestr(zipfile.ZipInfo(f"{info}/RECORD", TIME), "".join(self._record) + f"{info}/RECORD,,\n")
        self._file.close()


def info_folder():
    return f"{NAME}-{version()}.dist-info"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """What pip asks for first: without it, it would build a whole wheel to find out, and say nothing."""
    check_needs()
    folder = pathlib.Path(metadata_directory) / info_folder()
    folder.mkdir(parents=True)
    for name, text in info_files().items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


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
