#!/usr/bin/env python3
"""Fails where the library holds wide instructions outside the kernels of their instruction set.

Usage: wide_instructions.py OBJDUMP LIBRARY
"""

import re
import subprocess
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
# AVX and later: wide registers, or a mnemonic in v… (VEX and EVEX encodings of SSE instructions)
WIDE = re.compile(r"%[yz]mm|^\s*v[a-z0-9]+\s+.*%xmm|^\s*vzero(?:upper|all)")
ALLOWED = ("isa_avx2", "isa_avx512")


def wide_functions(lines):
    """Names of all functions with at least one wide instruction, with that instruction."""
    found, name = {}, ""
    for line in lines:
        heading = FUNCTION.match(line)
        if heading:
            name = heading.group(1)
        elif name not in found:
            instruction = line.partition("\t")[2]
            if WIDE.search(instruction):
                found[name] = instruction.strip()
    return found


def check(lines):
    """Problems, one line each."""
    found = wide_functions(lines)
    problems = [f"{name}: {instruction}" for name, instruction in sorted(found.items())
                if not any(isa in name for isa in ALLOWED)]
    for isa in ALLOWED:
        if not any(isa in name for name in found):
            problems.append(f"no wide instruction in {isa}: is this test looking at the library?")
    return problems


if __name__ == "__main__":
    text = subprocess.run([sys.argv[1], "--disassemble", "--no-show-raw-insn", sys.argv[2]],
                          check=True, capture_output=True, text=True).stdout
    result = check(text.splitlines())
    print("\n".join(result))
    sys.exit(1 if result else 0)
