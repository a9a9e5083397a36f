#!/usr/bin/env bash
# shellcheck disable=SC2129
# In a bare chroot, by chroot_test.sh: /daewave has the packages, the README and, if one is to be tried, a wheel.
set -euo pipefail
cd /daewave
log=/daewave/log
said=""
step() {
  said=$1
  : >"$log"
  echo "- $1"
}
trap 'echo "failed: $said"; tail -40 "$log"' ERR

# block LANGUAGE N: the n-th block of code of the README in that language.
block() {
  awk -v language="$1" -v n="$2" '
    /^```/ { inside = !inside; if (inside) { here = substr($0, 4) == language; count += here }; next }
    inside && here && count == n' README.md
}
step "apt installs the packages and what they need, nothing else"
apt-get update -q >>"$log" 2>&1
apt-get install -qy --no-install-recommends ./debs/*.deb >>"$log" 2>&1
ldconfig -p | grep >/dev/null 'libdaewave\.so\.0 '

step "the program runs, and has a manual"
daewave --version >>"$log"
daewave solve al1-example1 --tolerance 1e-8 >>"$log"
daewave solve taylor-green --set cells=8 >>"$log"
(cd /tmp && daewave new slider-crank >crank.toml && daewave solve crank.toml --t-end 1 --report crank.html >>"$log" &&
  test "$(stat -c %s crank.html)" -gt 100000)
apt-get install -qy --no-install-recommends man-db >>"$log" 2>&1
man daewave 2>>"$log" | grep >/dev/null "solve"

step "python3 imports and solves"
(cd /tmp && python3 -c "import daewave; print(daewave.__file__)" | tee -a "$log" | grep >/dev/null '^/usr/lib/python3/dist-packages/daewave/')
test -n "$(block python 1)"
# Without matplotlib there are no pictures.
(block python 1 | grep -v '^result.plot()'; echo 'assert result.success, result.message') >/tmp/first.py
(cd /tmp && python3 first.py >>"$log" 2>&1 && test -s pendulum.html)
python3 -c "from importlib.metadata import version; print(version('daewave'))" >>"$log" 2>&1

step "the programs of the README are built by find_package and pkg-config, and print what it says"
apt-get install -qy --no-install-recommends g++ cmake make pkg-config >>"$log" 2>&1
mkdir first && cat >first/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(first LANGUAGES CXX)
find_package(daewave 0.2 REQUIRED COMPONENTS core bvp ivp)
foreach(n IN ITEMS 1 2)
  add_executable(program${n} program${n}.cpp)
  target_link_libraries(program${n} PRIVATE daewave::bvp daewave::ivp)
endforeach()
CMAKE
for n in 1 2; do
  block cpp $n >first/program$n.cpp
  test -s first/program$n.cpp
done
cmake -S first -B first/build >>"$log" 2>&1
cmake --build first/build >>"$log" 2>&1
# tests/examples/documents_test.py has compared the README with these.
examples=(none tree/examples/01_first_solve.cpp tree/examples/08_pendulum.cpp)
for n in 1 2; do
  # shellcheck disable=SC2046
  g++ -std=c++20 -O1 first/program$n.cpp $(pkg-config --cflags --libs daewave) -o first/plain$n >>"$log" 2>&1
  for program in first/build/program$n first/plain$n; do
    python3 -B tree/tests/examples/compare_output.py "$program" "${examples[n]}" >>"$log"
    ldd "$program" | grep >/dev/null 'libdaewave\.so\.0 => /lib/'
  done
done

step "nothing of them is left when they are removed"
apt-get purge -qy daewave libdaewave-dev libdaewave0 python3-daewave >>"$log" 2>&1
find / -xdev -path /daewave -prune -o -path /proc -prune -o -path /tmp -prune -o -path /var/log -prune -o \
  -path /var/cache/man -prune -o \
  -iname '*daewave*' -print >>"$log"
if grep -q "^/" "$log"; then false; fi

if [[ -d wheel ]]; then
  step "a wheel installs into an environment of its own, where the examples run"
  apt-get install -qy --no-install-recommends python3-venv python3-numpy python3-sympy python3-matplotlib \
    python3-pil python3-scipy >>"$log" 2>&1
  python3 -m venv --system-site-packages venv >>"$log" 2>&1
  venv/bin/pip install --no-index ./wheel/*.whl >>"$log" 2>&1
  DAEWAVE_SOURCE=/daewave/tree venv/bin/python -B tree/tests/python/examples_test.py >>"$log" 2>&1
fi
