#!/usr/bin/env bash
# A consumer that finds the installed library with pkg-config and calls the compiler itself.
# Usage: build_and_run.sh PREFIX LIBDIR SOURCE BUILD_FOLDER COMPILER [FLAGS…]
set -euo pipefail

prefix=$1 libdir=$2 source=$3 build=$4 compiler=$5
shift 5
export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig"

mkdir -p "$build"
# shellcheck disable=SC2046  # the flags are meant to be split
"$compiler" -std=c++17 "$@" $(pkg-config --cflags spacedyn) "$source" -o "$build/consumer" \
  $(pkg-config --libs spacedyn)
"$build/consumer" "$(pkg-config --variable=modelsdir spacedyn)/robots/planar_2r.yaml"
