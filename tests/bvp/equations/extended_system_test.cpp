// Equations of extended states: the slopes of each part, and their derivatives, at a point and at
// many.

#include "bvp/equations/extended_system.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bvp/equations/iterate_systems.hpp"
#include "bvp/solve.hpp"
#include "core/error.hpp"
#include "core/problem/time_reversed.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x1' = p x2 + t, x2' = -x1 x2 + p^2, and x1 x2^2 + p t integrated, on [0, 4].
struct Member {
  using State = Vec<2>;
  double p = 1, q = 0;
  Interval interval() const { return {0, 4}; }
  State f(const State& x, double t) const {
    return {p * x[1] + t, -x[0] * x[1] + p * p + std::sin(q)};
  }
  VecX conditions(const State& left, const State&) const { return left; }
};

BoundaryProblem problem_at(const VecX& p) {
  if (p[0] > 9) throw InvalidOption("p is too large");
  BoundaryProblem problem = boundary_problem_of(Member{p[0], p[1]});
  problem.inside = {1, 2.5};
  problem.integrand = [p](const VecX& x, double t) -> VecX {
    return Vec<2>(x[0] * x[1] * x[1] + p[0] * t, x[1] + p[1] * p[0]);
  };
  return problem;
}

const ExtendedState layout{.nx = 2, .parameters = 2, .integrals = 2, .inside = {1, 2.5}};

ExtendedSystem system_of_members(const double* end = nullptr, int* made_so_far = nullptr) {
  return {layout,
          [end, made_so_far](const VecX& p) {
            if (made_so_far != nullptr) ++*made_so_far;
            auto made = std::make_unique<MemberSystem>();
            made->problem = problem_at(p);
            made->equations = end != nullptr ? time_reversed(made->problem.equations, *end)
                                             : made->problem.equations;
            made->system = ordinary_system(*made->equations);
            return made;
          },
          Vec<2>(1, 0), end};
}

/// (x, p, z, m), of which z and m do not matter.
VecX state_of(double x1, double x2, double p, double q) {
  VecX X(layout.size());
  X << x1, x2, p, q, 7, 8, 9, 10, 11, 12;
  return X;
}

VecX expected(const VecX& X, double t) {
  VecX slope = VecX::Zero(layout.size());
  const VecX F = Member{X[2], X[3]}.f(X.head(2), t);
  slope.head(2) = F;
  slope.segment(4, 2) << X[0] * X[1] * X[1] + X[2] * t, X[1] + X[3] * X[2];
  if (t <= 1) slope.segment(6, 2) = F;
  if (t <= 2.5) slope.segment(8, 2) = F;
  return slope;
}

/// By central differences of what is expected.
MatX expected_jacobian(const VecX& X, double t) {
  constexpr double step = 1e-5;
  MatX J(layout.size(), layout.size());
  for (int j = 0; j < layout.size(); ++j) {
    VecX more = X, less = X;
    more[j] += step;
    less[j] -= step;
    J.col(j) = (expected(more, t) - expected(less, t)) / (2 * step);
  }
  return J;
}

}  // namespace

TEST_CASE("slopes of parameters are zero, those of states inside end where their time is over",
          "[nonlinear][extended]") {
  ExtendedSystem system = system_of_members();
  CHECK(system.nx() == 10);
  CHECK(system.carried() == 0);
  VecX none(0);
  // What a vector held before does not matter.
  VecX slope = VecX::Constant(10, NAN), other(3);
  const VecX X = state_of(0.5, -2, 1.5, 0.25);
  for (const double t : {0.5, 1.0, 1.7, 2.5, 3.0, 0.2}) {
    CAPTURE(t);
    REQUIRE(system.evaluate(X, t, none, slope, none));
    CHECK((slope - expected(X, t)).norm() < 1e-13);
    REQUIRE(system.evaluate(X, t, none, other, none));
    CHECK(other == slope);
    other.setOnes(3);
  }
}

