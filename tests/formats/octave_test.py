#!/usr/bin/env python3
"""Octave reads the MAT and CSV files of a flight and finds the same numbers in both.

Usage: octave_test.py PROGRAM SCENARIOS OCTAVE
"""

import subprocess
import sys
import tempfile

import results

SCRIPT = """
load('{stem}.mat');
rows = importdata('{stem}.csv');
names = rows.colheaders;
column = @(name) rows.data(:, strcmp(names, name));
assert(r.time, column('time_s'));
assert(r.R0, [column('base_position_x_m'), column('base_position_y_m'), column('base_position_z_m')]);
for k = 1:numel(r.joints.q_names)
  assert(r.joints.q(:, k), column(r.joints.q_names{{k}}));
end
assert(size(r.A0), [3, 3, numel(r.time)]);
for k = 1:50:numel(r.time)
  assert(r.A0(:, :, k)' * r.A0(:, :, k), eye(3), 1e-14);
end
angles = 2 * atan2(column('base_quaternion_z'), column('base_quaternion_w'));
assert(squeeze(r.A0(2, 1, :)), sin(angles), 1e-14);
assert(max(r.joints.q(:)) > 0.1);
assert(r.energy.total, column('energy_total_J'));
printf('%d rows agree\\n', numel(r.time));
"""


def main():
    program, scenarios, octave = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        original = results.make_all_formats(program, scenarios, folder)
        script = SCRIPT.format(stem=original.with_suffix(""))
        done = subprocess.run(
            [octave, "--norc", "--quiet", "--eval", script],
            capture_output=True, text=True, check=False,
        )
    print(done.stdout + done.stderr)
    return 0 if done.returncode == 0 and "rows agree" in done.stdout else 1


if __name__ == "__main__":
    sys.exit(main())
