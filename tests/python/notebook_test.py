#!/usr/bin/env python3
"""Results as notebooks show them, and the notebooks of the guides: they run, and what they assert holds."""

import contextlib
import html
import json
import math
import os
import pathlib
import re
import sys
import tempfile
import unittest
import warnings
import xml.etree.ElementTree

import spacedyn as sd
from support import ROOT, SCENARIOS, Case

sys.path.insert(0, str(ROOT / "docs" / "site"))
import notebooks

PLANAR = SCENARIOS / "planar_reorientation.yaml"
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@contextlib.contextmanager
def empty_folder():
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield pathlib.Path(folder)
        finally:
            os.chdir(before)


class Results(Case):
    @classmethod
    def setUpClass(cls):
        cls.result = sd.simulate(PLANAR, duration=5)

    def test_a_notebook_shows_summary_plots_and_page(self):
        shown = self.result._repr_html_()
        self.assertEqual(shown, self.result._repr_html_())
        summary, _, rest = shown.partition("</table>")
        self.assertIn("planar_reorientation", summary)
        self.assertIn(f"{self.result.momentum_drift:.2g}", summary)
        self.assert_shows_the_page(rest)
        try:
            import matplotlib.pyplot
        except ImportError:
            return
        plots = xml.etree.ElementTree.fromstring(rest.partition("<div>")[0])
        labels = {text.text for text in plots.iter("{http://www.w3.org/2000/svg}text")}
        self.assertLessEqual({*self.result.labels("joints/q"), *self.result.labels("base/angular_velocity"),
                              "rad", "rad/s", "time, s"}, labels)
        self.assertEqual(matplotlib.pyplot.get_fignums(), [])

    def test_plots_of_a_notebook_stay_light(self):
        # 20 000 rows that swing at each of them: what is drawn is bounded by the size of the picture
        robot = sd.load_model(str(ROOT / "models" / "robots" / "dumbbell.yaml"))
        state = sd.State(robot, omega_0=[0.3, 0.0, 40.0])
        result = sd.simulate(sd.Scenario(robot, state, duration=400, output_interval=0.02))
        self.assertEqual(len(result), 20001)
        self.assertLess(len(result._plots_svg()), 1e6)

    def test_a_page_too_large_for_a_notebook_is_left_to_show(self):
        page = "x" * 5_000_001
        result = sd.simulate(PLANAR, duration=1)
        result.report = lambda: page
        shown = result._repr_html_()
        self.assertIn("5.0 MB", shown)
        self.assertIn(".show()", shown)
        self.assertNotIn("<iframe", shown)
        result.report = lambda: page[1:]
        self.assertIn("<iframe", result._repr_html_())

    def assert_shows_the_page(self, text):
        frame = re.search(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts"', text)
        self.assertEqual(html.unescape(frame.group(1)), self.result.report())
        self.assertNotIn("<script", frame.group(1))

    def test_show_gives_the_page_alone(self):
        try:
            import IPython
        except ImportError:
            self.skipTest("IPython is not installed")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            shown = self.result.show().data
        self.assertTrue(shown.startswith("<div><iframe"))
        self.assert_shows_the_page(shown)


class Notebooks(Case):
    def test_are_stored_without_outputs_and_with_short_cells(self):
        self.assertGreaterEqual(len(NOTEBOOKS), 4)
        for path in NOTEBOOKS:
            with self.subTest(path.stem):
                stored = json.loads(path.read_text(encoding="utf-8"))
                self.assertEqual((stored["nbformat"], stored["nbformat_minor"]), (4, 5))
                self.assertEqual(len({cell["id"] for cell in stored["cells"]}), len(stored["cells"]))
                for cell in stored["cells"]:
                    self.assertLessEqual(len(cell["source"]), 30)
                    self.assertLessEqual(max(len(line) for line in cell["source"]), 121)
                    if cell["cell_type"] == "code":
                        self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))

    def test_hold_what_they_assert(self):
        for path in NOTEBOOKS:
            with self.subTest(path.stem), empty_folder():
                done = notebooks.run(path)
                sources = "\n".join(source for kind, source, _ in done if kind == "code")
                self.assertGreaterEqual(len(re.findall(r"^assert ", sources, re.M)), 3)
                shown = [form for _, _, outputs in done for form, _ in outputs]
                self.assertTrue({"text", "svg"} <= set(shown) or {"text", "html"} <= set(shown))

    def test_angle_of_the_loop_is_that_of_the_first_flight(self):
        # the notebook prints the angle of the flight and of the line integral; the scenario flown here is the oracle
        flown = sd.simulate(PLANAR)["base/quaternion_wxyz"]
        angle = 2.0 * math.degrees(math.atan2(flown[-1, 3], flown[-1, 0]))
        with empty_folder():
            printed = "".join(text for _, _, outputs in notebooks.run(ROOT / "docs" / "notebooks" / "first_flight.ipynb")
                              for form, text in outputs if form == "text")
        said = [float(number) for number in re.findall(r"(?:turned by|line integral) (\S+) deg", printed)]
        self.assert_equal_arrays(said, [angle, angle], 1e-3)

    def test_run_in_jupyter(self):
        try:
            import nbclient
            import nbformat
            from jupyter_client.kernelspec import NoSuchKernel
        except ImportError:
            self.skipTest("nbclient is not installed")
        for path in NOTEBOOKS:
            with self.subTest(path.stem), empty_folder() as folder:
                notebook = nbformat.read(path, as_version=4)
                nbformat.validate(notebook)
                try:
                    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3",
                                            resources={"metadata": {"path": str(folder)}}).execute()
                except NoSuchKernel:
                    self.skipTest("ipykernel is not installed")
                page = [output.data["text/html"] for cell in notebook.cells if cell.cell_type == "code"
                        for output in cell.outputs if "text/html" in output.get("data", {})]
                self.assertEqual(any("<iframe srcdoc=" in text for text in page),
                                 bool(re.search(r'"(result|free|flight)"', path.read_text(encoding="utf-8"))))


class Runner(Case):
    def run_cells(self, *sources):
        with empty_folder() as folder:
            path = folder / "a.ipynb"
            path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": source.splitlines(keepends=True)}
                                                  for source in sources]}), encoding="utf-8")
            return [outputs for _, _, outputs in notebooks.run(path)]

    def test_cells_share_names_and_show_their_last_expression(self):
        self.assertEqual(self.run_cells("a = 2", "print(a)\na + 1", "a;", "a\nb = 3"),
                         [[], [("text", "2\n"), ("text", "3\n")], [], []])

    def test_an_assertion_that_fails_names_the_cell(self):
        self.assert_raises(notebooks.CellError, r"cell 1:\nassert 1 > 2\n", self.run_cells, "a = 1", "assert 1 > 2")

    def test_pages_of_flights_become_files(self):
        files = {}
        done = [("code", "result", [("html", notebooks.shown(sd.simulate(PLANAR, duration=1))[1])])]
        text = notebooks.as_page(done, "flight", files.__setitem__)
        self.assertIn('<iframe src="flight_1.html"', text)
        self.assertNotIn("srcdoc", text)
        self.assertIn("planar_reorientation", files["flight_1.html"])


if __name__ == "__main__":
    unittest.main()
