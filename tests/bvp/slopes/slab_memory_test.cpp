// Pieces of slabs: by themselves, and no more memory than was expected.

#include "bvp/slopes/slab_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/catch.hpp"

namespace daewave::bvp {

TEST_CASE("pieces of a slab do not overlap, whatever their sizes", "[slopes]") {
  SlabMemory memory;
  std::vector<std::pair<double*, std::size_t>> pieces;
  std::size_t expected = 5000;
  for (std::size_t i = 0; i < 300; ++i) {
    const std::size_t count = 1 + i * 7919 % 97;
    pieces.emplace_back(memory.take(count, expected), count);
    std::fill_n(pieces.back().first, count, static_cast<double>(i));
    expected = expected > count ? expected - count : 1;  // Fewer than are taken in the end.
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto [first, count] = pieces[i];
    CHECK(std::all_of(first, first + count,
                      [i](double one) { return one == static_cast<double>(i); }));
  }
}

TEST_CASE("pieces that are expected lie one behind the other", "[slopes]") {
  SlabMemory memory;
  double* const first = memory.take(30, 128);
  CHECK(reinterpret_cast<std::uintptr_t>(first) % 64 == 0);
  // Each on a cache line.
  for (int i = 1; i < 4; ++i) CHECK(memory.take(30, 128 - 32 * i) == first + 32 * i);
}

}  // namespace daewave::bvp
