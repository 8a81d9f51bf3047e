#!/usr/bin/env python3
"""What Python costs: calls, batches and the import, each beside the same work in C++.

Usage: PYTHONPATH=build/release/python python_bench.py
"""

import subprocess
import sys
import time

import numpy as np

import spacedyn as sd
from spacedyn import _core


def least(function, repetitions, clock=time.thread_time, rounds=9):
    """Seconds of a call, the least of some rounds: what others do on the machine only adds.

    The clock is the time of the processor in this thread, unless several threads work.
    """
    best = float("inf")
    for _ in range(rounds):
        start = clock()
        for _ in range(repetitions):
            function()
        best = min(best, (clock() - start) / repetitions)
    return best


def clocked(function, clock):
    start = clock()
    function()
    return clock() - start


def measure_batches(name, count):
    """Forward dynamics of many states: C++ in tiles, C++ in rows as numpy has them, and Python."""
    robot = sd.load_model(str(sd.MODELS / "robots" / f"{name}.yaml"))
    n = robot.joint_count
    state = sd.State(robot, q=np.linspace(0, 0.5, n))
    rows = np.tile(sd.state_row(state), (count, 1))
    tau, rates = np.zeros((count, n)), np.zeros((count, 6 + n))
    for threads in (1, 0):
        batch = sd.Batch(robot, threads=threads)
        clock = time.thread_time if threads == 1 else time.perf_counter

        def native(seconds, repetitions):
            return clocked(lambda: seconds(robot, state, count, threads, repetitions), clock)

        def python(repetitions):
            return clocked(lambda: [batch.forward_dynamics(rows, tau, rates) for _ in range(repetitions)], clock)

        # one after another in each round, so that what others do on the machine meets all of them
        rounds = [(native(_core._batch_seconds, 25), native(_core._batch_seconds, 5),
                   native(_core._batch_rows_seconds, 25), native(_core._batch_rows_seconds, 5),
                   python(25), python(5)) for _ in range(15)]
        shortest = [1e9 * min(column) / count for column in zip(*rounds)]
        # what it takes to set the states up is in both terms of the differences
        tiles, native_rows, called = ((shortest[i] - shortest[i + 1]) / 20 for i in (0, 2, 4))
        print(f"batch of {count} {robot.name}, {batch.instruction_set}, {batch.threads} threads, for each state: "
              f"C++ tiles {tiles:.0f} ns, C++ rows {native_rows:.0f} ns, Python {called:.0f} ns, "
              f"{100 * (called / native_rows - 1):+.1f} % of rows, {100 * (called / tiles - 1):+.1f} % of tiles")


def main():
    robot = sd.load_model(str(sd.MODELS / "robots" / "ets7.yaml"))
    state, loads, out = sd.State(robot, q=np.linspace(0, 0.5, 6)), sd.Loads(robot), np.zeros(12)
    native = least(lambda: _core._forward_dynamics_seconds(robot, state, loads, 20000), 1) / 20000
    called = least(lambda: sd.forward_dynamics(robot, state, loads, out), 20000)
    print(f"forward dynamics of {robot.name}: C++ {1e6 * native:.2f} µs, Python {1e6 * called:.2f} µs, "
          f"overhead {1e6 * (called - native):.2f} µs")

    count = 10000
    for name in ("planar_2r", "ets7", "dual_arm"):
        measure_batches(name, count)

    def import_seconds(module):
        command = [sys.executable, "-c", f"import time, {module}; print(time.process_time())"]
        return min(float(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(9))

    with_it, numpy, nothing = (import_seconds(module) for module in ("spacedyn", "numpy", "sys"))
    print(f"import: {with_it - nothing:.3f} s, of which numpy {numpy - nothing:.3f} s")


if __name__ == "__main__":
    main()
