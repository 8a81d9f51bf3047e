"""Pages of flights that guides show in a frame: of shipped scenarios, and of what a guide asks its reader to type.

A guide marks the place by a comment, which hosts of repositories do not show: `<!-- flight: NAME -->` with the name of
a shipped scenario, above the picture that stands there elsewhere, or `<!-- flight: results/NAME/NAME.html -->` with a
page that the guide's own commands leave.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess

MARK = re.compile(r"^<!-- flight: (\S+) -->\n(?:!\[Page of [^\n]*\n)?", re.M)
COMMANDS = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)


def newest(*paths):
    """Time of the last change of any of the files, or of files in the folders."""
    files = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()]
    return max(file.stat().st_mtime for file in files)


class Flights:
    """Flies what pages name; writes the pages of the flights below `folder`, unless they are there and up to date."""

    def __init__(self, root, build, folder):
        self.root, self.folder = root, folder
        self.program, self.work = build / "spacedyn", build / "docs/flights"
        self.since = newest(self.program, *build.glob("libspacedyn.so"), root / "models")

    def run(self, command, folder):
        folder.mkdir(parents=True, exist_ok=True)
        path = f"{self.program.parent}{os.pathsep}{os.environ['PATH']}"
        package = str(self.program.parent / "python")
        done = subprocess.run(command, cwd=folder, env=dict(os.environ, PATH=path, PYTHONPATH=package), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))} ends with {done.returncode}:\n{done.stdout}")

    def put(self, page, name):
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(page, target)

    def fly_scenario(self, name):
        page = self.work / name / f"{name}.html"
        if not page.exists() or page.stat().st_mtime < self.since:
            self.run([self.program, "simulate", self.root / f"models/scenarios/{name}.yaml", "-o", page.parent,
                      "--force", "--no-progress", "-q"], self.work)
        self.put(page, f"flights/{name}.html")

    def type_guide(self, guide, pages):
        """The commands of a guide in an empty folder, then the pages that they have left."""
        folder = self.work / f"of_{guide.stem}"
        if any(not (folder / page).exists() or (folder / page).stat().st_mtime < max(self.since, newest(guide))
               for page in pages):
            shutil.rmtree(folder, ignore_errors=True)
            self.run(["bash", "-ec", "\n".join(COMMANDS.findall(guide.read_text(encoding="utf-8")))], folder)
        for page in pages:
            self.put(folder / page, f"flights/{guide.stem}/{pathlib.Path(page).name}")

    def fly(self, guides):
        marks = {guide: MARK.findall(guide.read_text(encoding="utf-8")) for guide in guides}
        typed = {guide: [name for name in names if "/" in name] for guide, names in marks.items()}
        scenarios = {name for names in marks.values() for name in names if "/" not in name}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(self.fly_scenario, name) for name in sorted(scenarios)]
            jobs += [pool.submit(self.type_guide, guide, pages) for guide, pages in typed.items() if pages]
            for job in concurrent.futures.as_completed(jobs):
                job.result()


def framed(text, guide, root):
    """A guide with frames at its marks."""
    up = "../" * (len(guide.relative_to(root).parts) - 1)

    def frame(match):
        name = match.group(1)
        page = f"{guide.stem}/{pathlib.Path(name).name}" if "/" in name else f"{name}.html"
        return (f'```{{raw}} html\n<iframe class="flight" src="{up}flights/{page}" loading="lazy" '
                f'title="Page of {pathlib.Path(name).stem}"></iframe>\n'
                f'<p class="flight"><a href="{up}flights/{page}">The flight in a page of its own</a></p>\n```\n\n')

    return MARK.sub(frame, text)
