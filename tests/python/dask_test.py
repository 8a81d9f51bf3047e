"""The recipe of docs/sweeps.md for Dask, on a cluster of two processes on this machine."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import sweep_test

import spacedyn as sd

GUIDE = pathlib.Path(os.environ["SPACEDYN_SOURCE"]) / "docs" / "sweeps.md"


class Dask(unittest.TestCase):
    def test_the_recipe_flies_the_rows_of_the_sweep(self):
        recipe = re.search(r"```python\n(from dask.distributed.*?)```", GUIDE.read_text(encoding="utf-8"), re.S).group(1)
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("oscillator.yaml", sweep_test.SCENARIO), ("study.yaml", sweep_test.SWEEP)):
                pathlib.Path(folder, name).write_text(text, encoding="utf-8")
            for general, here in (("/shared/", folder + "/"), ("first + 50", "first + 2"), ("range(0, 1000, 50)", "range(0, 8, 2)"),
                                  ("Client()", "Client(n_workers=2, threads_per_worker=1, dashboard_address=None)")):
                self.assertIn(general, recipe)
                recipe = recipe.replace(general, here)
            script = pathlib.Path(folder, "recipe.py")
            script.write_text(recipe + "    client.shutdown()\n", encoding="utf-8")
            outcome = subprocess.run([sys.executable, str(script)], cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
            whole = sd.sweep(os.path.join(folder, "study.yaml"))
            self.assertEqual(outcome.stdout, f"8 rows, {(whole['status'] != 0).sum()} failed\n", outcome.stderr)


if __name__ == "__main__":
    unittest.main()
