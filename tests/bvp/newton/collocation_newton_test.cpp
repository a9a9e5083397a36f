// Newton's method for a system and conditions that are made up: where it damps, where it takes
// changes for rounding, and how it fails.

#include "bvp/newton/collocation_newton.hpp"

#include <cmath>
#include <functional>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

const Mesh three_intervals = uniform_mesh(0, 1, 3);
const Collocation two_stages = collocation(Scheme::gauss, 2);

/// x' = F(x), of one component.
class Rate final : public IterateSystem {
 public:
  std::function<double(double)> F = [](double) { return 0.0; };
  std::function<double(double)> F_x = [](double) { return 0.0; };

  int nx() const override { return 1; }
  int carried() const override { return 0; }
  bool evaluate(const VecX& x, double, const VecX&, VecX& slope, VecX&) override {
    slope = VecX{{F(x[0])}};
    return std::isfinite(slope[0]);
  }
  bool jacobian(const VecX& x, double, const VecX&, const VecX&, const VecX&, const VecX&,
                MatX& J) override {
    J = MatX{{F_x(x[0])}};
    return true;
  }
  std::string failure() const override { return "no rate"; }
};

/// 0 = r(x(0)).
class AtBegin final : public TwoPointConditions {
 public:
  std::function<double(double)> r = [](double x) { return x; };
  std::function<double(double)> r_x = [](double) { return 1.0; };

  int count() const override { return 1; }
  void evaluate(const VecX& left, const VecX&, VecX& value) override { value = VecX{{r(left[0])}}; }
  void jacobians(const VecX& left, const VecX&, const VecX&, MatX& B0, MatX& B1) override {
    B0 = MatX{{r_x(left[0])}};
    B1.setZero(1, 1);
  }
};

/// x' = 0, of two components.
class Constant final : public IterateSystem {
 public:
  int nx() const override { return 2; }
  int carried() const override { return 0; }
  bool evaluate(const VecX&, double, const VecX&, VecX& slope, VecX&) override {
    slope = VecX::Zero(2);
    return true;
  }
  bool jacobian(const VecX&, double, const VecX&, const VecX&, const VecX&, const VecX&,
                MatX& J) override {
    J = MatX::Zero(2, 2);
    return true;
  }
  std::string failure() const override { return ""; }
};

/// x1 + x2 / unit = 2 and x1 = x2 / unit, at the begin.
class SumAndDifference final : public TwoPointConditions {
 public:
  explicit SumAndDifference(double unit) : unit_(unit) {}
  int count() const override { return 2; }
  void evaluate(const VecX& left, const VecX&, VecX& value) override {
    const double other = left[1] / unit_;
    value = VecX{{left[0] + other - 2, left[0] - other}};
  }
  void jacobians(const VecX&, const VecX&, const VecX&, MatX& B0, MatX& B1) override {
    B0 = MatX{{1, 1 / unit_}, {1, -1 / unit_}};
    B1.setZero(2, 2);
  }

 private:
  double unit_;
};

/// x1 = one and x2 + 10 x2^2 = root + 10 root^2, at the begin.
class OneAndRoot final : public TwoPointConditions {
 public:
  OneAndRoot(double one, double root) : one_(one), root_(root) {}
  int count() const override { return 2; }
  void evaluate(const VecX& left, const VecX&, VecX& value) override {
    value = VecX{{left[0] - one_, bent(left[1]) - bent(root_)}};
  }
  void jacobians(const VecX& left, const VecX&, const VecX&, MatX& B0, MatX& B1) override {
    B0 = MatX{{1, 0}, {0, 1 + 20 * left[1]}};
    B1.setZero(2, 2);
  }

 private:
  static double bent(double x) { return x * (1 + 10 * x); }
  double one_, root_;
};

struct Run {
  Rate system{};
  AtBegin conditions{};
  NewtonControl control{.tolerance = 1e-10};

  NewtonResult from(double guess, double* found = nullptr) {
    CollocationNewton newton(system, conditions, three_intervals, two_stages, "auto");
    CollocationValues values = newton.guess([guess](double) { return VecX{{guess}}; });
    const NewtonResult result = newton.solve(MatX(0, 6), control, values);
    if (found != nullptr) *found = values.x(0, 0);
    return result;
  }
};

/// A condition whose root is `at`.
Run atan_of(double at) {
  Run run;
  run.conditions.r = [at](double x) { return std::atan(x - at); };
  run.conditions.r_x = [at](double x) { return 1 / (1 + (x - at) * (x - at)); };
  return run;
}

}  // namespace

