#!/usr/bin/env python3
"""Compares the compiled code of the spatial layer with the hand-written one.

Usage: count_instructions.py SOURCE COMPILER [OPTION…]

Compiles SOURCE to assembly and reads each pair of functions layer_X, plain_X. The layer must call
nothing, and may have at most 15 per cent more floating-point arithmetic and a quarter more
instructions in all: compilers pack and order the two a little differently.
"""

import re
import subprocess
import sys

ARITHMETIC = re.compile(r"v?(mul|add|sub|div|f[n]?m(add|sub)\w*)[sp]d$")


def functions(assembly):
    """Instruction mnemonics of each function."""
    found, current = {}, None
    for line in assembly.splitlines():
        label = re.match(r"(\w+):", line)
        if label and label.group(1).startswith(("layer_", "plain_")):
            current = found.setdefault(label.group(1), [])
        elif re.match(r"\s+\.cfi_endproc", line):
            current = None
        elif current is not None:
            instruction = re.match(r"\s+([a-z]\w*)", line)
            if instruction:
                current.append(instruction.group(1))
    return found


def flops(mnemonics):
    """Scalar operations: a packed instruction does two (or four, but not at this level)."""
    return sum(2 if m.endswith("pd") else 1 for m in mnemonics if ARITHMETIC.match(m))


def main():
    command = sys.argv[2:] + ["-S", "-o", "-", sys.argv[1]]
    assembly = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found, bad = functions(assembly), False
    print(f"{'operation':14} {'flops':>12} {'instructions':>14}   (layer/plain)")
    for name in sorted(n[6:] for n in found if n.startswith("layer_")):
        layer, plain = found["layer_" + name], found["plain_" + name]
        calls = any(m.startswith("call") for m in layer)
        print(f"{name:14} {flops(layer):5} /{flops(plain):5} {len(layer):6} /{len(plain):6}"
              + ("   calls a function" if calls else ""))
        bad |= calls or flops(layer) > 1.15 * flops(plain) or len(layer) > 1.25 * len(plain)
    return 1 if bad or not found else 0


sys.exit(main())
