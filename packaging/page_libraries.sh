#!/usr/bin/env bash
# What the pages of --report contain, for machines without Debian's libjs-dygraphs and libjs-three: fetches
# dygraphs and three.js by npm, looks whether they are the ones that are meant, and prints the options of CMake
# that name them.
#
#   cmake ... $(packaging/page_libraries.sh FOLDER)
set -euo pipefail
mkdir -p "${1:?FOLDER to put them into}"
folder=$(cd "$1" && pwd)

# fetch NAME VERSION SHA256
fetch() {
  local archive="$folder/$1-$2.tgz"
  [[ -f $archive ]] || (cd "$folder" && npm pack --silent "$1@$2" >/dev/null)
  if ! echo "$3  $archive" | sha256sum --check --quiet >&2; then
    rm -f "$archive"
    echo "page_libraries.sh: $1 $2 is not what it was when this was written; it was removed" >&2
    exit 1
  fi
  mkdir -p "$folder/$1"
  tar -xzf "$archive" -C "$folder/$1" --strip-components=1
}

fetch dygraphs 2.2.1 f515549becffeb0912b0dffa963f7d42726818ca7ef5605bdd7707995742b7ec
fetch three 0.111.0 c0f06a76cad7d725a8a21d11d1de145e1f574d68cb130ab2f153e0c1c289bf41
echo "-DDAEWAVE_DYGRAPHS=$folder/dygraphs/dist -DDAEWAVE_THREE=$folder/three/build"