TEST_CASE("derivatives of an extended state have those by parameters, of integrals too",
          "[nonlinear][extended]") {
  ExtendedSystem system = system_of_members();
  VecX none(0), slope;
  const VecX X = state_of(0.5, -2, 1.5, 0.25);
  for (const double t : {0.5, 1.7, 3.0}) {
    CAPTURE(t);
    REQUIRE(system.evaluate(X, t, none, slope, none));
    MatX J;
    REQUIRE(system.jacobian(X, t, none, slope, none, VecX::Ones(10), J));
    const MatX exact = expected_jacobian(X, t);
    for (int j = 0; j < 10; ++j) {
      CHECK((J.col(j) - exact.col(j)).norm() < 1e-6 * (1 + exact.col(j).norm()));
    }
  }
}

TEST_CASE("an extended state is at many points what it is at each of them",
          "[nonlinear][extended]") {
  ExtendedSystem system = system_of_members();
  constexpr int count = 11, stride = 13;
  const int n = layout.size();
  const auto at = [](int row, int p) { return static_cast<std::size_t>(row * stride + p); };
  std::vector<double> t(count), x(at(n, 0)), slope(at(n, 0)), J(at(n * n, 0));
  MatX states(n, count);
  for (int p = 0; p < count; ++p) {
    t[static_cast<std::size_t>(p)] = 0.1 + 0.35 * p;
    states.col(p) = state_of(0.3 + 0.1 * p, std::cos(p), 1.5, 0.25);
    for (int i = 0; i < n; ++i) x[at(i, p)] = states(i, p);
  }
  const IteratePoints batch{count, stride, t.data(), x.data(), nullptr};
  std::string failure;
  REQUIRE(system.evaluate_batch(batch, slope.data(), nullptr, nullptr, failure));
  REQUIRE(system.jacobian_batch(batch, slope.data(), nullptr, VecX::Ones(n), J.data(), failure));
  for (int p = 0; p < count; ++p) {
    const VecX there = expected(states.col(p), t[static_cast<std::size_t>(p)]);
    const MatX exact = expected_jacobian(states.col(p), t[static_cast<std::size_t>(p)]);
    for (int i = 0; i < n; ++i) {
      CHECK(slope[at(i, p)] == Approx(there[i]).margin(1e-12));
      for (int j = 0; j < n; ++j) {
        CHECK(J[at(i + j * n, p)] == Approx(exact(i, j)).margin(1e-5));
      }
    }
  }
}

TEST_CASE("points whose parameters are one but for rounding have one member of the family",
          "[nonlinear][extended]") {
  int made = 0;
  ExtendedSystem system = system_of_members(nullptr, &made);
  constexpr int count = 40;
  const int n = layout.size();
  const auto at = [](int row, int p) { return static_cast<std::size_t>(row * count + p); };
  std::vector<double> t(count, 0.5), x(at(n, 0)), slope(at(n, 0)), J(at(n * n, 0));
  // Also beside zero, where what is left of larger numbers is no small part of it.
  for (const double q : {0.25, 1e-12}) {
    for (int p = 0; p < count; ++p) {
      const VecX X = state_of(0.5, -2, 1.5 * (1 + 1e-12 * p), q + 1e-13 * p);
      for (int i = 0; i < n; ++i) x[at(i, p)] = X[i];
    }
    const IteratePoints batch{count, count, t.data(), x.data(), nullptr};
    std::string failure;
    made = 0;
    REQUIRE(system.evaluate_batch(batch, slope.data(), nullptr, nullptr, failure));
    CHECK(made <= 1);
    REQUIRE(system.jacobian_batch(batch, slope.data(), nullptr, VecX::Ones(n), J.data(), failure));
    CHECK(made <= 3);  // And one beside it for each parameter.
    const VecX there = expected(state_of(0.5, -2, 1.5, q), 0.5);
    for (int i = 0; i < n; ++i) CHECK(slope[at(i, count - 1)] == Approx(there[i]).margin(1e-9));
  }
}