TEST_CASE("steps that would lead away are damped, and no others", "[nonlinear][newton]") {
  double found = 0;
  Run near = atan_of(2);
  const NewtonResult quick = near.from(2.5, &found);
  CHECK(quick.converged());
  CHECK(found == Approx(2));
  CHECK(quick.smallest_damping == 1);
  CHECK(quick.iterations <= 4);
  // The undamped method goes further away from everything beyond 1.39.
  Run far = atan_of(2);
  const NewtonResult damped = far.from(12, &found);
  CHECK(damped.converged());
  CHECK(found == Approx(2));
  CHECK(damped.smallest_damping < 1);
  CHECK(damped.iterations <= 15);
}

TEST_CASE("a linear problem takes one step", "[nonlinear][newton]") {
  Run run;
  run.system.F = [](double x) { return 3 * x + 1; };
  run.system.F_x = [](double) { return 3.0; };
  run.conditions.r = [](double x) { return x - 5; };
  double found = 0;
  const NewtonResult result = run.from(-40, &found);
  CHECK(result.converged());
  CHECK(result.iterations <= 2);
  CHECK(found == Approx(5));
  CHECK(result.rounding == 0);
}

TEST_CASE("what conditions leave open is told in units of what was found, whatever the guess was",
          "[nonlinear][newton][conditioning]") {
  for (const double unit : {1.0, 1e-9, 1e9}) {
    for (const double guessed : {0.0, 1.0, 1e-3}) {
      Constant system;
      SumAndDifference conditions(unit);
      CollocationNewton newton(system, conditions, three_intervals, two_stages, "auto");
      CollocationValues values = newton.guess([&](double) { return VecX{{guessed, guessed}}; });
      CAPTURE(unit, guessed);
      REQUIRE(newton.solve(MatX(0, 6), {.tolerance = 1e-6}, values).converged());
      CHECK(values.x(1, 0) == Approx(unit));
      CHECK(newton.boundary_conditioning() < 2);
    }
  }
}

