// Any text behind --vary, lines as several of them: a grid, or a complaint.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cli/sweep/grid.hpp"
#include "core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> texts(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == '\n') {
      texts.emplace_back();
    } else {
      texts.back() += static_cast<char>(data[i]);
    }
  }
  try {
    const daewave::cli::Grid grid(texts);
    for (const int number : {0, grid.count() / 2, grid.count() - 1}) {
      for (const auto& one : grid.at(number)) {
        if (!std::isfinite(one.value)) std::abort();
      }
    }
  } catch (const daewave::Error& error) {
    if (std::strlen(error.what()) == 0) std::abort();
  }
  return 0;
}
