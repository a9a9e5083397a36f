// Conditions of a problem with those of its constraints, of an extended state, and turned in time.

#include "bvp/equations/problem_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "bvp/equations/extended_conditions.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/core/small_mechanisms.hpp"

namespace daewave::bvp {
namespace {

/// x' = (0, 0, -y), 0 = x1 x2 - x3 - t.
struct Product {
  using State = Vec<3>;
  using Multiplier = Vec<1>;
  State f(const State&, double) const { return State::Zero(); }
  Vec<3> B(const State&, double) const { return {0, 0, 1}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 3>& x, T t) const {
    return VecOf<T, 1>(x[0] * x[1] - x[2] - t);
  }
};

BoundaryProblem of_index_2() {
  BoundaryProblem problem;
  problem.equations = problem_of(with_autodiff(Product{}));
  problem.interval = {2, 5};
  problem.conditions = [](const VecX& left, const VecX& right) -> VecX {
    return Vec<2>(left[0] * right[1], right[2] - std::sin(left[1]));
  };
  return problem;
}

MatX differences(TwoPointConditions& conditions, VecX left, VecX right, bool of_left) {
  constexpr double step = 1e-5;
  MatX B(conditions.count(), left.size());
  VecX more, less;
  for (int j = 0; j < left.size(); ++j) {
    VecX& x = of_left ? left : right;
    const double at = x[j];
    x[j] = at + step;
    conditions.evaluate(left, right, more);
    x[j] = at - step;
    conditions.evaluate(left, right, less);
    x[j] = at;
    B.col(j) = (more - less) / (2 * step);
  }
  return B;
}

}  // namespace

TEST_CASE("constraints are posed after the conditions, at the begin or at the end",
          "[nonlinear][conditions]") {
  const BoundaryProblem problem = of_index_2();
  const VecX left = Vec<3>(0.5, -2, 3), right = Vec<3>(4, 1.5, -1);
  for (const bool at_end : {false, true}) {
    ProblemConditions conditions(problem, left, at_end);
    CAPTURE(at_end);
    REQUIRE(conditions.count() == 3);
    CHECK(conditions.own() == 2);
    VecX r;
    conditions.evaluate(left, right, r);
    REQUIRE(r.size() == 3);
    CHECK(r[0] == Approx(0.75));
    CHECK(r[1] == Approx(-1 - std::sin(-2)));
    CHECK(r[2] == Approx(at_end ? 6 + 1 - 5 : -1 - 3 - 2));
    MatX B0, B1;
    conditions.jacobians(left, right, VecX::Ones(3), B0, B1);
    CHECK((B0 - differences(conditions, left, right, true)).norm() < 1e-5);
    CHECK((B1 - differences(conditions, left, right, false)).norm() < 1e-5);
  }
}

TEST_CASE("of a motion both a constraint and its derivative are posed", "[nonlinear][conditions]") {
  BoundaryProblem problem;
  problem.equations = problem_of(with_autodiff(testing::DrivenPendulum{}));
  problem.interval = {0.3, 1};
  problem.conditions = [](const VecX& left, const VecX&) -> VecX { return left.head(2); };
  const VecX left = Vec<4>(0.2, 0.5, -1, 3), right = Vec<4>(1, 0, 2, 0.4);
  const testing::DrivenPendulum::Derivatives exact;
  for (const bool at_end : {false, true}) {
    ProblemConditions conditions(problem, left, at_end);
    REQUIRE(conditions.count() == 4);
    VecX r;
    conditions.evaluate(left, right, r);
    const VecX& x = at_end ? right : left;
    const double t = at_end ? 1 : 0.3;
    const Vec<2> q = x.head(2), v = x.tail(2);
    CHECK(r[2] == Approx(exact.g(q, t)[0]));
    CHECK(r[3] == Approx((exact.G(q, t) * v + exact.g_t(q, t))[0]));
  }
}

namespace {

struct AtRest {
  using State = Vec<3>;
  State f(const State&, double) const { return State::Zero(); }
};

struct OneAtRest {
  using State = Vec<1>;
  State f(const State&, double) const { return State::Zero(); }
};

BoundaryProblem with_conditions(std::function<VecX(const VecX&, const VecX&)> conditions) {
  BoundaryProblem problem;
  problem.equations = problem_of(AtRest{});
  problem.interval = {0, 1};
  problem.conditions = std::move(conditions);
  return problem;
}

}  // namespace

TEST_CASE("linear conditions are linearized once, and looked at wherever a matrix is made",
          "[nonlinear][conditions]") {
  int calls = 0;
  const BoundaryProblem problem = with_conditions([&](const VecX& left, const VecX& right) -> VecX {
    ++calls;
    return Vec<3>(left[0] - 3 * right[1] + 5, 1e6 * left[2], right[2] - 1e-6 * left[1]);
  });
  ProblemConditions conditions(problem, Vec<3>(1, 1, 1), false);
  MatX B0, B1, again0, again1;
  conditions.jacobians(Vec<3>(0.5, -2, 3), Vec<3>(4, 1.5, -1), VecX::Ones(3), B0, B1);
  const MatX exact0{{1, 0, 0}, {0, 0, 1e6}, {0, -1e-6, 0}};
  const MatX exact1{{0, -3, 0}, {0, 0, 0}, {0, 0, 1}};
  CHECK(((B0 - exact0).array().abs() <= 1e-6 * exact0.array().abs() + 1e-12).all());
  CHECK(((B1 - exact1).array().abs() <= 1e-6 * exact1.array().abs() + 1e-12).all());
  calls = 0;
  conditions.jacobians(Vec<3>(-5, 2, 30), Vec<3>(0, 1e3, -1), VecX::Ones(3), again0, again1);
  CHECK(calls == 1);
  CHECK(again0 == B0);
  CHECK(again1 == B1);
}

TEST_CASE("conditions that are hardly curved, or linear up to somewhere, are linearized anew",
          "[nonlinear][conditions]") {
  using Condition = std::function<double(const VecX&, const VecX&)>;
  const std::vector<Condition> curved{
      [](const VecX& l, const VecX&) { return l[0] + 1e-3 * l[1] * l[1]; },
      [](const VecX& l, const VecX& r) { return l[0] * r[1]; },
      [](const VecX& l, const VecX&) { return 1e4 * l[0] + l[1] * l[1]; },
      [](const VecX&, const VecX& r) { return r[2] + std::max(0.0, r[0] - 3); },
      [](const VecX&, const VecX& r) { return std::sqrt(r[1]); }};
  for (std::size_t i = 0; i < curved.size(); ++i) {
    CAPTURE(i);
    const BoundaryProblem problem =
        with_conditions([&](const VecX& left, const VecX& right) -> VecX {
          return Vec<3>(left[2], right[0] - 1, curved[i](left, right));
        });
    ProblemConditions conditions(problem, Vec<3>(1, 1, 1), false);
    MatX B0, B1;
    conditions.jacobians(Vec<3>(1, 2, 1), Vec<3>(1, 0.5, 1), VecX::Ones(3), B0, B1);
    const VecX left = Vec<3>(2, 3, 0), right = Vec<3>(5, 2, 3);
    conditions.jacobians(left, right, VecX::Ones(3), B0, B1);
    CHECK((B0 - differences(conditions, left, right, true)).norm() < 1e-3);
    CHECK((B1 - differences(conditions, left, right, false)).norm() < 1e-3);
  }
}

TEST_CASE("conditions that throw a little further on are linearized where they do not",
          "[nonlinear][conditions]") {
  BoundaryProblem problem;
  problem.equations = problem_of(OneAtRest{});
  problem.interval = {0, 1};
  problem.conditions = [](const VecX& left, const VecX& right) -> VecX {
    if (left[0] > 1.0001) throw InvalidOption("there is nothing beyond 1.0001");
    return Vec<1>(left[0] + 2 * right[0]);
  };
  ProblemConditions conditions(problem, Vec<1>(1), false);
  MatX B0, B1;
  for (int again = 0; again < 2; ++again) {
    conditions.jacobians(Vec<1>(1), Vec<1>(4), Vec<1>(1), B0, B1);
    CHECK(B0(0, 0) == Approx(1).epsilon(1e-6));
    CHECK(B1(0, 0) == Approx(2).epsilon(1e-6));
  }
}

TEST_CASE("conditions whose number changes are refused with both numbers",
          "[nonlinear][conditions][refused]") {
  BoundaryProblem problem = of_index_2();
  problem.conditions = [](const VecX& left, const VecX&) -> VecX {
    return VecX::Zero(left[0] > 0 ? 2 : 1);
  };
  ProblemConditions conditions(problem, Vec<3>(1, 1, 1), false);
  VecX r;
  CHECK_NOTHROW(conditions.evaluate(Vec<3>(1, 1, 1), Vec<3>(0, 0, 0), r));
  CHECK_THROWS_WITH(conditions.evaluate(Vec<3>(-1, 1, 1), Vec<3>(0, 0, 0), r),
                    contains_text("2 at one pair of states, 1 at another"));
  // There may be none but those of states inside.
  problem.conditions = nullptr;
  ProblemConditions none(problem, Vec<3>(1, 1, 1), false);
  CHECK(none.own() == 0);
  CHECK(none.count() == 1);
}

TEST_CASE("in the time that runs from the end conditions see their states turned and exchanged",
          "[nonlinear][conditions]") {
  const BoundaryProblem problem = of_index_2();
  const VecX left = Vec<3>(0.5, -2, 3), right = Vec<3>(4, 1.5, -1);
  ProblemConditions conditions(problem, left, false);
  const auto turned = [](const VecX& x) -> VecX { return Vec<3>(x[0], -x[1], x[2]); };
  ReversedConditions reversed(conditions, turned);
  CHECK(reversed.count() == 3);
  VecX r, of_other;
  reversed.evaluate(turned(right), turned(left), r);
  conditions.evaluate(left, right, of_other);
  CHECK(r == of_other);
  MatX B0, B1;
  reversed.jacobians(turned(right), turned(left), VecX::Ones(3), B0, B1);
  CHECK((B0 - differences(reversed, turned(right), turned(left), true)).norm() < 1e-5);
  CHECK((B1 - differences(reversed, turned(right), turned(left), false)).norm() < 1e-5);
}

namespace {

/// Two unknown parameters; a state inside and an integral have a say in two further conditions.
BoundaryProblem member(const VecX& p) {
  if (p[0] > 100) throw InvalidOption("p1 is too large");
  BoundaryProblem problem = of_index_2();
  problem.conditions = [p](const VecX& left, const VecX& right) -> VecX {
    return Vec<2>(left[0] * right[1] - p[0], right[2] - p[1] * left[1]);
  };
  problem.inside = {3};
  problem.integrand = [](const VecX& x, double) -> VecX { return x.head(1); };
  problem.further_conditions = [p](const Observed& of) -> VecX {
    return Vec<2>(of.inside[0][1] * of.left[0] - p[1], of.integrals[0] + of.right[1]);
  };
  return problem;
}

}  // namespace

TEST_CASE(
    "conditions of an extended state are those of the member, and what integrals and states "
    "inside begin with",
    "[nonlinear][extended]") {
  const ExtendedState state{.nx = 3, .parameters = 2, .integrals = 1, .inside = {3}};
  VecX left(9), right(9);
  left << 0.5, -2, 3, 7, 11, 0.25, 0.1, 0.2, 0.3;
  right << 4, 1.5, -1, 70, 110, 6, 1, 2, 4;
  for (const bool at_end : {false, true}) {
    ExtendedConditions conditions(state, member, left, at_end);
    CAPTURE(at_end);
    // One condition for each entry, but for the parameters, which further conditions are for.
    REQUIRE(conditions.count() == 9);
    CHECK(conditions.own() == 4);
    CHECK(conditions.constraints() == 1);
    VecX r;
    conditions.evaluate(left, right, r);
    VecX expected(9);
    // The parameters are those at the left end; integrals and states inside those at the right.
    expected << 0.75 - 7, -1 + 22, at_end ? 2 : -6, 2 * 0.5 - 11, 6 + 1.5, 0.25, -0.4, 2.2, -2.7;
    CHECK((r - expected).norm() < 1e-12);
    MatX B0, B1;
    conditions.jacobians(left, right, VecX::Ones(9), B0, B1);
    CHECK((B0 - differences(conditions, left, right, true)).norm() < 1e-4);
    CHECK((B1 - differences(conditions, left, right, false)).norm() < 1e-4);
  }
}

TEST_CASE("the size of a guess of parameters does not lose what conditions say of x in rounding",
          "[nonlinear][extended]") {
  const auto large = [](const VecX&) {
    BoundaryProblem problem = of_index_2();
    problem.conditions = [](const VecX& left, const VecX& right) -> VecX {
      return Vec<2>(left[0] - 1, right[1] - 1e6);
    };
    problem.further_conditions = [](const Observed& of) -> VecX {
      return Vec<1>(of.left[2] - 1e3);
    };
    return problem;
  };
  const ExtendedState state{.nx = 3, .parameters = 1};
  for (const double p : {0.0, 1e-8, 1.1e-6, 2e-6, 1e-5, 1.1e-3, 0.1, 1.0, 1e3}) {
    const VecX X{{0, 0, 0, p}};
    ExtendedConditions conditions(state, large, X, false);
    // As parts of it count where it is all that does not vanish.
    const double part = p > 0 ? 1e-3 * p : 1;
    const VecX moved{{part, part, part, std::max(p, part)}};
    MatX B0, B1;
    conditions.jacobians(X, X, moved, B0, B1);
    CAPTURE(p);
    CHECK(B0(0, 0) == Approx(1).epsilon(1e-2));
    CHECK(B1(1, 1) == Approx(1).epsilon(1e-2));
    CHECK(B0(3, 2) == Approx(1).epsilon(1e-2));  // Behind the constraint.
  }
}

TEST_CASE("parameters that a family does not have leave conditions without a value",
          "[nonlinear][extended]") {
  const ExtendedState state{.nx = 3, .parameters = 2, .integrals = 1, .inside = {3}};
  VecX X = VecX::Ones(9);
  ExtendedConditions conditions(state, member, X, false);
  X[3] = 101;
  VecX r;
  conditions.evaluate(X, X, r);
  REQUIRE(r.size() == 9);
  CHECK_FALSE(r.array().isFinite().any());
}

TEST_CASE("further conditions whose number changes are refused with both numbers",
          "[nonlinear][extended][refused]") {
  const auto changing = [](const VecX& p) {
    BoundaryProblem problem = member(p);
    problem.further_conditions = [](const Observed& of) -> VecX {
      return VecX::Zero(of.left[0] > 0 ? 2 : 3);
    };
    return problem;
  };
  const ExtendedState state{.nx = 3, .parameters = 2, .integrals = 1, .inside = {3}};
  VecX X = VecX::Ones(9);
  ExtendedConditions conditions(state, changing, X, false);
  VecX r;
  CHECK_NOTHROW(conditions.evaluate(X, X, r));
  X[0] = -1;
  CHECK_THROWS_WITH(conditions.evaluate(X, X, r),
                    contains_text("further_conditions: 2 at one place, 3 at another"));
}

}  // namespace daewave::bvp
