// RowNumbers of constraints that others imply, told from those that do so in one state alone.

#include "core/start/redundant_rows.hpp"

#include <cmath>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

using RowNumbers = std::vector<int>;

/// A point in space with M = I under two constraints, g = (x, second(x, y, z, t)).
template <class Second>
DaeProblemPtr under_moving(Second second, const Interval& interval) {
  ProblemFunctions of{.kind = Kind::multibody, .sizes = {.nq = 3, .ny = 2}};
  of.mass = Structure::Mass::diagonal;
  of.f = [](const Points& at, double* out) { std::fill_n(out, 3 * at.count, 0.0); };
  of.M = [](const Points& at, double* out) { std::fill_n(out, 3 * at.count, 1.0); };
  of.g = [second](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      const double x = at.q[p];
      out[p] = x;
      out[at.count + p] = second(x, at.q[at.stride + p], at.q[2 * at.stride + p], at.t[p]);
    }
  };
  of.differences = true;
  of.interval = interval;
  return problem_from_functions(of);
}

/// The same without t.
template <class Second>
DaeProblemPtr under(Second second) {
  return under_moving([second](double x, double y, double z, double) { return second(x, y, z); },
                      {0, 1});
}

}  // namespace

TEST_CASE("a row that another implies everywhere is found, and none where all are needed",
          "[core][start]") {
  const auto twice = under([](double x, double, double) { return 2 * x; });
  const RedundantRows found = redundant_rows(*twice, VecX::Zero(6), 0);
  CHECK(found.here == RowNumbers{1});
  CHECK(found.everywhere == RowNumbers{1});
  const auto plane = under([](double x, double y, double) { return x + y; });
  CHECK(redundant_rows(*plane, VecX::Zero(6), 0).here.empty());
}

TEST_CASE("rows that depend on each other in one state alone are not redundant, at zero neither",
          "[core][start]") {
  const auto cross = under([](double x, double y, double z) { return x + y * z; });
  const RedundantRows at_zero = redundant_rows(*cross, VecX::Zero(6), 0);
  CHECK(at_zero.here == RowNumbers{1});
  CHECK(at_zero.everywhere.empty());
}

TEST_CASE("a row that is another but for a millionth of it is one of its own", "[core][start]") {
  const auto nearly = under([](double x, double y, double) { return x + 1e-6 * y; });
  CHECK(redundant_rows(*nearly, VecX::Zero(6), 0).here.empty());
  const auto same = under([](double x, double y, double) { return x + 1e-9 * y; });
  CHECK(redundant_rows(*same, VecX::Zero(6), 0).here == RowNumbers{1});
}

TEST_CASE("rows that contradict each other later are not redundant, soon or late in the interval",
          "[core][start]") {
  for (const double length : {1.0, 100.0}) {
    for (const double part : {0.5e-3, 2e-3, 0.4, 0.97, 2.0}) {
      CAPTURE(length, part);
      const auto parting = under_moving(
          [&](double x, double, double, double t) { return 2 * x + (t > part * length ? 1 : 0); },
          {0, length});
      const RedundantRows found = redundant_rows(*parting, VecX::Zero(6), 0);
      CHECK(found.here == RowNumbers{1});
      CHECK(found.everywhere == (part > 1 ? RowNumbers{1} : RowNumbers{}));
    }
  }
}

}  // namespace daewave
