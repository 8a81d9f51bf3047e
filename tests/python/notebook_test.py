#!/usr/bin/env python3
"""Results as notebooks show them."""

import html
import re
import unittest
import warnings
import xml.etree.ElementTree

import spacedyn as sd
from support import ROOT, SCENARIOS, Case

PLANAR = SCENARIOS / "planar_reorientation.yaml"


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


if __name__ == "__main__":
    unittest.main()
