// What cannot be solved ends soon, with a status, a reason and advice that fits the case.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>

#include "bvp/solve.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "core/ranks/communicator.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using Function = std::function<VecX(const VecX&, double)>;
using Conditions = std::function<VecX(const VecX&, const VecX&)>;

/// x' = f(x, t) on [0, end], of two components.
struct Stated {
  Function rate;
  Conditions posed = [](const VecX& left, const VecX& right) {
    return VecX{{left[0], right[0] - 1}};
  };
  double end = 1;
  using State = VecX;
  int nx() const { return 2; }
  Interval interval() const { return {0, end}; }
  VecX f(const VecX& x, double t) const { return rate(x, t); }
  VecX conditions(const VecX& left, const VecX& right) const { return posed(left, right); }
  VecX guess(double) const { return VecX::Zero(2); }
};

VecX pair(double first, double second) { return VecX{{first, second}}; }

/// y'' = a(y, t).
Function acceleration(std::function<double(double y, double t)> a) {
  return [a = std::move(a)](const VecX& x, double t) { return pair(x[1], a(x[0], t)); };
}

struct FailedCase {
  std::string name;
  Stated problem;
  Termination termination;
  std::string reason, advice;  ///< Words of them.
  Options options{};
};

std::vector<FailedCase> failures() {
  constexpr double pi = std::numbers::pi;
  const auto oscillator = acceleration([](double y, double) { return -y; });
  const auto from_left = [](const VecX& left, const VecX&) { return pair(left[0], left[1] - 1); };
  const auto same_twice = [](const VecX& left, const VecX&) {
    return pair(left[0] - 1, 2 * left[0] - 2);
  };
  const auto contradiction = [](const VecX& left, const VecX&) {
    return pair(left[0] - 1, 2 * left[0] - 3);
  };
  const auto ends_at_zero = [](const VecX& left, const VecX& right) {
    return pair(left[0], right[0]);
  };
  const auto square = [](double value) {
    return [value](const VecX& left, const VecX& right) {
      return pair(left[0] * left[0] - value, right[0]);
    };
  };
  using enum Termination;
  return {
      {"beyond a fold",
       {acceleration([](double y, double) { return -4 * std::exp(y); }), ends_at_zero},
       not_converged,
       "does not come nearer",
       "there may be no solution"},
      {"far beyond a fold",
       {acceleration([](double y, double) { return -50 * std::exp(y); }), ends_at_zero},
       not_converged,
       "Newton's method",
       "there may be no solution"},
      {"a resonance that conditions contradict",
       {oscillator, Stated{}.posed, pi},
       singular_matrix,
       "condition",
       "depend on each other"},
      {"a resonance with many solutions",
       {oscillator, ends_at_zero, pi},
       singular_matrix,
       "leave the solution open",
       "tell one solution from others",
       {.tolerance = 1e-6, .stages = 5}},
      {"the same condition twice",
       {oscillator, same_twice},
       singular_matrix,
       "do not determine",
       "depend on each other",
       {.tolerance = 1e-6, .stages = 5}},
      {"conditions that contradict each other",
       {oscillator, contradiction},
       singular_matrix,
       "condition",
       "depend on each other"},
      {"no real solution of the conditions",
       {oscillator, square(-1)},
       not_converged,
       "Newton's method",
       "there may be no solution"},
      {"blow up",
       {[](const VecX& x, double) { return pair(x[0] * x[0], x[1] * x[1]); },
        [](const VecX& left, const VecX&) { return pair(left[0] - 1, left[1] - 1); }, 2},
       not_converged,
       "Newton's method",
       "there may be no solution"},
      {"a guess without a value",
       {acceleration([](double y, double) { return 1 / y; })},
       diverged,
       "row 2, is not finite at t = ",
       "a guess at which the problem can be evaluated"},
      {"a right side that ends",
       {acceleration([](double y, double t) { return std::sqrt(0.7 - t) * y; })},
       diverged,
       "is not finite at t = 0.7",
       "a guess at which the problem can be evaluated"},
      {"a pole",
       {[](const VecX& x, double t) { return pair(1 / (t - 0.37), x[0]); }, from_left},
       tolerance_not_met,
       "near t = 0.37",
       "look at the problem there"},
      {"growth by e^100 from the begin",
       {acceleration([](double y, double) { return y; }), from_left, 100},
       singular_matrix,
       "leave the solution open",
       "what grows with t needs them at the end",
       {.tolerance = 1e-6, .stages = 5}},
      {"too few intervals",
       {acceleration([](double y, double) { return 1e4 * y; }), Stated{}.posed},
       tolerance_not_met,
       "the limit of 6 intervals",
       "raise max_intervals",
       {.tolerance = 1e-10, .max_intervals = 6}},
  };
}

}  // namespace

