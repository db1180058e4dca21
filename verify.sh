#!/usr/bin/env bash
# The main job: build, run every check, write reports/latest, say the verdict.
#
#   ./verify.sh [quick|full] [further arguments of `assay verify`]
#
# Judges testdata always, and ../shared/corpus when it is there. Exit codes: 0 all agree, 1 findings, 2 usage,
# 3 the harness itself failed, 4 a required peer is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

mode=quick
if [ $# -gt 0 ] && [[ $1 != -* ]]; then
  mode=$1
  shift
fi
case $mode in
  quick | full) ;;
  *)
    echo "verify.sh: $mode is not a mode; use quick or full" >&2
    exit 2
    ;;
esac

corpora=()
if [ -d ../shared/corpus ]; then
  corpora=(--corpus ../shared/corpus)
fi

if ! command -v cargo >/dev/null; then
  echo "verify.sh: cargo is not on the search path; a Rust toolchain is all that is needed" >&2
  exit 3
fi
cargo build --release --locked --package assay || exit 3
exec cargo run --release --locked --quiet --package assay -- verify --mode "$mode" ${corpora[@]+"${corpora[@]}"} "$@"
