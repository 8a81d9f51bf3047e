#!/usr/bin/env python3
"""The site builds without a warning; its links, headings and pictures are there; its search knows our words.

Usage: site_test.py BUILD_SCRIPT SOURCE_ROOT BUILD_FOLDER VERSION OUTPUT
"""

import html.parser
import pathlib
import re
import subprocess
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """Targets of links and pictures, and the places that links may name."""

    def __init__(self, path):
        super().__init__()
        self.targets, self.places = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key in ("href", "src", "data") and value and tag != "link":
                self.targets.append(value)
            elif key in ("id", "name") and value:
                self.places.add(value)


def broken_links(site):
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html")}
    for path, page in pages.items():
        for target in page.targets:
            url = urllib.parse.urlparse(target)
            if url.scheme or url.netloc:
                continue
            file = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if not file.exists():
                yield f"{path.relative_to(site)} names {target}"
            elif url.fragment and file in pages:
                place = urllib.parse.unquote(url.fragment)
                if place not in pages[file].places:
                    yield f"{path.relative_to(site)} names {target}, a place that is not there"


def needs_of_a_server(site):
    """What works on a server alone: modules, and files from its root."""
    for path in (site / "_static").rglob("*.js"):
        if path.name != "gumshoe-patched.js" and path.read_text(encoding="utf-8").startswith("import "):
            yield f"{path.relative_to(site)} is a module"
    for path in site.rglob("*.css"):
        if re.search(r"url\(['\"]?/", path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(site)} names a file at the root"


def main():
    script, root, build, version, output = sys.argv[1:]
    done = subprocess.run([sys.executable, "-B", script, root, build, version, output], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        print(done.stdout)
        return 1
    site = pathlib.Path(output).resolve()
    problems = sorted(set(broken_links(site))) + sorted(needs_of_a_server(site))
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    problems += [f"the search does not know {word!r}" for word in ("generalized_jacobian", "hunt_crossley")
                 if word not in index]
    dark = r'prefers-color-scheme: ?dark\) *\{\s*body:not\(\[data-theme="?light"?\]\) *\{[^}]*--color-background-primary'
    if not re.search(dark, (site / "_static/styles/furo.css").read_text(encoding="utf-8")):
        problems.append("the site does not turn dark by itself")
    problems += [f"{page.name} has no frame for its flight" for page in sorted((site / "docs/scenarios").glob("*.html"))
                 if f'src="../../flights/{page.stem}.html"' not in page.read_text(encoding="utf-8")]
    frames = re.findall(r'<iframe class="flight" src="../flights/tutorial/(\w+).html" loading="lazy"',
                        (site / "docs/tutorial.html").read_text(encoding="utf-8"))
    if frames != ["planar_reorientation", "coast", "reach", "capture"]:
        problems.append(f"the tutorial frames {frames}")
    problems += [f"the page of {path.name} has no outputs"
                 for path in sorted(pathlib.Path(root, "docs/notebooks").glob("*.ipynb"))
                 if "<svg" not in (site / f"docs/notebooks/{path.stem}.html").read_text(encoding="utf-8")]
    print("\n".join(problems) if problems else "the site is complete")
    return 1 if problems else 0


sys.exit(main())