TEST_CASE("what has no solution, or none that can be found, is told with what may help",
          "[nonlinear][failures]") {
  for (const FailedCase& failure : failures()) {
    const double before = usage_of_thread().cpu_seconds;
    const Solution solution = solve(failure.problem, failure.options);
    CAPTURE(failure.name, solution.report.full());
    CHECK_FALSE(solution.report.usable());
    CHECK(std::string(name_of(solution.report.termination)) == name_of(failure.termination));
    CHECK_THAT(solution.report.message, contains_text(failure.reason));
    CHECK_THAT(solution.report.advice, contains_text(failure.advice));
    CHECK(usage_of_thread().cpu_seconds - before < 30);
  }
}

TEST_CASE("a matrix that is singular at the guess alone is told as such, and another guess helps",
          "[nonlinear][failures]") {
  Stated squared{
      acceleration([](double y, double) { return -y; }),
      [](const VecX& left, const VecX& right) { return pair(left[0] * left[0] - 1, right[0]); }};
  CHECK_FALSE(solve(squared, {.tolerance = 1e-6}).report.usable());
  Options better{.tolerance = 1e-6};
  better.guess = [](double t) { return pair(1 - t, -1); };
  CHECK(solve(squared, better).report.usable());
}

TEST_CASE("another number of conditions is refused with both numbers", "[nonlinear][failures]") {
  const auto with = [](int count) {
    return Stated{
        acceleration([](double y, double) { return -y; }),
        [count](const VecX& left, const VecX&) -> VecX { return VecX::Constant(count, left[0]); }};
  };
  CHECK_THROWS_WITH(solve(with(1)), contains_text("1 conditions"));
  CHECK_THROWS_WITH(solve(with(1)), contains_text("must be 2"));
  CHECK_THROWS_WITH(solve(with(3)), contains_text("3 conditions"));
}

TEST_CASE("what a user's function throws reaches the user as it is", "[nonlinear][failures]") {
  const Stated table{[](const VecX& x, double t) -> VecX {
    if (t > 0.5) throw std::out_of_range("the table ends at 0.5");
    return x;
  }};
  CHECK_THROWS_AS(solve(table), std::out_of_range);
}

TEST_CASE("tolerances that rounding forbids are refused or told, none is claimed",
          "[nonlinear][failures]") {
  const Stated smooth{acceleration([](double y, double) { return -std::sin(y); })};
  for (const double tolerance : {0.0, -1e-6, 1.0, 1e-14, 1e-16, double(NAN), double(INFINITY)}) {
    CHECK_THROWS_AS(solve(smooth, {.tolerance = tolerance}), InvalidOption);
  }
  // Noise of 1e-9 in f, as of a table or of an inner iteration; the mean of it hardly matters.
  const Stated noisy{acceleration([](double y, double t) {
    return -std::sin(y) + 1e-9 * std::round(std::sin(1e6 * t * (1 + y)));
  })};
  for (const double tolerance : {1e-13}) {
    const Solution solution = solve(noisy, {.tolerance = tolerance, .max_intervals = 20000});
    INFO(solution.report.full());
    CHECK_FALSE(solution.report.usable());
    CHECK_FALSE(solution.report.advice.empty());
  }
}

