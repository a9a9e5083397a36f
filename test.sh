#!/usr/bin/env bash
# Builds and runs all tests; the last line is "N passed, N failed".
set -euo pipefail
cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"

usage="usage: ./test.sh [--quick] [--no-install]

Builds and runs the tests, each once: printed tables, program, examples, headers
and installation optimized; units with address and undefined behaviour
sanitizers, those that depend on the linear solvers with UMFPACK and without. Debian
packages that are missing are named and installed with apt-get, as root or
through sudo. The last line tells how many tests passed and failed in all; the
exit code is 0 when none failed.

  --quick        the optimized build only
  --no-install   only name missing packages and the command to install them
  --help         this text"
options="--quick --no-install"
source scripts/prepare.sh

passed=0
failed=0

# more_cases LOG: how many cases, and failed ones, there are beyond one of each program that ctest ran, as
# Catch2 tells at the end of each. A program that dies before is one failed test.
more_cases() {
  [[ -f $1 ]] || { echo 0 0; return; }
  awk '/^All tests passed \(/ { total += $(NF - 2) - 1 }
       /^test cases: +[0-9]+ \|/ {
         total += $3 - 1
         if (match($0, /[0-9]+ failed/)) bad += substr($0, RSTART) - 1
       }
       END { print total + 0, bad + 0 }' "$1"
}

# ends_of_failed LOG: the last lines that each failed test has printed, for whoever sees no more than this.
ends_of_failed() {
  [[ -f $1 ]] || return 0
  awk '/^[0-9]+\/[0-9]+ Testing: / { name = $0; sub(/.* Testing: /, "", name); count = 0 }
       { line[count++] = $0 }
       /^Test Failed|^Unable to find executable/ {
         print "  " name ", its last lines:"
         for (i = count > 40 ? count - 40 : 0; i < count; ++i) print "    " substr(line[i], 1, 300)
       }' "$1"
}

# run_tests PRESET [OPTIONS OF CTEST]: a build that fails counts as one failed test.
run_tests() {
  local preset=$1 log=build/$1/test.log details=build/$1/Testing/Temporary/LastTest.log
  local total bad skipped more more_bad
  if ! build "$preset"; then
    failed=$((failed + 1))
    return
  fi
  echo "testing $preset"
  rm -f "$details"
  local status=0
  logged "$log" "testing $preset" ctest --preset "$preset" --parallel "$(job_count)" "${@:2}" ||
    status=$?
  read -r bad total < <(sed -n \
    's/^[0-9]*% tests passed, \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$log"; echo 0 0)
  skipped=$(grep -c '^[[:space:]]*[0-9]* - .* (Skipped)$' "$log" || true)
  if ((status != 0 && bad == 0)); then
    echo "ctest failed: $(reason "$log") [$log]" >&2
    bad=1 total=$((total + 1))
  elif ((bad > 0)); then
    grep '^[[:space:]]*[0-9]* - .* (.*)' "$log" | sed 's/^[[:space:]]*/  failed: /' >&2
    ends_of_failed "$details" >&2
    echo "  all of their output is in $log" >&2
  fi
  read -r more more_bad < <(more_cases "$details")
  total=$((total + more)) bad=$((bad + more_bad))
  echo "$preset: $((total - bad - skipped)) passed, $bad failed, $skipped skipped"
  passed=$((passed + total - bad - skipped))
  failed=$((failed + bad))
}

require_packages scripts/test_packages.txt
run_tests release
if ! is_chosen --quick; then
  run_tests dev
fi

echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
