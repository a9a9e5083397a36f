#!/usr/bin/env bash
# Makes the Debian packages and the wheel, and has them used on a machine that has nothing but them.
set -uo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 1
usage="usage: packaging/check.sh [--built FOLDER] [--no-site] [--wheel FILE] [--no-wheel]

As root, with debootstrap, lintian and an archive of Debian packages that apt reaches:

- builds preset packages and makes libdaewave0, libdaewave-dev, daewave and python3-daewave with cpack;
- libdaewave.so shows namespace daewave and nothing else;
- lintian finds no error and no warning in them (packaging/debian/lintian-tags says what is let pass, and why);
- makes the documentation as a site, without a warning;
- makes a wheel of the Python package, without a network;
- in a bare chroot (tests/packages/chroot_test.sh) apt installs the packages, the programs of the README are built
  with find_package and with pkg-config and print what it says, Python imports the package, man shows the manual,
  nothing is left after apt-get purge; then the wheel installs into an environment of its own, and examples/python run.

One line for each; the exit code is 0 if all of it was done and passed, and 1 otherwise.

  --built FOLDER   a build folder of preset packages: nothing is compiled of the packages
  --no-site        not the site (doxygen, python3-sphinx, python3-breathe, python3-myst-parser)
  --wheel FILE     this wheel, instead of one that is made, for which all is compiled in build/wheel
  --no-wheel       no wheel
  --help           this text"
built=build/packages make=1 site=1 wheel=make
while (($# > 0)); do
  case $1 in
    --built) built=${2:?FOLDER} make=0 && shift ;;
    --no-site) site=0 ;;
    --wheel) wheel=${2:?FILE} && shift ;;
    --no-wheel) wheel="" ;;
    --help | -h) echo "$usage" && exit 0 ;;
    *) echo "check.sh: unknown option $1; known: --built --no-site --wheel --no-wheel --help" >&2 && exit 2 ;;
  esac
  shift
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# passes WHAT COMMAND...: stops with the end of its output where the command fails.
passes() {
  local what=$1
  shift
  if "$@" >"$folder/log" 2>&1; then
    echo "passed: $what"
  else
    tail -40 "$folder/log"
    echo "failed: $what"
    exit 1
  fi
}

packages() {
  if ((make)); then
    cmake --preset packages && cmake --build --preset packages || return 1
  fi
  rm -f "$built"/*.deb
  (cd "$built" && cpack -G DEB) && test "$(find "$built" -maxdepth 1 -name '*.deb' | wc -l)" = 4
}
passes "four Debian packages" packages
# What cmake/daewave.map means: functions, types and constants of the namespace, their tables and guards.
one_namespace() {
  local shown
  shown=$(nm -D --defined-only "$built/libdaewave.so" | awk '{print $3}' | sed 's/@.*//') || return 1
  grep -q '^_ZN7daewave' <<<"$shown" || return 1
  ! grep -vE '^DAEWAVE_0$|^_Z(T[ISV]|G?V?Z?)?NK?7daewave|^_ZGVN7daewave|^_ZZNK?7daewave|^_ZThn[0-9]+_N7daewave' <<<"$shown"
}
passes "the library shows its namespace alone" one_namespace
passes "lintian" lintian --fail-on error,warning --suppress-tags-from-file packaging/debian/lintian-tags "$built"/*.deb
((!site)) || passes "the site, without a warning" cmake --build "$built" --target docs
if [[ $wheel == make ]]; then
  passes "a wheel, without a network" /usr/bin/python3 -m pip wheel --no-index --no-build-isolation --no-deps \
    --no-cache-dir --wheel-dir "$folder/wheel" .
  wheel=$(echo "$folder"/wheel/*.whl)
fi
# What could not be tried has not passed.
passes "used in a bare chroot" tests/packages/chroot_test.sh "$built" ${wheel:+"$wheel"}
