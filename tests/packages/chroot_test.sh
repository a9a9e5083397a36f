#!/usr/bin/env bash
# Installs the Debian packages in a bare chroot, uses them as the README says, and removes them.
#
#   chroot_test.sh FOLDER_OF_DEBS [WHEEL]       as root; a folder in TMPDIR, 2 GB; some minutes
#
# The chroot is of this machine's suite, from its sources of packages, by its proxies. A wheel of the Python
# package is installed there too, after the packages are removed, and the examples run. Exit codes: 0 passed, 1
# failed, 77 nothing was tried: no root, no debootstrap, or no packages to be had.
set -uo pipefail
tree=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
skip() { echo "skipped: $1"; exit 77; }
debs=$(realpath -m "${1:?folder of .deb}")
compgen -G "$debs/*.deb" >/dev/null || { echo "no .deb in $debs; cpack makes them (packaging/README.md)"; exit 1; }
wheel=${2:+$(realpath -e "$2")} || { echo "there is no wheel $2"; exit 1; }
[[ $EUID == 0 ]] || skip "not root"
command -v debootstrap >/dev/null || skip "no debootstrap"
# Mounts of its own, which end with it however it ends.
[[ -n ${DAEWAVE_CHROOT_TEST:-} ]] ||
  exec env DAEWAVE_CHROOT_TEST=1 unshare --mount --propagation private "$BASH" "${BASH_SOURCE[0]}" "$@"

suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release) origin=$(sed -n 's/^ID=//p' /etc/os-release)
# Of all sources, in whatever form they are written: those of the distribution.
# shellcheck disable=SC2016
sources=$(apt-get indextargets --format '$(ORIGIN) deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
  'Created-By: Packages' | sort -u | sed -n "s/^$origin deb/deb/Ip")
mirror=$(awk -v suite="$suite" '$3 == suite {print $2; exit}' <<<"$sources")
[[ -n $mirror ]] || skip "apt knows no archive of $origin $suite; apt-get update asks for its lists"
export http_proxy=${http_proxy:-$(apt-config shell p Acquire::http::Proxy | sed "s/^p='\(.*\)'$/\1/")}
[[ -n $http_proxy ]] || unset http_proxy

folder=$(mktemp -d "${TMPDIR:-/tmp}/daewave-chroot.XXXXXX") root=$folder/chroot
# shellcheck disable=SC2317
leave() {
  umount -R "$root/proc" 2>/dev/null
  rm -rf --one-file-system "$folder"
}
trap leave EXIT
trap 'exit 1' INT TERM
echo "a chroot of $origin $suite from $mirror"
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$folder/log" 2>&1 ||
  { tail -3 "$folder/log"; skip "debootstrap from $mirror failed"; }
mount -t proc proc "$root/proc" 2>/dev/null || mount --rbind /proc "$root/proc" || skip "no /proc can be mounted"
echo "$sources" >"$root/etc/apt/sources.list"
# How archives are reached from here.
apt-config dump | grep -iE '^Acquire::[^ ]*(Proxy|Retries|Timeout|Check-Valid-Until)( |::[^ ]* )' |
  grep -vi Proxy-Auto >"$root/etc/apt/apt.conf.d/90machine"
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null

mkdir "$root/daewave" && cp -r "$debs" "$root/daewave/debs"
cp "$tree/README.md" "$tree/tests/packages/in_chroot.sh" "$root/daewave/"
mkdir -p "$root/daewave/tree/tests" && cp -r "$tree/examples" "$root/daewave/tree/"
cp -r "$tree/tests/examples" "$tree/tests/python" "$root/daewave/tree/tests/"
[[ -z $wheel ]] || install -D -t "$root/daewave/wheel" "$wheel"
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 ${http_proxy:+http_proxy="$http_proxy"} \
  DEBIAN_FRONTEND=noninteractive chroot "$root" bash /daewave/in_chroot.sh
status=$?
((status == 0)) && echo "installed, used and removed in a chroot"
exit $((status != 0))
