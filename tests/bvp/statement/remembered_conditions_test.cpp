// Conditions that are remembered: the values are those of the conditions, and calls are few.

#include "bvp/statement/remembered_conditions.hpp"

#include <cmath>

#include "bvp/statement/forward_differences.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

struct Counted {
  int calls = 0;
  Conditions as_conditions(Conditions of) {
    return remembered([this, of = std::move(of)](const VecX& left, const VecX& right) {
      ++calls;
      return of(left, right);
    });
  }
};

/// Jacobians as Newton's method takes them, of both ends side by side.
MatX differences(const Conditions& conditions, const VecX& left, const VecX& right) {
  constexpr int further = 4;
  const VecX at = conditions(left, right), weight = VecX::Ones(left.size());
  MatX J(at.size(), 2 * left.size());
  MatX of_left(at.size(), left.size()), of_right = of_left;
  const auto with = [&](const VecX& value, VecX& out) {
    out = value;
    return true;
  };
  forward_differences([&](const VecX& x, VecX& out) { return with(conditions(x, right), out); },
                      left, at, weight, of_left, further);
  forward_differences([&](const VecX& x, VecX& out) { return with(conditions(left, x), out); },
                      right, at, weight, of_right, further);
  J << of_left, of_right;
  return J;
}

VecX two(double a, double b) { return VecX{{a, b}}; }

}  // namespace

TEST_CASE("derivatives of remembered conditions are those of the conditions, in fewer calls",
          "[nonlinear][conditions]") {
  const Conditions curved = [](const VecX& left, const VecX& right) {
    return two(left[0] * left[0] - 2, std::exp(right[0]) + 1e-3 * right[1]);
  };
  int alone = 0;
  const Conditions forgotten = [&](const VecX& left, const VecX& right) {
    ++alone;
    return curved(left, right);
  };
  Counted counted;
  const Conditions with = counted.as_conditions(curved);
  for (const double t : {0.3, 0.7}) {
    const VecX left = two(1 + t, 2), right = two(t, -1);
    const MatX known = differences(forgotten, left, right), found = differences(with, left, right);
    CHECK(found.isApprox(known, 1e-12));
    CHECK(found(0, 0) == Approx(2 * left[0]).epsilon(1e-6));
    CHECK(found(1, 3) == Approx(1e-3).epsilon(1e-4));
  }
  // A second move of an entry shows that a condition has none of it.
  CHECK(3 * counted.calls <= 2 * alone);
}

TEST_CASE("an entry that is lost in rounding is looked for further", "[nonlinear][conditions]") {
  const Conditions lost = [](const VecX& left, const VecX&) {
    return two(1e7 + 1e-3 * left[0], left[1]);
  };
  Counted counted;
  const MatX found = differences(counted.as_conditions(lost), two(1, 1), two(0, 0));
  CHECK(found(0, 0) == Approx(1e-3).epsilon(1e-3));
  CHECK(found(1, 1) == Approx(1));
}

TEST_CASE("a state that differs in one entry is evaluated where the conditions are curved",
          "[nonlinear][conditions]") {
  const Conditions curved = [](const VecX& left, const VecX& right) {
    return two(left[0] * left[0] - 2, right[0] * left[1]);
  };
  Counted counted;
  const Conditions with = counted.as_conditions(curved);
  const VecX left = two(1, 3), right = two(2, 0);
  differences(with, left, right);
  // Also where it is moved by 1e4 times as much as before, as for a difference.
  for (const double by : {0.5, 0.7, -0.3, 1e-3, 10.0, 1e-5, 0.1}) {
    const VecX moved = two(1 + by, 3);
    CAPTURE(by);
    CHECK(with(moved, right) == curved(moved, right));
  }
  CHECK(with(two(1.5, 3), two(2.5, 1)) == curved(two(1.5, 3), two(2.5, 1)));
}

TEST_CASE("linear conditions are not called again for their derivatives",
          "[nonlinear][conditions]") {
  const Conditions linear = [](const VecX& left, const VecX& right) {
    return two(left[0] - 1, 2 * right[0] - 3 * left[1]);
  };
  Counted counted;
  const Conditions with = counted.as_conditions(linear);
  differences(with, two(0, 0), two(0, 0));
  differences(with, two(0.5, 1), two(-1, 2));
  const int before = counted.calls;
  const MatX found = differences(with, two(0.7, 1.5), two(-2, 2));
  CHECK(counted.calls == before + 1);
  CHECK(found.isApprox(differences(linear, two(0.7, 1.5), two(-2, 2)), 1e-6));
}

TEST_CASE("conditions that were seen to be curved once are not taken for linear ones later",
          "[nonlinear][conditions]") {
  // Far from zero one step changes them by little of their terms, though the slope is another one.
  const Conditions curved = [](const VecX& left, const VecX&) {
    return two((left[0] - 1e6) * (left[0] - 1e6), left[1]);
  };
  Counted counted;
  const Conditions with = counted.as_conditions(curved);
  const VecX right = two(0, 0);
  differences(with, two(3e6, 1), right);
  for (const double off : {3.0, 4.0, 5.0, 6.0}) {
    CAPTURE(off);
    const MatX found = differences(with, two(1e6 + off, off), right);
    CHECK(found(0, 0) == Approx(2 * off).epsilon(0.01));
    CHECK(found(1, 1) == Approx(1));
  }
}

}  // namespace daewave::bvp
