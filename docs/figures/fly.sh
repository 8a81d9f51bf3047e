#!/usr/bin/env bash
# Flies ets7_arm_slew for the README. Usage: fly.sh PROGRAM MODELS OUTPUT_FOLDER
# Leaves result.csv and summary.json in the folder.
set -euo pipefail
program=$1 models=$2 output=$3
mkdir -p "$output"
"$program" simulate "$models/scenarios/ets7_arm_slew.yaml" --output "$output/flight" --force --json \
  --format csv \
  --no-progress >"$output/summary.json"
cp "$output"/flight/*.csv "$output/result.csv"
