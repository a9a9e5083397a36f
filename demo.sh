#!/usr/bin/env bash
# Builds daewave and runs the main job; its tables and pictures go to out/.
set -euo pipefail
cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"

usage="usage: ./demo.sh [--no-install]

Builds daewave and runs it on the examples of the literature: prints tables, and
leaves numbers and pictures in out/. Debian packages that are missing are named
and installed with apt-get, as root or through sudo.

  --no-install   only name missing packages and the command to install them
  --help         this text"
options="--no-install"
source scripts/prepare.sh
require_folder out

run() {
  echo
  echo "\$ daewave $*"
  build/release/cli/daewave "$@" || fail "daewave $* ended with exit code $?"
}

require_packages
build release daewave || exit 1

# ---- the main job ----------------------------------------------------------------------------
run table al1-5.1
run table al1-5.2
run solve al1-example1 --scheme midpoint --intervals 100 --epsilon 0.01 --iterates 3 \
  --shooting-back \
  --csv out/al1-example1.csv --json out/al1-example1.json --svg out/al1-example1.svg
run solve lin --t-end 1000 --tolerance 1e-8 \
  --csv out/lin.csv --json out/lin.json --svg out/lin.svg
run solve slider-crank-bvp --tolerance 1e-6 --explain --svg out/slider-crank-bvp.svg
run solve swirling-flow --set e=1e-4 --tolerance 1e-8 \
  --csv out/swirling-flow.csv --svg out/swirling-flow.svg
run table al2-6.2
run table acpr-6.4
run solve slider-crank --method srm --h 1e-4 --iterates 3 --explain \
  --csv out/slider-crank.csv --json out/slider-crank.json --svg out/slider-crank.svg
run solve slider-crank --set turning=1 --t-end 10 --method srm --h 1e-4 --iterates 4 \
  --svg out/slider-crank-turning.svg
run solve slider-crank --method srm --h 1e-4 --iterates 3 --loops pipelined --every 1000 \
  --checkpoint out/slider-crank.checkpoint.json --json out/slider-crank-pipelined.json
run table afs-truck --svg out/afs-truck.svg
run solve wheelset --method bdf-projection --rtol 1e-8 --atol 1e-8 --points 2001 \
  --csv out/wheelset.csv
run sweep chain --vary links=1:20:20 --t-end 1 --csv out/chains.csv
run solve andrews --rtol 1e-9 --csv out/andrews.csv --svg out/andrews.svg
run solve examples/models/slider-crank.toml --estimate-error --report out/report.html
# ----------------------------------------------------------------------------------------------

echo
echo "written:"
find out -type f | sort | sed 's/^/  /'
echo
echo "to look at in a browser: $PWD/out/report.html"
