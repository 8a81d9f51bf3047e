#!/usr/bin/env python3
"""Builds the documentation site: guides, scenarios, C++ and Python reference, with a search that needs no server.

Usage: build.py SOURCE_ROOT BUILD_FOLDER VERSION OUTPUT

Needs doxygen, sphinx-build, furo, myst-parser and KaTeX; the Python package of BUILD_FOLDER gives the Python
reference. Every warning is an error; a link to a page, a heading or a file that is not there is one.
"""

import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys

from cpp_reference import CppReference

GUIDES = {
    "First steps": ["getting-started", "tutorial", "coming-from", "command-line", "python", "importing",
                    "troubleshooting"],
    "Models and scenarios": ["model-format", "scenario-format", "results", "gallery"],
    "Systems": ["constraints", "robots", "contact", "wheels", "spacecraft", "drive-trains", "flexible-links"],
    "Theory": ["equations", "algebra", "subspaces", "integration", "linearization", "dictionary"],
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
    """The pages with the links that hold on the site, in a folder for Sphinx."""

    def __init__(self, root, folder):
        self.root, self.folder = root, folder
        shutil.rmtree(folder, ignore_errors=True)
        pages = [root / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "models/README.md")]
        pages += sorted((root / "docs").glob("*.md")) + sorted((root / "docs/scenarios").glob("*.md"))
        self.pages = {page.resolve() for page in pages}
        for page in pages:
            self.write(page.relative_to(root), self.rewritten(page))

    def write(self, path, text):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

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
                copy = self.folder / file.relative_to(self.root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, copy)
                return match.group(0)
            return match.group(0) if file in self.pages else text

        parts = re.split(r"(^```.*?^```)", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        parts[::2] = [LINK.sub(link, part) for part in parts[::2]]
        parts[1::2] = [re.sub(r"^```math$", "```{math}", part, flags=re.M) for part in parts[1::2]]
        return "".join(parts)


def collect_site_files(source, folder):
    """What pages load besides: KaTeX with its fonts, and what calls it."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "katex").mkdir(parents=True)
    for name in ("katex.min.js", "katex.min.css"):
        shutil.copy(KATEX / name, folder / "katex")
    shutil.copytree(KATEX / "fonts", folder / "katex/fonts")
    for name in ("formulas.js", "formulas.css"):
        shutil.copy(source / name, folder)


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
    stage.write("reference/python.rst", text + python_entries(module, left))


def settle_theme(static):
    """Makes the theme work without a server where its package counts on one: its script is a module, which browsers
    do not load from files, and its style sheet takes another one from the root of the server."""
    script, sheet = static / "scripts/furo.js", static / "styles/furo.css"
    text, modules = re.subn(r"^import Gumshoe from [^\n]*\n", "", script.read_text(encoding="utf-8"))
    if modules:
        script.write_text((static / "scripts/gumshoe-patched.js").read_text(encoding="utf-8") + text, encoding="utf-8")
    text = sheet.read_text(encoding="utf-8")
    if "/javascript/normalize.css/" in text:
        shutil.copy(SCRIPTS / "normalize.css/normalize.css", sheet.parent)
        sheet.write_text(text.replace("/javascript/normalize.css/", ""), encoding="utf-8")


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

    stage = Stage(root, build / "docs/pages")
    write_index(stage)
    write_reference(stage, spacedyn, CppReference(xml, root / "include"))
    collect_site_files(root / "docs/site", build / "docs/site_files")
    environment = dict(os.environ, SPACEDYN_PYTHON_PACKAGE=str(package), SPACEDYN_VERSION=version,
                       SPACEDYN_SITE_FILES=str(build / "docs/site_files"), PYTHONDONTWRITEBYTECODE="1")
    run("sphinx-build", "-q", "-W", "--keep-going", "-j", "2", "-c", root / "docs/site", "-d",
        build / "docs/doctrees", stage.folder, output, env=environment)
    settle_theme(output / "_static")
    print(output / "index.html")


main()
