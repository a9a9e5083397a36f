#!/usr/bin/env bash
set -euo pipefail
# CMAKE_ARGS and what page_libraries.sh prints are lists of words.
# shellcheck disable=SC2046,SC2086
cmake -S . -B build/conda -G Ninja ${CMAKE_ARGS:-} $(packaging/page_libraries.sh build/page) \
  -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DDAEWAVE_WARNINGS_AS_ERRORS=OFF \
  -DDAEWAVE_BUILD_TESTS=OFF -DDAEWAVE_BUILD_EXAMPLES=OFF -DDAEWAVE_BUILD_PYTHON=ON \
  -DDAEWAVE_PYTHON="$PYTHON" -DDAEWAVE_PYTHON_DIRECTORY="${SP_DIR#"$PREFIX"/}" \
  -DCMAKE_INSTALL_PREFIX="$PREFIX"
cmake --build build/conda
cmake --install build/conda
