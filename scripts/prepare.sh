# shellcheck shell=bash disable=SC2154,SC2086,SC2015
# Sourced by demo.sh and test.sh, in the root of the tree, after they have set
#   usage    the text of --help
#   options  the options they know, as one string
# Reads the options into `chosen`; offers require_packages, require_folder,
# build, job_count, is_chosen, reason and fail.

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

require_folder() {
  mkdir -p "$1" 2>/dev/null && [[ -w $1 ]] ||
    fail "cannot write to $PWD/$1; copy the tree to where you may write"
}

chosen=" "
for argument in "$@"; do
  case " $options --help -h " in
    *" $argument "*) chosen+="$argument " ;;
    *)
      echo "$(basename "$0"): unknown option $argument; known: $options --help" >&2
      exit 2
      ;;
  esac
done
case $chosen in *" --help "* | *" -h "*)
  echo "$usage"
  exit 0
  ;;
esac

is_chosen() { [[ $chosen == *" $1 "* ]]; }

# missing_packages LIST...: those of the lists that are not here.
missing_packages() {
  local package command list state asked=() installed=" "
  for list in "$@"; do
    while read -r package command; do
      [[ -z $package || $package == "#"* ]] && continue
      [[ -n $command ]] && command -v "$command" >/dev/null && continue
      # Where there is no dpkg, only commands can be looked for; CMake will tell about the rest.
      [[ -z $command ]] && ! command -v dpkg-query >/dev/null && continue
      asked+=("$package")
    done <"$list"
  done
  ((${#asked[@]})) || return 0
  # In one call: it takes longer to start than to answer.
  if command -v dpkg-query >/dev/null; then
    while read -r package state; do
      [[ $state != installed ]] || installed+="$package "
    done < <(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${asked[@]}" 2>/dev/null)
  fi
  for package in "${asked[@]}"; do
    [[ $installed == *" $package "* ]] || echo "$package"
  done
}

# require_packages LIST...: installs what is missing of scripts/packages.txt and of these, or with
# --no-install says what that is and stops.
require_packages() {
  local missing sudo="" log=build/install.log
  missing=$(missing_packages scripts/packages.txt "$@" | tr '\n' ' ')
  missing=${missing% }
  [[ -z $missing ]] && return
  [[ $(id -u) == 0 ]] || sudo="sudo "
  local command="apt-get install -y --no-install-recommends $missing"
  echo "missing Debian packages: $missing"
  if is_chosen --no-install; then
    echo "to install them: ${sudo}apt-get update && $sudo$command"
    fail "stopped, because packages are missing"
  fi
  command -v apt-get >/dev/null || fail "there is no apt-get here to install them with"
  [[ -z $sudo ]] || command -v sudo >/dev/null ||
    fail "neither root nor sudo; run as root: apt-get update && $command"
  echo "installing them; log in $log"
  local quick_fail="-o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=120"
  # One unreachable archive need not stop the installation, so only that is judged.
  ${sudo}env LC_ALL=C apt-get $quick_fail update >"$log" 2>&1 || true
  ${sudo}env LC_ALL=C DEBIAN_FRONTEND=noninteractive ${command/apt-get/apt-get $quick_fail} \
    >>"$log" 2>&1 ||
    fail "apt-get could not install them (no network?): $(reason "$log") [$log]"
}

# The first error in a log on one line, or else its last line.
reason() {
  awk 'in_cmake_error && /[^ ]/ { sub(/^ +/, ""); found = found " " $0; exit }
       in_cmake_error { next }
       /^CMake Error/ { in_cmake_error = 1; found = $0; next }
       /error:|undefined reference|^E: / { found = $0; exit }
       { last = $0 }
       END { print found ? found : last }' "$1"
}

# One per processor, as far as there are 1.5 GB for each, which compiling Eigen may take; CMake's
# own variable overrides it.
job_count() {
  local processors fitting
  processors=$(nproc)
  fitting=$(awk '/^MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo)
  echo "${CMAKE_BUILD_PARALLEL_LEVEL:-$((fitting < 1 ? 1 : fitting < processors ? fitting : processors))}"
}

# tell_progress WHAT: how far a build or a run of tests is, from what it prints; on a terminal each
# step, in place, otherwise a line each tenth.
tell_progress() {
  local what=$1 done all tenth=0
  sed -un -e 's|^\[\([0-9]*\)/\([0-9]*\)\].*|\1 \2|p' -e 's|^ *\([0-9]*\)/\([0-9]*\) Test.*|\1 \2|p' |
    while read -r done all; do
      if [[ -t 1 ]]; then
        printf '\r%s: %d of %d ' "$what" "$done" "$all"
      elif ((all >= 20 && 10 * done / all > tenth)); then
        tenth=$((10 * done / all))
        printf '%s: %d of %d\n' "$what" "$done" "$all"
      fi
    done
  [[ ! -t 1 ]] || printf '\r'
}

# logged LOG WHAT COMMAND...: output goes to the log; standard output sees how far it is.
logged() {
  local log=$1 what=$2
  shift 2
  "$@" 2>&1 | tee "$log" | tell_progress "$what"
  return "${PIPESTATUS[0]}"
}

# build PRESET [TARGET]: configures where that has not been done; says in one line what went wrong.
build() {
  local preset=$1 folder=build/$1 log
  log=$folder/configure.log
  mkdir -p "$folder"
  # A tree that was moved after it was configured has to be configured anew.
  if [[ ! -f $folder/build.ninja ]] ||
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$folder/CMakeCache.txt"; then
    echo "configuring $preset"
    if ! logged "$log" "configuring $preset" cmake --fresh --preset "$preset"; then
      echo "configuring $preset failed: $(reason "$log") [$log]" >&2
      return 1
    fi
  fi
  log=$folder/build.log
  echo "building $preset"
  if ! logged "$log" "building $preset" cmake --build --preset "$preset" --parallel "$(job_count)" \
    ${2:+--target "$2"}; then
    echo "building $preset failed: $(reason "$log") [$log]" >&2
    return 1
  fi
}

require_folder build
# A compiler cache pays here, because the presets compile the same files; it needs a home. What one
# copy of the tree has compiled serves another one, whose paths are elsewhere.
if command -v ccache >/dev/null && [[ -w ${HOME:-/nonexistent} ]]; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
fi
