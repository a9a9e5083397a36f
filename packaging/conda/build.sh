#!/usr/bin/env bash
set -euo pipefail
cmake -S . -B build/conda -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
  -DDAEWAVE_BUILD_TESTS=OFF -DDAEWAVE_BUILD_EXAMPLES=OFF -DDAEWAVE_BUILD_PYTHON=ON \
  -DDAEWAVE_PYTHON="$PYTHON" -DDAEWAVE_PYTHON_DIRECTORY="${SP_DIR#"$PREFIX"/}" \
  -DCMAKE_INSTALL_PREFIX="$PREFIX"
cmake --build build/conda
cmake --install build/conda
