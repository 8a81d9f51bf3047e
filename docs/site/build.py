#!/usr/bin/env python3
"""Builds the documentation site: guides, scenarios, C++ and Python reference, with a search that needs no server.

Usage: build.py SOURCE_ROOT BUILD_FOLDER VERSION OUTPUT

Needs what cmake/packages-docs.txt lists; the Python package of BUILD_FOLDER gives the Python reference and runs the
notebooks, its program flies what pages show in frames. Every warning is an error; a link to a page, a heading or a file
that is not there is one. What has not changed is not made again.
"""

import filecmp
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import flights
import notebooks
from cpp_reference import CppReference

GUIDES = {
    "First steps": ["getting-started", "tutorial", "coming-from", "command-line", "cpp", "python", "importing",
                    "troubleshooting"],
    "Notebooks": [f"notebooks/{name}" for name in ("first_flight", "own_robot", "free_flying_arm", "steering", "parameter_study")],
    "Models and scenarios": ["model-format", "scenario-format", "keys", "results", "gallery"],
    "Systems": ["constraints", "robots", "missions", "contact", "wheels", "control", "spacecraft", "drive-trains", "flexible-links"],
    "Theory": ["equations", "algebra", "subspaces", "integration", "linearization", "identification",
               "dictionary"],
    "Measured": ["verification", "work-precision", "performance"],
}
TITLES = {
    "math": "Rotations and spatial algebra", "model": "Models", "state": "States", "kinematics": "Kinematics",
    "inertia": "Inertia, momentum, energy", "dynamics": "Dynamics", "constraints": "Closed loops",
    "terramechanics": "Soils and wheels", "terrain": "Terrain", "collision": "Collision shapes", "forces": "Forces",
    "control": "Control", "system": "Systems", "analysis": "Analysis", "integration": "Simulation",
    "recording": "Recording", "reporting": "Results and reports", "loading": "Files", "scenario": "Runs of scenarios",
    "batch": "Batches",
}
SCRIPTS = pathlib.Path("/usr/share/javascript")
KATEX = SCRIPTS / "katex"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
WORD = re.compile(r"\b\w+\b")


def public_names(module):
    """Names that a Python user sees, without what the package imports for itself."""
    return sorted(name for name in dir(module) if not name.startswith("_")
                  and not inspect.ismodule(getattr(module, name)))


def declared_in(headers):
    """Names that headers declare as a function or a type."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in headers)
    text = re.sub(r"//.*", "", text)
    functions = set(re.findall(r"\b(\w+)\(", text))
    types = set(re.findall(r"\b(?:class|struct|enum class)(?:\s+SPACEDYN_EXPORT)?\s+(\w+)", text))
    return functions | types


class Stage:
    """The pages with the links that hold on the site, in a folder for Sphinx, and files that go along as they are.

    Files that stay as they were keep their time, so that Sphinx reads the others alone.
    """

    def __init__(self, root, folder, extra):
        self.root, self.folder, self.extra, self.kept = root, folder, extra, set()
        pages = [root / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "models/README.md")]
        pages += sorted((root / "docs").glob("*.md")) + sorted((root / "docs/scenarios").glob("*.md"))
        self.notebooks = sorted((root / "docs/notebooks").glob("*.ipynb"))
        self.guides = [page.resolve() for page in pages]
        self.pages = {*self.guides, *self.notebooks}
        for page in self.guides:
            self.write(page.relative_to(root), flights.framed(self.rewritten(page), page, root))

    def write(self, path, text):
        target = self.folder / path
        self.kept.add(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")

    def copy(self, file):
        target = self.folder / file.relative_to(self.root)
        self.kept.add(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or not filecmp.cmp(file, target, shallow=False):
            shutil.copy(file, target)

    def run_notebooks(self):
        """Makes a page of each notebook; the pages of its flights go along."""
        os.environ["MPLBACKEND"] = "Agg"
        folder = self.extra / "docs/notebooks"
        folder.mkdir(parents=True, exist_ok=True)
        here = os.getcwd()
        for path in self.notebooks:
            with tempfile.TemporaryDirectory() as empty:
                os.chdir(empty)
                done = notebooks.run(path)
                os.chdir(here)
            text = notebooks.as_page(done, path.stem + "_flight",
                                     lambda name, page: (folder / name).write_text(page, encoding="utf-8"))
            self.write(path.relative_to(self.root).with_suffix(".md"), text)

    def prune(self):
        """Removes what belonged to pages that are no longer there."""
        for path in self.folder.rglob("*"):
            if path.is_file() and path not in self.kept:
                path.unlink()

    def rewritten(self, page):
        """Pictures come along; a link to a file of the tree that is no page becomes its text."""

        def link(match):
            bang, text, target = match.groups()
            if "://" in target or target.startswith("#"):
                return match.group(0)
            file = (page.parent / target.split("#")[0]).resolve()
            if not file.exists():
                raise SystemExit(f"{page}: the link to {target} leads nowhere")
            if bang or file.suffix in (".svg", ".png", ".jpg", ".html"):
                self.copy(file)
                return match.group(0)
            return match.group(0).replace(".ipynb", ".md") if file in self.pages else text

        parts = re.split(r"(^```.*?^```)", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        parts[::2] = [LINK.sub(link, part) for part in parts[::2]]
        parts[1::2] = [re.sub(r"^```math$", "```{math}", part, flags=re.M) for part in parts[1::2]]
        return "".join(parts)


def collect_site_files(source, folder):
    """What pages load besides: KaTeX with its fonts, and what calls it."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "katex").mkdir(parents=True)
    for name in ("katex.min.js", "katex.min.css"):
        shutil.copy2(KATEX / name, folder / "katex")
    shutil.copytree(KATEX / "fonts", folder / "katex/fonts")
    for name in ("formulas.js", "formulas.css", "frames.css"):
        shutil.copy2(source / name, folder)