namespace {

/// x1' = x2 - x3, of which x2 and x3 are constants.
class DifferenceOfConstants final : public IterateSystem {
 public:
  int nx() const override { return 3; }
  int carried() const override { return 0; }
  bool evaluate(const VecX& x, double, const VecX&, VecX& slope, VecX&) override {
    slope = VecX{{x[1] - x[2], 0, 0}};
    return true;
  }
  bool jacobian(const VecX&, double, const VecX&, const VecX&, const VecX&, const VecX&,
                MatX& J) override {
    J = MatX{{0, 1, -1}, {0, 0, 0}, {0, 0, 0}};
    return true;
  }
  std::string failure() const override { return ""; }
};

/// x1 = 0 and x2 = value at the begin, x1 = 1 at the end.
class BothEndsAndConstant final : public TwoPointConditions {
 public:
  explicit BothEndsAndConstant(double value) : value_(value) {}
  int count() const override { return 3; }
  void evaluate(const VecX& left, const VecX& right, VecX& r) override {
    r = VecX{{left[0], left[1] - value_, right[0] - 1}};
  }
  void jacobians(const VecX&, const VecX&, const VecX&, MatX& B0, MatX& B1) override {
    B0 = MatX{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
    B1 = MatX{{0, 0, 0}, {0, 0, 0}, {1, 0, 0}};
  }

 private:
  double value_;
};

}  // namespace

TEST_CASE("constants that make up for each other count by what each does, however large they are",
          "[nonlinear][newton][conditioning]") {
  for (const double value : {1e3, 1e6}) {
    DifferenceOfConstants system;
    BothEndsAndConstant conditions(value);
    CollocationNewton newton(system, conditions, three_intervals, two_stages, "auto");
    CollocationValues values = newton.guess([&](double t) { return VecX{{t, value, value - 1}}; });
    CAPTURE(value);
    REQUIRE(newton.solve(MatX(0, 6), {.tolerance = 1e-6}, values).converged());
    // A constant of 2 moves x1 by as much as its size, 1 + 1.
    CHECK(newton.boundary_conditioning() == Approx(value / 2).epsilon(0.1));
  }
}

TEST_CASE("where damping fails the steps are taken as they are", "[nonlinear][newton]") {
  // From 1 with slope 1 to 0, where r is larger, as it is everywhere between; from there to 2.
  Run run;
  run.conditions.r = [](double x) {
    return x == 1 ? 1.0 : x > 5e-4 && x < 1 ? 2.0 : 0.75 * (x - 2);
  };
  run.conditions.r_x = [](double x) { return x == 1 ? 1.0 : 0.75; };
  double found = 0;
  const NewtonResult result = run.from(1, &found);
  CHECK(result.converged());
  CHECK(found == Approx(2));
  CHECK(result.smallest_damping <= 1e-3);
  // Not where that many are not allowed.
  run.control.most_full_steps = 1;
  const NewtonResult none = run.from(1, &found);
  CHECK(none.failure == NewtonResult::Failure::no_convergence);
  CHECK_THAT(none.reason, contains_text("does not come nearer with 1e-03 of its step"));
}

TEST_CASE("steps from which no more than halves lead back are not taken as they are",
          "[nonlinear][newton]") {
  // From 1 to 1 - 1 / slope, where r is 2, as it is everywhere but near 1.
  const auto full_steps_of = [](double slope) {
    Run run;
    run.conditions.r = [](double x) { return x == 1 ? 1.0 : 2.0; };
    run.conditions.r_x = [slope](double x) { return x == 1 ? slope : 1.0; };
    int begun = 0;
    run.control.goes_on = [&begun](int) { return ++begun > 0; };
    const NewtonResult result = run.from(1);
    CHECK(result.failure == NewtonResult::Failure::no_convergence);
    CHECK_THAT(result.reason, contains_text("does not come nearer with 1e-03 of its step"));
    return begun - 1;  // One is that with damping.
  };
  CHECK(full_steps_of(1e-3) == 15);
  CHECK(full_steps_of(1e-8) == 15);
  CHECK(full_steps_of(1e-9) == 1);  // 15 of them halve what is left 3e4 times.
  CHECK(full_steps_of(1e-30) == 1);
}

TEST_CASE("Newton's method takes as many iterations as are allowed, and no more",
          "[nonlinear][newton]") {
  // Steps of one, however far the root is: r = exp(x) has none.
  for (const int most : {1, 4, 9}) {
    for (const int full : {0, 1, 5}) {
      Run run;
      run.conditions.r = [](double x) { return std::exp(x); };
      run.conditions.r_x = [](double x) { return std::exp(x); };
      run.control.most_iterations = most;
      run.control.most_full_steps = full;
      int begun = 0;
      run.control.goes_on = [&begun](int) {
        ++begun;
        return true;
      };
      const NewtonResult result = run.from(0);
      CAPTURE(most, full);
      CHECK(result.failure == NewtonResult::Failure::no_convergence);
      CHECK(begun == most + full);
    }
  }
}

namespace {

/// r = x - 2 whose values have noise of a given size, which depends on x alone.
Run noisy(double size, double tolerance) {
  Run run;
  run.control.tolerance = tolerance;
  run.conditions.r = [size](double x) {
    return x - 2 + size * std::sin(1e15 * std::fmod(x, 1e-3));
  };
  return run;
}

}  // namespace

TEST_CASE("changes that shrink no more are rounding up to 1e-9 of a component, and no further",
          "[nonlinear][newton]") {
  double found = 0;
  Run small = noisy(1e-11, 1e-13);
  const NewtonResult rounded = small.from(0.3, &found);
  CHECK(rounded.converged());
  CHECK(std::abs(found - 2) < 1e-10);
  CHECK(rounded.rounding <= 1e-10);
  Run large = noisy(1e-6, 1e-13);
  const NewtonResult lost = large.from(0.3);
  CHECK(lost.failure == NewtonResult::Failure::no_convergence);
  CHECK(lost.change > 1e-8);
  CHECK(lost.change < 1e-5);
  // In units of a component that counts for less.
  Run loose = noisy(1e-6, 1e-13);
  loose.control.sizes = ComponentSizes(VecX{{1e5}}, VecX::Zero(1));
  CHECK_FALSE(loose.from(0.3).converged());
  Run strict = noisy(1e-11, 1e-13);
  strict.control.sizes = ComponentSizes(VecX{{1e-6}}, VecX::Zero(1));
  const NewtonResult counted = strict.from(0.3);
  CHECK_FALSE(counted.converged());
}

TEST_CASE("noise of the right side is rounding too, up to ten thousand times the tolerance",
          "[nonlinear][newton]") {
  // As of tables or iterations of its own: it depends on x alone, and changes with its last bits.
  const auto with_noise = [](double size) {
    Run run;
    run.control.tolerance = 1e-11;
    run.system.F = [size](double x) { return -x + size * std::sin(1e15 * std::fmod(x, 1e-3)); };
    run.system.F_x = [](double) { return -1.0; };
    run.conditions.r = [](double x) { return x - 2; };
    return run;
  };
  double found = 0;
  const NewtonResult rounded = with_noise(2e-8).from(0.3, &found);
  CHECK(rounded.converged());
  CHECK(found == Approx(2));
  CHECK(rounded.rounding > 1e-9);
  CHECK(rounded.rounding < 1e-7);
  CHECK_FALSE(with_noise(1e-5).from(0.3).converged());
}

TEST_CASE("a change is small where it is so for each component, and for its tolerance",
          "[nonlinear][newton]") {
  Run plain = atan_of(2), strict = atan_of(2);
  plain.control.tolerance = strict.control.tolerance = 1e-2;
  strict.control.sizes = ComponentSizes(VecX{{1e-8}}, VecX::Zero(1));
  double rough = 0, fine = 0;
  CHECK(plain.from(2.8, &rough).converged());
  CHECK(strict.from(2.8, &fine).converged());
  CHECK(std::abs(fine - 2) <= 1e-10);
  CHECK(std::abs(rough - 2) <= 2e-2);
}

TEST_CASE("what vanishes counts by a thousandth of its size, unless all do",
          "[nonlinear][newton]") {
  constexpr double root = 5e-3;
  const NewtonControl control{.tolerance = 1e-2,
                              .sizes = ComponentSizes(VecX::Ones(2), VecX::Zero(2))};
  const auto gap_from_zero = [&](double one) {
    Constant system;
    OneAndRoot conditions(one, root);
    CollocationNewton newton(system, conditions, three_intervals, two_stages, "auto");
    CollocationValues values = newton.guess([one](double) { return VecX{{one, 0}}; });
    REQUIRE(newton.solve(MatX(0, 6), control, values).converged());
    CHECK(values.x(0, 0) == Approx(one));
    return std::abs(values.x(1, 0) - root);
  };
  // The first change is within a hundredth, and leaves about 10 root^2.
  CHECK(gap_from_zero(0) == Approx(10 * root * root).epsilon(0.1));
  CHECK(gap_from_zero(1) < 1e-5);
}

TEST_CASE("iterations are no more than allowed, and each may be stopped before",
          "[nonlinear][newton]") {
  Run run = atan_of(2);
  run.control.most_iterations = 2;
  run.control.most_full_steps = 0;
  const NewtonResult few = run.from(12);
  CHECK(few.failure == NewtonResult::Failure::no_convergence);
  CHECK_THAT(few.reason, contains_text("has not converged in 2 iterations"));
  CHECK(few.iterations == 2);
  std::vector<int> seen;
  run.control.most_iterations = 40;
  run.control.goes_on = [&seen](int iteration) {
    seen.push_back(iteration);
    return iteration < 2;
  };
  const NewtonResult stopped = run.from(12);
  CHECK(stopped.failure == NewtonResult::Failure::stopped);
  CHECK_THAT(stopped.reason, contains_text("stopped after 2 iteration(s)"));
  CHECK(seen == std::vector<int>{0, 1, 2});
}

TEST_CASE("what cannot be evaluated or solved is told, and the guess is left as it was",
          "[nonlinear][newton]") {
  Run without;
  without.system.F = [](double) { return NAN; };
  double found = 0;
  const NewtonResult nowhere = without.from(7, &found);
  CHECK(nowhere.failure == NewtonResult::Failure::evaluation);
  CHECK_THAT(nowhere.reason, contains_text("no rate"));
  CHECK(found == 7);
  Run open;
  open.conditions.r = [](double) { return 1.0; };
  open.conditions.r_x = [](double) { return 0.0; };
  const NewtonResult singular = open.from(7, &found);
  CHECK(singular.failure == NewtonResult::Failure::singular);
  CHECK(found == 7);
  Run broken;
  broken.conditions.r = [](double) { return NAN; };
  const NewtonResult no_number = broken.from(7, &found);
  CHECK_FALSE(no_number.converged());
  CHECK_THAT(no_number.reason, contains_text("boundary condition 1 is not finite"));
}

TEST_CASE("steps to where there is no value are halved", "[nonlinear][newton]") {
  Run run;
  run.system.F = [](double x) { return x > 0 ? 0 * std::log(x) : NAN; };
  run.conditions.r = [](double x) { return std::log(x); };
  run.conditions.r_x = [](double x) { return 1 / x; };
  double found = 0;
  // The full step from 5 leads to 5 - 5 log 5 < 0.
  const NewtonResult result = run.from(5, &found);
  CHECK(result.converged());
  CHECK(found == Approx(1));
  CHECK(result.smallest_damping <= 0.5);
}

TEST_CASE("the first change is that of Newton's method, and nothing where it has none",
          "[nonlinear][newton]") {
  Rate system;
  AtBegin conditions;
  conditions.r = [](double x) { return 2 * x - 6; };
  conditions.r_x = [](double) { return 2.0; };
  CollocationNewton newton(system, conditions, three_intervals, two_stages, "auto");
  const CollocationValues at = newton.guess([](double) { return VecX{{1.0}}; });
  const MatX change = newton.first_change({}, at);
  REQUIRE(change.cols() == 4);
  CHECK(change(0, 0) == Approx(2));
  CHECK(change(0, 3) == Approx(2));
  system.F = [](double) { return NAN; };
  CHECK(newton.first_change({}, at).size() == 0);
}

}  // namespace daewave::bvp
