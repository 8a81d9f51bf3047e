#!/usr/bin/env python3
"""Types what a page of documentation shows into a shell, in an empty folder, from top to bottom.

Usage: commands_test.py PAGE BUILD ROOT

Blocks of `sh` and `console` run in bash with the program of BUILD as `spacedyn`; a console block must
print what it shows, `…` standing for lines left out. Python runs as it is, MATLAB where its names are
looked up in the files that it reads, complete YAML goes to `spacedyn check`. Only comments directly
above a block make an exception, each with its reason:

  <!-- not run: REASON -->   <!-- before: COMMAND -->   <!-- exit: CODE -->

What would build this project, install packages or open a browser meets a stand-in that checks its
arguments (stand_ins.py). A command with --live is interrupted when it has printed its address.
"""

import importlib.util
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import page_commands

TIME_LIMIT = 60  # s, far beyond what any command needs
HERE = pathlib.Path(__file__).resolve().parent


class Failure(Exception):
    """What a page shows does not happen."""


class Reader:
    """A new user, who types what a page says."""

    def __init__(self, folder, build, root):
        self.folder, self.root, self.build = folder, root, build
        self.home = folder / "here"
        self.state = folder / "state"
        (folder / "bin").mkdir()
        self.home.mkdir()
        self.state.write_text("")
        program = next(path for path in (build / "spacedyn", build / "apps/cli/spacedyn")
                       if path.exists())
        (folder / "bin/spacedyn").symlink_to(program)
        for name in ("cmake", "ctest", "apt-get"):
            self.stand_in(folder / "bin" / name)
        self.stand_in(self.home / "quickstart")
        (self.home / "build").mkdir()
        (self.home / "build/release").symlink_to(build)
        self.env = dict(os.environ, HOME=str(folder), BROWSER="true", NO_COLOR="1", COLUMNS="100",
                        PYTHONPATH=str(build / "python"),
                        PATH=f"{folder}/bin:{os.environ['PATH']}", PYTHONDONTWRITEBYTECODE="1")
        for name in ("PKG_CONFIG_PATH", "LD_LIBRARY_PATH"):
            self.env.pop(name, None)

    def stand_in(self, path):
        script = HERE / "stand_ins.py"
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -B "{script}" "{self.build}" '
                        f'"{self.root}" "{path.name}" "$@"\n')
        path.chmod(0o755)

    def run(self, command, expected=0):
        """The output of a command; exported variables and the folder are those of the one before."""
        script = (f'. "{self.state}"\n{command}\nstatus=$?\n'
                  f'{{ export -p; printf "cd %q\\n" "$PWD"; }} >"{self.state}"\nexit $status\n')
        is_live = "--live" in command
        child = subprocess.Popen(["bash", "-c", script], cwd=self.home, env=self.env, text=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        output = interrupted(child) if is_live else waited(child, command)
        expected = 130 if is_live else expected
        if child.returncode != expected:
            raise Failure(f"$ {command}\n{output}ends with {child.returncode}, not {expected}")
        return output

    def run_shell(self, block):
        commands = list(block.commands())
        if not commands:
            raise Failure("a block of commands without a command")
        for number, (command, shown) in enumerate(commands, 1):
            code = int(block.notes.get("exit", 0)) if number == len(commands) else 0
            printed = self.run(command, code)
            if shown and not page_commands.matches(shown, printed):
                raise Failure(f"$ {command}\nshows\n{shown}\nbut prints\n{printed}")

    def run_python(self, block):
        # the package is built where pybind11 is
        if "import spacedyn" in block.text and not (self.build / "python/spacedyn").exists():
            return
        prelude = ""
        if importlib.util.find_spec("matplotlib") is None:
            prelude = f"import sys; sys.path.insert(0, {str(HERE / 'stand_ins')!r})\n"
            if "pandas" in block.text:
                prelude += "import pandas; pandas.set_option('plotting.backend', 'drawn')\n"
        (self.home / ".block.py").write_text(prelude + block.text)
        self.run(f'MPLBACKEND=Agg "{sys.executable}" -W error::SyntaxWarning .block.py')
        (self.home / ".block.py").unlink()
        for name in re.findall(r'savefig\("([^"]+)"\)', block.text):
            if not (self.home / name).exists():
                raise Failure(f"the picture {name} is not there")

    def look_up_matlab(self, block):
        import h5py
        import scipy.io
        for name, path in re.findall(r"h5read\('([^']+)', *'([^']+)'\)", block.text):
            with h5py.File(self.home / name) as file:
                file[path][()]
        for name in re.findall(r"^load (\S+)", block.text, re.M):
            r = scipy.io.loadmat(self.home / name, struct_as_record=False, squeeze_me=True)["r"]
            for path in re.findall(r"\br\.([\w.]+)", block.text):
                value = r
                for part in path.split("."):
                    value = getattr(value, part)

    def check_yaml(self, block):
        import json

        import yaml
        content = yaml.safe_load(block.text)
        if "spacedyn" in content:
            kind = "model" if "model" in content else "scenario"
            path = self.home / f"{content[kind]['name']}.yaml"
            path.write_text(block.text)
            self.run(f"spacedyn check {path.name}")
            return
        known = set()
        for kind in ("model", "scenario", "fit", "optimize"):
            schema = json.loads(self.run(f"spacedyn schema {kind}"))
            part = schema["properties"][kind]
            if "$ref" in part:
                part = schema["$defs"][part["$ref"].rsplit("/", 1)[1]]
            known |= part["properties"].keys()
        if not content.keys() <= known:
            raise Failure(f"no key of a file: {', '.join(content.keys() - known)}")

    def read(self, block):
        if "not run" in block.notes:
            return
        if "before" in block.notes:
            self.run(block.notes["before"])
        if block.language in page_commands.SHELLS:
            self.run_shell(block)
        elif block.language == "python":
            self.run_python(block)
        elif block.language == "matlab":
            self.look_up_matlab(block)
        elif block.language == "yaml":
            self.check_yaml(block)
        elif block.language == "cpp" and "int main(" in block.text:
            (self.home / "my_program.cpp").write_text(block.text)


def waited(child, command):
    try:
        return child.communicate(timeout=TIME_LIMIT)[0]
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        raise Failure(f"$ {command}\ndoes not end within {TIME_LIMIT} s") from None


def interrupted(child):
    """Ctrl-C once the address of the page is there."""
    output = ""
    for line in child.stdout:
        output += line
        if "http://" in line:
            break
    time.sleep(0.2)  # the run has begun
    os.killpg(child.pid, signal.SIGINT)
    return output + child.communicate(timeout=TIME_LIMIT)[0]


def read_page(page, reader, root):
    """The first thing that does not happen as shown, else None."""
    text = page.read_text(encoding="utf-8")
    if page.name == "scenario-format.md":  # its scenario flies the robot of the page before
        model = (root / "docs/model-format.md").read_text(encoding="utf-8")
        reader.read(next(page_commands.blocks(model)))
    count = 0
    for block in page_commands.blocks(text):
        try:
            reader.read(block)
        except Failure as failure:
            return f"{page.name}:{block.line}: {failure}"
        count += 1
    for command in page_commands.inline_commands(text):
        try:
            reader.run(command)
        except Failure as failure:
            return f"{page.name}: {failure}"
    print(f"{page.name}: {count} blocks do what they show")
    return None


def main():
    page, build, root = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        problem = read_page(page, Reader(pathlib.Path(folder), build, root), root)
    if problem:
        print(problem)
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