namespace {

/// x = (sin t, cos t), y = 1 + t; a constraint that is missed moves x_2 by many times as much.
struct Sensitive {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  State f(const State& x, double t) const {
    return {std::cos(t) + 1 + t,
            4 * (x[1] - std::cos(t)) - std::sin(t) + 16 * (x[0] - std::sin(t))};
  }
  Mat<2, 1> B(const State&, double) const { return Mat<2, 1>{1, 0}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& x, T t) const {
    using std::sin;
    return VecOf<T, 1>(x[0] - sin(t));
  }
  Interval interval() const { return {0, 1}; }
  VecX conditions(const State& left, const State&) const { return VecX{{left[1] - 1}}; }
  State guess(double t) const { return {std::sin(t), std::cos(t)}; }
};

/// x = (1e4 + sin t, cos t), y = 1 + t.
struct LargeState {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  State f(const State& x, double t) const { return {std::cos(t) + 1 + t, 1e4 - x[0]}; }
  Mat<2, 1> B(const State&, double) const { return Mat<2, 1>{1, 0}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& x, T t) const {
    using std::sin;
    return VecOf<T, 1>(x[0] - 1e4 - sin(t));
  }
  Interval interval() const { return {0, 1}; }
  VecX conditions(const State& left, const State&) const { return VecX{{left[1] - 1}}; }
  State guess(double) const { return {1e4, 1}; }
};

}  // namespace

TEST_CASE("as many iterates as were given are no solution where they leave more than was asked for",
          "[nonlinear][reports]") {
  int claimed = 0;
  for (const double tolerance : {1e-4, 1e-7, 1e-9}) {
    for (const double epsilon : {1e-2, 3e-5, 3e-7, 1e-9}) {
      for (const int iterates : {1, 2, 3}) {
        if (epsilon == 1e-2 && iterates == 1) continue;
        const Solution solution =
            solve(with_autodiff(Sensitive{}),
                  {.tolerance = tolerance, .epsilon = epsilon, .iterates = iterates});
        CAPTURE(tolerance, epsilon, iterates, solution.report.full());
        if (!solution.report.usable()) {
          CHECK(solution.report.termination == Termination::iterates_exhausted);
          CHECK_THAT(solution.report.advice,
                     contains_text("more iterates, or a smaller epsilon; or leave iterates out"));
          continue;
        }
        ++claimed;
        double most = 0;
        for (int i = 0; i <= 100; ++i) {
          const double t = i / 100.0;
          const VecX x = solution.x(t);
          most = std::max({most, std::abs(x[0] - std::sin(t)), std::abs(x[1] - std::cos(t)),
                           std::abs((*solution.y(t))[0] - 1 - t)});
        }
        CHECK(most <= 2 * tolerance);
      }
    }
  }
  CHECK(claimed >= 24);
  const Solution one =
      solve(with_autodiff(Sensitive{}), {.tolerance = 1e-7, .epsilon = 3e-7, .iterates = 1});
  CHECK(one.report.termination == Termination::iterates_exhausted);
  CHECK(std::abs(one.x(1)[1] - std::cos(1)) > 50e-7);
}

TEST_CASE("what as many iterates as were given leave of B y counts where x is large beside it",
          "[nonlinear][reports]") {
  int open = 0;
  for (const double epsilon : {1e-2, 3e-5, 1e-5, 4e-6, 1e-7}) {
    for (const int iterates : {1, 2}) {
      const Solution solution =
          solve(with_autodiff(LargeState{}),
                {.tolerance = 1e-6, .epsilon = epsilon, .iterates = iterates});
      REQUIRE(solution.has_values());
      double most = 0;
      for (int i = 0; i <= 50; ++i) {
        const double t = i / 50.0;
        most = std::max(most, std::abs(solution.By(t)[0] - 1 - t));
      }
      CAPTURE(epsilon, iterates, most, solution.report.full());
      open += solution.report.usable() ? 0 : 1;
      CHECK(solution.report.usable() == (most <= 1e-6));
      if (!solution.report.usable()) {
        CHECK(solution.report.termination == Termination::iterates_exhausted);
      }
    }
  }
  CHECK(open >= 2);
}

}  // namespace daewave::bvp
