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


def main():
    robot = sd.load_model(str(sd.MODELS / "robots" / "ets7.yaml"))
    state, loads, out = sd.State(robot, q=np.linspace(0, 0.5, 6)), sd.Loads(robot), np.zeros(12)
    native = least(lambda: _core._forward_dynamics_seconds(robot, state, loads, 20000), 1) / 20000
    called = least(lambda: sd.forward_dynamics(robot, state, loads, out), 20000)
    print(f"forward dynamics of {robot.name}: C++ {1e6 * native:.2f} µs, Python {1e6 * called:.2f} µs, "
          f"overhead {1e6 * (called - native):.2f} µs")

    count = 10000
    rows = np.tile(sd.state_row(state), (count, 1))
    tau, rates = np.zeros((count, 6)), np.zeros((count, 12))
    for threads in (1, 0):
        batch = sd.Batch(robot, threads=threads)
        clock = time.thread_time if threads == 1 else time.perf_counter
        # what it takes to set the states up is in both terms of the difference
        native = (least(lambda: _core._batch_seconds(robot, state, count, threads, 25), 1, clock)
                  - least(lambda: _core._batch_seconds(robot, state, count, threads, 5), 1, clock)) / 20
        called = least(lambda: batch.forward_dynamics(rows, tau, rates), 20, clock)
        print(f"batch of {count}, {batch.threads} threads: C++ {1e9 * native / count:.0f} ns, Python "
              f"{1e9 * called / count:.0f} ns for each state, {100 * (called / native - 1):+.1f} %")

    def import_seconds(module):
        command = [sys.executable, "-c", f"import time, {module}; print(time.process_time())"]
        return min(float(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(9))

    with_it, numpy, nothing = (import_seconds(module) for module in ("spacedyn", "numpy", "sys"))
    print(f"import: {with_it - nothing:.3f} s, of which numpy {numpy - nothing:.3f} s")


if __name__ == "__main__":
    main()
