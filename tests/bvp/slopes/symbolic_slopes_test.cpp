// The order in which components are eliminated, and what fills in.

#include "bvp/slopes/symbolic_slopes.hpp"

#include <vector>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using Entries = std::vector<SymbolicSlopes::Entry>;

SymbolicSlopes::Pattern pattern(int n, const Entries& entries) {
  SymbolicSlopes::Pattern pattern(static_cast<std::size_t>(n * n), 0);
  for (const auto [i, j] : entries) pattern[static_cast<std::size_t>(i + j * n)] = 1;
  return pattern;
}

}  // namespace

TEST_CASE("positions are eliminated from velocities without a pivot of their own", "[nonlinear]") {
  // q' = v, v' = f(q, v), of two coordinates.
  Entries entries{{0, 2}, {1, 3}};
  for (int j = 0; j < 4; ++j) {
    entries.push_back({2, j});
    entries.push_back({3, j});
  }
  const auto symbolic = SymbolicSlopes::where_it_pays(4, 4, pattern(4, entries));
  REQUIRE(symbolic != nullptr);
  const std::vector<SymbolicSlopes::Step>& steps = symbolic->steps();
  REQUIRE(steps.size() == 5);  // The last one substitutes back.
  for (int s = 0; s < 4; ++s) {
    CAPTURE(s);
    const bool is_position = steps[s].rights.front() < 2;
    CHECK(is_position == (s < 2));
    CHECK((steps[s].diagonal == SymbolicSlopes::none) == is_position);
  }
  CHECK(steps.back().rights.empty());
  // Nothing fills in: velocities depend on each other already.
  CHECK(symbolic->blocks() == 10);
  CHECK(symbolic->nodes() == 16);
}

TEST_CASE("what does not depend on a component by way of others has no entry of it",
          "[nonlinear]") {
  // The rod of problems/bent_beams.hpp: places depend on the angle, which turns with the curvature,
  // and that on angle and force.
  const Entries entries{{0, 2}, {1, 2}, {2, 3}, {3, 2}, {3, 4}};
  const auto symbolic = SymbolicSlopes::where_it_pays(5, 4, pattern(5, entries));
  REQUIRE(symbolic != nullptr);
  CHECK(symbolic->entries().size() == entries.size());
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      CAPTURE(i, j);
      CHECK((symbolic->node(i, j) != SymbolicSlopes::none) == (i < 4 && j >= 2));
    }
  }
  CHECK(symbolic->nodes() == 12);
  // One fills in: the curvature's own, by way of the angle.
  CHECK(symbolic->blocks() == 6);
}

TEST_CASE("where few entries vanish rows are as fast", "[nonlinear]") {
  for (const int n : {1, 3, 6}) {
    SymbolicSlopes::Pattern all(static_cast<std::size_t>(n * n), 1);
    CHECK(SymbolicSlopes::where_it_pays(n, 3, all) == nullptr);
    all.back() = 0;
    if (n > 1) CHECK(SymbolicSlopes::where_it_pays(n, 3, all) == nullptr);
  }
}

}  // namespace daewave::bvp