TEST_CASE("the last parameter that a family has is differentiated to the other side",
          "[nonlinear][extended]") {
  ExtendedSystem system = system_of_members();
  VecX none(0), slope;
  const VecX X = state_of(0.5, -2, 9, 0.25);
  REQUIRE(system.evaluate(X, 0.5, none, slope, none));
  MatX J;
  REQUIRE(system.jacobian(X, 0.5, none, slope, none, VecX::Ones(10), J));
  CHECK(J(0, 2) == Approx(-2).epsilon(1e-6));
  CHECK(J(1, 2) == Approx(18).epsilon(1e-6));
  // Where there is no problem that is told.
  VecX beyond = X;
  beyond[2] = 10;
  CHECK_FALSE(system.evaluate(beyond, 0.5, none, slope, none));
  CHECK(system.failure() == "p is too large");
}

TEST_CASE("one point of many that has no slopes is told, with integrals and without",
          "[nonlinear][extended]") {
  struct Rooted {
    using State = Vec<1>;
    double p = 1;
    Interval interval() const { return {0, 4}; }
    State f(const State& x, double) const { return State(p * std::sqrt(x[0])); }
    VecX conditions(const State& left, const State&) const { return Vec<2>(left[0], 0); }
  };
  enum class Lost { nothing, slope, integrand };
  for (const int integrals : {0, 1}) {
    for (const Lost lost : {Lost::nothing, Lost::slope, Lost::integrand}) {
      if (lost == Lost::integrand && integrals == 0) continue;
      CAPTURE(integrals, static_cast<int>(lost));
      ExtendedSystem system{{.nx = 1, .parameters = 1, .integrals = integrals},
                            [lost](const VecX& p) {
                              auto made = std::make_unique<MemberSystem>();
                              made->problem = boundary_problem_of(Rooted{p[0]});
                              made->problem.integrand = [lost](const VecX& x, double) -> VecX {
                                return Vec<1>(lost == Lost::integrand ? std::sqrt(2 - x[0]) : x[0]);
                              };
                              made->equations = made->problem.equations;
                              made->system = ordinary_system(*made->equations);
                              return made;
                            },
                            VecX::Ones(1),
                            nullptr};
      const int n = 2 + integrals;
      const std::vector<double> t{0.5, 1, 1.5};
      std::vector<double> x(static_cast<std::size_t>(3 * n), 1.0), slope(x.size()),
          J(x.size() * static_cast<std::size_t>(n));
      x[1] = lost == Lost::slope ? -1 : 4;
      const IteratePoints batch{3, 3, t.data(), x.data(), nullptr};
      std::string failure;
      const bool whole = lost == Lost::nothing;
      CHECK(system.evaluate_batch(batch, slope.data(), nullptr, nullptr, failure) == whole);
      CHECK(failure.empty() == whole);
      if (lost == Lost::integrand) continue;
      failure.clear();
      CHECK(system.jacobian_batch(batch, slope.data(), nullptr, VecX::Ones(n), J.data(), failure) ==
            whole);
      CHECK(failure.empty() == whole);
    }
  }
}

TEST_CASE("in the time that runs from the end an extended state runs back",
          "[nonlinear][extended]") {
  constexpr double end = 4;
  ExtendedSystem system = system_of_members(&end);
  const auto copy = system.clone();
  VecX none(0), slope, again;
  const VecX X = state_of(0.5, -2, 1.5, 0.25);
  for (const double tau : {0.5, 1.5, 2.0, 3.0, 3.7}) {
    CAPTURE(tau);
    REQUIRE(system.evaluate(X, tau, none, slope, none));
    CHECK((slope + expected(X, end - tau)).norm() < 1e-13);
    REQUIRE(copy->evaluate(X, tau, none, again, none));
    CHECK(again == slope);
    MatX J;
    REQUIRE(system.jacobian(X, tau, none, slope, none, VecX::Ones(10), J));
    CHECK((J + expected_jacobian(X, end - tau)).norm() < 1e-4);
  }
}

}  // namespace daewave::bvp