def toctree(caption, pages):
    body = "\n".join(pages)
    return f"```{{toctree}}\n:hidden:\n:caption: {caption}\n:maxdepth: 1\n\n{body}\n```\n\n"


def write_index(stage):
    text = "```{include} README.md\n```\n\n"
    for caption, names in GUIDES.items():
        text += toctree(caption, [f"docs/{name}" for name in names])
    scenarios = sorted(path.stem for path in (stage.root / "docs/scenarios").glob("*.md"))
    text += toctree("Scenarios", [f"docs/scenarios/{name}" for name in scenarios])
    text += toctree("Reference", [f"reference/{name}" for name in TITLES] + ["reference/python"])
    text += toctree("Project", ["CHANGELOG", "CONTRIBUTING", "models/README"])
    stage.write("index.md", text)


def python_entries(module, names):
    text = ""
    for name in names:
        kind = "autoclass" if inspect.isclass(getattr(module, name)) else "autofunction"
        if not callable(getattr(module, name)):
            kind = "autodata"
        text += f".. {kind}:: spacedyn.{name}\n"
        text += "   :members:\n\n" if kind == "autoclass" else "\n"
    return text


def write_reference(stage, module, reference):
    """A page for each folder of headers: C++, then what has the same names in Python."""
    left = public_names(module)
    for folder, title in TITLES.items():
        headers = sorted((stage.root / "include/spacedyn" / folder).glob("*.hpp"))
        declared = declared_in(headers)
        mine = [name for name in left if name in declared]
        left = [name for name in left if name not in declared]
        text = f"{title}\n{'=' * len(title)}\n\nC++\n---\n\n"
        for header in headers:
            name = f"spacedyn/{folder}/{header.name}"
            if reference.header(name):
                text += f"{name}\n{'~' * len(name)}\n\n{reference.header(name)}\n"
        if mine:
            text += "Python\n------\n\n" + python_entries(module, mine)
        stage.write(f"reference/{folder}.rst", text)
    text = "More in Python\n==============\n\nWhat has no counterpart of its name in C++.\n\n"
    text += python_entries(module, left)
    for name, part in sorted(inspect.getmembers(module, inspect.ismodule)):
        if hasattr(part, "__all__") and not name.startswith("_"):
            text += f"spacedyn.{name}\n{'-' * len('spacedyn.' + name)}\n\n.. automodule:: spacedyn.{name}\n   :members:\n\n"
    stage.write("reference/python.rst", text)


def settle_theme(static):
    """Makes the theme work as its package does not: its script is a module, which browsers do not load from files; its
    style sheet takes another one from the root of the server, and lacks the colors of readers who prefer dark pages."""
    script, sheet = static / "scripts/furo.js", static / "styles/furo.css"
    text, modules = re.subn(r"^import Gumshoe from [^\n]*\n", "", script.read_text(encoding="utf-8"))
    if modules:
        script.write_text((static / "scripts/gumshoe-patched.js").read_text(encoding="utf-8") + text, encoding="utf-8")
    text = sheet.read_text(encoding="utf-8")
    if "/javascript/normalize.css/" in text:
        shutil.copy(SCRIPTS / "normalize.css/normalize.css", sheet.parent)
        text = text.replace("/javascript/normalize.css/", "")
    if "prefers-color-scheme" not in text:
        dark = re.search(r'body\[data-theme="dark"\] (\{[^{}]*--color-background-primary[^{}]*\})', text).group(1)
        text += f'\n@media screen and (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {dark} }}\n'
    sheet.write_text(text, encoding="utf-8")


def run(*command, **keywords):
    subprocess.run([str(part) for part in command], check=True, **keywords)


def main():
    root, build, version, output = sys.argv[1:]
    root, build, output = pathlib.Path(root).resolve(), pathlib.Path(build).resolve(), pathlib.Path(output).resolve()
    run("doxygen", build / "Doxyfile", cwd=root)
    xml = build / "docs/xml"
    package = build / "python"
    sys.path.insert(0, str(package))
    sys.dont_write_bytecode = True
    import spacedyn

    extra = build / "docs/extra"
    shutil.rmtree(extra, ignore_errors=True)
    stage = Stage(root, build / "docs/pages", extra)
    flights.Flights(root, build, extra).fly(stage.guides)
    stage.run_notebooks()
    write_index(stage)
    write_reference(stage, spacedyn, CppReference(xml, root / "include"))
    stage.prune()
    collect_site_files(root / "docs/site", build / "docs/site_files")
    environment = dict(os.environ, SPACEDYN_PYTHON_PACKAGE=str(package), SPACEDYN_VERSION=version,
                       SPACEDYN_SITE_FILES=str(build / "docs/site_files"), SPACEDYN_EXTRA=str(extra),
                       PYTHONDONTWRITEBYTECODE="1")
    run("sphinx-build", "-q", "-W", "--keep-going", "-j", "2", "-c", root / "docs/site", "-d",
        build / "docs/doctrees", stage.folder, output, env=environment)
    settle_theme(output / "_static")
    print(output / "index.html")


main()
