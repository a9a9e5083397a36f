#!/usr/bin/env bash
# Installs the Debian packages in a bare chroot, uses them as the README says, and removes them.
#
#   chroot_test.sh FOLDER_OF_DEBS README [MIRROR]       as root; a folder in /tmp, 2 GB
#
# Exit codes: 0 passed, 1 failed, 77 nothing was tried: no root, no debootstrap or no mirror.
set -uo pipefail
debs=$(realpath "${1:?folder of .deb}") readme=$(realpath "${2:?README.md}")
mirror=${3:-$(sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) bookworm main.*/\2/p; s/^URIs: *//p' /etc/apt/sources.list \
  /etc/apt/sources.list.d/* 2>/dev/null | head -1)}
skip() { echo "skipped: $1"; exit 77; }
[[ $EUID == 0 ]] || skip "not root"
command -v debootstrap >/dev/null || skip "no debootstrap"
[[ -n $mirror ]] || skip "no mirror of Debian 12 is known; name one"
root=$(mktemp -d /tmp/daewave-chroot.XXXXXX)
leave() {
  umount "$root/proc" 2>/dev/null
  rm -rf --one-file-system "$root"
}
trap leave EXIT
debootstrap --variant=minbase bookworm "$root" "$mirror" > "$root.log" 2>&1 ||
  { tail -3 "$root.log"; rm -f "$root.log"; skip "debootstrap from $mirror failed"; }
rm -f "$root.log"
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null
cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null
mkdir -p "$root/debs" "$root/first"
cp "$debs"/*.deb "$root/debs/"
# The first program of the README.
awk '/^```cpp$/ && !seen {on = 1; seen = 1; next} /^```$/ {on = 0} on' "$readme" > "$root/first/tanks.cpp"
cat > "$root/first/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(tanks LANGUAGES CXX)
find_package(daewave 0.1 REQUIRED COMPONENTS bvp)
add_executable(tanks tanks.cpp)
target_link_libraries(tanks PRIVATE daewave::bvp)
CMAKE
cat > "$root/use.sh" <<'USE'
set -eux
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
apt-get update -q
apt-get install -qy --no-install-recommends ./debs/*.deb
daewave --version
daewave solve al1-example1 --tolerance 1e-8
daewave solve taylor-green --set cells=8
python3 -c "import daewave; print(daewave.__file__)"
test -s /usr/share/man/man1/daewave.1.gz -o -s /usr/share/man/man1/daewave.1
apt-get install -qy --no-install-recommends g++ cmake make pkg-config man-db
man daewave | grep -q solve
cmake -S first -B first/build && cmake --build first/build
first/build/tanks | tee out
grep -q "heater y = 2.0333" out
g++ -std=c++20 first/tanks.cpp $(pkg-config --cflags --libs daewave) -o tanks && ./tanks | cmp - out
apt-get purge -qy daewave libdaewave-dev libdaewave0 python3-daewave
test -z "$(find /usr -path /usr/share/doc -prune -o -iname '*daewave*' -print)"
USE
if chroot "$root" bash /use.sh > "$root.out" 2>&1; then
  echo "installed, used and removed in a chroot"
  rm -f "$root.out"
else
  tail -40 "$root.out"
  rm -f "$root.out"
  exit 1
fi
