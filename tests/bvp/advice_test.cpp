// What advice must not say: to set what is set, or to leave open what is open.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "bvp/linear/shooting_back.hpp"
#include "bvp/solve.hpp"
#include "core/error.hpp"
#include "problems/al1.hpp"
#include "problems/boundary_motion.hpp"
#include "tests/bvp/growing_mode.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// What the way out of a failure would say again.
std::vector<std::string> said_by(const Options& options) {
  std::vector<std::string> said;
  if (options.scheme) {
    for (const char* how : {"scheme = ", "scheme ", "use ", "take "}) {
      said.push_back(how + std::string(name_of(*options.scheme)));
    }
  }
  if (options.variant) said.push_back(fmt::format("variant = {}", name_of(*options.variant)));
  if (options.alpha1) said.push_back(fmt::format("alpha1 = {:g}", *options.alpha1));
  if (options.shooting_back.value_or(false) || options.alpha1.value_or(0) > 0) {
    said.insert(said.end(), {"shooting_back = true", "shoot back", "shooting back"});
  }
  if (options.stages == 1) said.emplace_back("fewer stages");
  if (!options.epsilon && !options.iterates) said.emplace_back("leave both out");
  if (options.truncation) said.push_back(fmt::format("truncation = {:g}", *options.truncation));
  return said;
}

struct Tally {
  int failed = 0, advised = 0;

  void check(const std::string& name, const Options& options, const std::string& way_out,
             bool knows_jacobian) {
    ++failed;
    if (!way_out.empty()) ++advised;
    std::vector<std::string> said = said_by(options);
    if (knows_jacobian) said.insert(said.end(), {"derivatives of f", "with_autodiff"});
    for (const std::string& again : said) {
      CAPTURE(name, again);
      CHECK_THAT(way_out, !contains_text(again));
    }
  }

  template <class P>
  void run(const std::string& name, const P& problem, const Options& options,
           bool knows_jacobian = false) {
    const std::string with =
        fmt::format("{} by {}", name, options.scheme ? name_of(*options.scheme) : "any scheme");
    try {
      const Report report = solve(problem, options).report;
      const bool warned = !report.advice.empty() || !report.warnings.empty();
      if (report.usable() && !warned) return;
      check(with, options, report.advice, knows_jacobian);
    } catch (const Error& refused) {
      // Begins with what was given.
      const std::string what = refused.what();
      check(with, options, what.substr(std::min(what.size(), what.find(": "))), knows_jacobian);
    }
  }
};

const std::vector<std::optional<Scheme>> schemes{std::nullopt, Scheme::gauss, Scheme::radau,
                                                 Scheme::lobatto};

/// x' = rate (x - cos t) - sin t from its value at 0, whose errors exp(rate t) amplifies.
struct Growing {
  using State = Vec<1>;
  bool is_bent = false;
  double rate = 30;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double t) const {
    const double off = x[0] - std::cos(t);
    return State(rate * off - std::sin(t) + (is_bent ? off * off : 0));
  }
  State conditions(const State& left, const State&) const { return State(left[0] - 1); }
  State guess(double t) const { return State(std::cos(t)); }
};

struct GrowingWithJacobian : Growing {
  Mat<1, 1> f_x(const State& x, double t) const {
    return Mat<1, 1>(rate + (is_bent ? 2 * (x[0] - std::cos(t)) : 0));
  }
};

/// y'' = -4 exp(y), y = 0 at both ends: there is none.
struct NoSolution {
  using State = Vec<2>;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], -4 * std::exp(x[0])}; }
  Mat<2, 2> f_x(const State& x, double) const {
    return Mat<2, 2>{{0, 1}, {-4 * std::exp(x[0]), 0}};
  }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0], right[0]}; }
};

/// Without a limit, and without a solution on most lengths.
struct Endless : NoSolution {
  Interval interval() const { return {0, INFINITY}; }
};

}  // namespace

TEST_CASE("advice to a failed solve of ordinary equations names nothing that is given",
          "[nonlinear][advice]") {
  Tally tally;
  for (const auto& scheme : schemes) {
    for (const bool is_bent : {false, true}) {
      for (const double tolerance : {1e-6, 1e-11}) {
        const Options options{.tolerance = tolerance, .scheme = scheme};
        for (const double rate : {19.0, 22.0, 26.0, 30.0}) {
          tally.run("a growing mode", Growing{is_bent, rate}, options);
        }
        tally.run("a growing mode with its Jacobian", GrowingWithJacobian{{is_bent}}, options,
                  true);
      }
    }
    tally.run("no solution", NoSolution{}, {.scheme = scheme}, true);
    tally.run("few intervals", Growing{},
              {.tolerance = 1e-9, .scheme = scheme, .stages = 2, .max_intervals = 4});
    tally.run("an endless one", Endless{}, {.scheme = scheme, .truncation = 4}, true);
  }
  CHECK(tally.failed >= 20);
  CHECK(tally.advised >= 20);
}

TEST_CASE("who shoots back is not advised to", "[linear][advice]") {
  for (const auto& scheme : schemes) {
    for (const int iterates : {1, 2, 3}) {
      Options options{.tolerance = 1e-6, .scheme = scheme, .epsilon = 0.02, .iterates = iterates};
      for (const bool is_refined : {true, false}) {
        if (!is_refined) {
          options.tolerance.reset();
          options.intervals = 8;
        }
        const ShootingBack shot = solve_with_shooting_back(problems::Al1Example1{}, options);
        CAPTURE(scheme ? name_of(*scheme) : "any scheme", iterates, is_refined);
        for (const Solution* const pass : {&shot.forward, &shot.backward, &shot.redone}) {
          CHECK_THAT(pass->report.advice, !contains_text("shoot"));
        }
      }
    }
  }
}

TEST_CASE("advice to a failed solve with constraints names nothing that is given",
          "[linear][nonlinear][advice]") {
  Tally tally;
  for (const auto& scheme : schemes) {
    for (const double alpha1 : {0.0, 1.0, -1.0}) {
      for (const int iterates : {0, 1}) {
        Options options{.tolerance = 1e-6, .scheme = scheme, .epsilon = 0.1};
        if (alpha1 >= 0) options.alpha1 = alpha1;
        if (iterates > 0) options.iterates = iterates;
        options.max_intervals = 200;
        tally.run("a linear one", testing::growing_mode(1, 2), options);
        if (alpha1 == 0) {
          options.shooting_back = true;
          tally.run("a linear one, shooting back", testing::growing_mode(1, 2), options);
        }
      }
    }
    for (const double rate : {5.0, 40.0}) {
      tally.run("a fast mode", testing::growing_mode(rate, 2),
                {.tolerance = 1e-9, .scheme = scheme, .max_intervals = 8});
    }
    for (const Variant variant : {Variant::direct, Variant::invariant, Variant::baumgarte_form}) {
      Options options{.tolerance = 1e-5, .scheme = scheme, .variant = variant, .epsilon = 0.3};
      options.iterates = 1;
      options.max_intervals = 60;
      tally.run("an arm", problems::ArmBetween{}, options);
      tally.run("a crank", problems::CrankBetween{}, options);
    }
  }
  CHECK(tally.failed >= 30);
  CHECK(tally.advised >= 20);
}

}  // namespace daewave::bvp
