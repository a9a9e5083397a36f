// What is said of derivatives along lines, held against short steps.

#include "core/adapt/closer_look.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

namespace daewave {
namespace {

/// Whether it holds of sin x + x y at (0.3, -0.7), moving by (2, 0.5), that derivatives are `said`,
/// or that of the size of g it is no more than rounding.
bool holds(Ask what, const double* said, double size = 1) {
  ProblemFunctions of;
  of.sizes = {.nq = 2, .ny = 1};
  of.g = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      const double x = at.q[p], y = at.q[at.stride + p];
      out[p] = std::sin(x) + x * y;
    }
  };
  const double t = 0, q[] = {0.3, -0.7}, v[] = {2, 0.5};
  const Points at{1, 1, &t, q, v, nullptr};
  const CloserLook look(what);
  const int count = what == Ask::G ? 2 : 1, begin = 3;
  LinePoints points;
  points.reset(begin + CloserLook::values * count, of.sizes);
  look.place(of, at, count, points, begin);
  points.call(of);
  return look.holds(of, at, count, points, begin, &size, said);
}

}  // namespace

TEST_CASE("a derivative that is right holds closer, and one that is off by a tenth does not",
          "[differences]") {
  const double G[] = {std::cos(0.3) - 0.7, 0.3}, bend = -4 * std::sin(0.3) + 2 * 2 * 0.5;
  CHECK(holds(Ask::G, G));
  CHECK(holds(Ask::curvature, &bend));
  for (const double by : {0.9, 1.1, -1.0}) {
    const double wrong[] = {G[0], by * G[1]}, other = by * bend;
    CAPTURE(by);
    CHECK_FALSE(holds(Ask::G, wrong));
    CHECK_FALSE(holds(Ask::curvature, &other));
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(holds(Ask::curvature, &nan));
}

TEST_CASE("where terms are so large that short steps are rounding, nothing is contradicted",
          "[differences]") {
  const double wrong = 5;
  CHECK_FALSE(holds(Ask::curvature, &wrong));
  CHECK(holds(Ask::curvature, &wrong, 1e12));
}

}  // namespace daewave
