#!/usr/bin/env bash
# Tests the parts of ./quickstart that a built tree does not show, with stand-ins for Debian's tools.
# Usage: quickstart_test.sh ROOT
set -euo pipefail
root=$1
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
failures=0
# a copy, so that no build folder is touched
mkdir -p "$stage/tree/cmake"
cp "$root/quickstart" "$stage/tree"
cp "$root"/cmake/packages{,-tests,-docs}.txt "$stage/tree/cmake"

# stand_in NAME: standard input becomes a program that hides the real one
stand_in() {
  { echo '#!/bin/sh'; cat; } >"$stage/$1"
  chmod +x "$stage/$1"
}

# expect EXIT_CODE TEXT ARGUMENTS…: runs quickstart and looks at its exit code and output
expect() {
  local code=0 output
  output=$(cd / && PATH="$stage:$PATH" "$stage/tree/quickstart" "${@:3}" 2>&1) || code=$?
  if [[ $code -ne $1 || $output != *"$2"* ]]; then
    printf 'quickstart %s: expected exit %s and "%s", got exit %s and:\n%s\n' "${*:3}" "$1" "$2" \
      "$code" "$output"
    failures=$((failures + 1))
  fi
}

expect 0 "Usage: ./quickstart" --help
expect 1 "unknown command 'tset'" tset

# everything there: apt-get must not be called, and the build is reached
stand_in dpkg-query <<<'echo "ii "'
stand_in apt-get <<<'echo "apt-get was called" >&2; exit 1'
stand_in sudo <<<'exec "$@"'
stand_in cmake <<<'echo "cmake $*"; exit 7'
expect 7 "All packages are there" test
expect 7 "cmake --preset release"
expect 7 "All packages are there" docs
expect 1 "docs takes no options" docs --fast

# the site is built, and its page named
stand_in cmake <<<'echo "cmake $*"'
expect 0 "--target docs
" docs
expect 0 "xdg-open $stage/tree/build/release/docs/html/index.html" docs
stand_in cmake <<<'echo "cmake $*"; exit 7'

# one package is missing and cannot be had: it is named, with what to do
stand_in dpkg-query <<<'for last; do :; done; [ "$last" != libfmt-dev ] && echo "ii "'
expect 1 "Installing 1 packages: libfmt-dev"
expect 1 "cannot install: libfmt-dev"
expect 1 "apt-get install --no-install-recommends libfmt-dev"

# one package is missing and can be had: only it is installed
stand_in apt-get <<<'[ "$1" = update ] || echo "apt-get $*"'
expect 7 "apt-get install -y -qq --no-install-recommends libfmt-dev
"

# packages of the site are installed for the site alone
stand_in dpkg-query <<<'for last; do :; done; [ "$last" != libjs-katex ] && echo "ii "'
expect 7 "apt-get install -y -qq --no-install-recommends libjs-katex
" docs
expect 7 "All packages are there" test

exit $((failures > 0))
