#!/usr/bin/env bash
# Fails if clang-format would change a source file. Usage: format.sh CLANG_FORMAT ROOT
set -euo pipefail
cd "$2"
find include src apps tests \( -name '*.hpp' -o -name '*.cpp' \) -print0 |
  xargs -0 "$1" --dry-run -Werror --style=file
