#include "core/derivatives/moved_entries.hpp"

#include <array>

#include "tests/catch.hpp"

using namespace daewave;

TEST_CASE("each entry is moved, told by how much, and put back", "[differences]") {
  const std::array<double, 3> kept{1, 1e10, -3};
  std::array<double, 3> x = kept;
  const auto entry = [&](int i) -> double& { return x[static_cast<std::size_t>(i)]; };
  const auto step = [](int i, double) { return i == 1 ? 1.1e-6 : 0.5; };
  int seen = 0;
  CHECK(move_each(3, entry, step, [&](int i, double taken) {
    CHECK(i == seen++);
    for (int j = 0; j < 3; ++j) {
      const double by = entry(j) - kept[static_cast<std::size_t>(j)];
      CHECK(by == (i == j ? taken : 0));
    }
    // Of 1.1e-6 beside 1e10 a multiple of 2^-19 is left.
    CHECK(taken == (i == 1 ? 1.9073486328125e-06 : 0.5));
    return true;
  }));
  CHECK(seen == 3);
  CHECK(x == kept);
}

TEST_CASE("an entry is put back where its column is refused, and the others stay",
          "[differences]") {
  std::array<double, 3> x{1, 2, 3};
  const auto entry = [&](int i) -> double& { return x[static_cast<std::size_t>(i)]; };
  int seen = 0;
  CHECK_FALSE(move_each(
      3, entry, [](int, double) { return 1.0; },
      [&](int i, double) {
        ++seen;
        return i == 0;
      }));
  CHECK(seen == 2);
  CHECK(x == std::array<double, 3>{1, 2, 3});
}
