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
    print("\n".join(problems) if problems else "the site is complete")
    return 1 if problems else 0


sys.exit(main())
