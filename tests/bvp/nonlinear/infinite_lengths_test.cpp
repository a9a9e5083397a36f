// Lengths at which an infinite interval is cut, with a solver that knows the solution on each.

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <vector>

#include "bvp/nonlinear/infinite_interval.hpp"
#include "bvp/solve.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x' = -x, of which solutions are made up.
struct Falling {
  using State = Vec<1>;
  Interval interval() const { return {0, INFINITY}; }
  State f(const State& x, double) const { return -x; }
  VecX conditions(const State& left, const State&) const { return left; }
};

/// x' = -x^2, of which x = 1 / (1 + t).
struct FallingSlowly : Falling {
  State f(const State& x, double) const { return State(-x[0] * x[0]); }
};

/// Pushed off between t = 50 and 60.
struct Pushed : Falling {
  State f(const State& x, double t) const { return State(t > 50 && t < 60 ? 1 - x[0] : -x[0]); }
};

class Lengths {
 public:
  std::function<double(double)> x = [](double t) { return std::exp(-t); };
  BoundaryProblem problem = boundary_problem_of(Falling{});
  double longest = INFINITY;  ///< Longer parts have no solution.
  Termination fails_as = Termination::not_converged;
  std::vector<Interval> parts;   ///< That were asked for.
  std::vector<Options> options;  ///< With which.

  Solution run(const Options& given) {
    parts.clear();
    options.clear();
    ProblemFamily family;
    family.member = [this](const VecX&) { return problem; };
    const SolveOnFinite solve = [this](const ProblemFamily& cut, const Options& with) {
      parts.push_back(cut.member(cut.p).interval);
      options.push_back(with);
      return solved(parts.back());
    };
    return solve_on_infinite(family, given, solve);
  }
  /// Where they end.
  std::vector<double> ends() const {
    std::vector<double> all;
    for (const Interval& part : parts) all.push_back(part.end);
    return all;
  }

 private:
  Solution solved(const Interval& part) const {
    Report report;
    if (part.length() > longest) {
      report.termination = fails_as;
      report.message = "no solution";
      report.advice = "another guess";
      return {nullptr, report};
    }
    report.termination = Termination::converged;
    report.error.available = true;
    report.error.x = 1e-12;
    report.seconds = {.condense = 1, .factorize = 2, .solve = 4, .total = 8};
    const Mesh mesh = uniform_mesh(part.begin, part.end, 400);
    const Collocation scheme = collocation(Scheme::gauss, 4);
    CollocationValues values;
    values.x.resize(1, 401);
    values.slopes.resize(1, 1600);
    values.carried.resize(0, 1600);
    for (int i = 0; i <= 400; ++i) values.x(0, i) = x(mesh.node(i));
    for (int stage = 0; stage < 1600; ++stage) {
      constexpr double step = 1e-5;
      const double t = mesh.node(stage / 4) + scheme.c[stage % 4] * mesh.step(stage / 4);
      values.slopes(0, stage) = (x(t + step) - x(t - step)) / (2 * step);
    }
    return testing::made_up({mesh, scheme, values}, report);
  }
};

}  // namespace

TEST_CASE(
    "an infinite interval is cut at 10 first, or where it is told to be, and then twice as far",
    "[infinite]") {
  Lengths lengths;
  const Solution open = lengths.run({.tolerance = 1e-3});
  REQUIRE(open.report.usable());
  CHECK(lengths.ends() == std::vector<double>{10, 20});
  CHECK(lengths.parts.front().begin == 0);
  // x changes by exp(-10), and the errors of meshes may be half of the tolerance.
  CHECK(lengths.options.front().tolerance == Approx(5e-4));
  CHECK_FALSE(lengths.options.front().truncation);
  CHECK(lengths.run({.tolerance = 1e-3, .truncation = 3.0}).report.usable());
  REQUIRE(lengths.parts.size() >= 2);
  CHECK(lengths.ends()[0] == 3);
  CHECK(lengths.ends()[1] == 6);
  // Each solution is the guess of the next.
  CHECK_FALSE(lengths.options[0].from);
  REQUIRE(lengths.options[1].from);
  CHECK(lengths.options[1].from->mesh().end() == 6);
  CHECK(lengths.options[1].from->x(2)[0] == Approx(std::exp(-2)));
}

TEST_CASE("seconds of all lengths are told by phase", "[infinite]") {
  Lengths lengths;
  const Solution solution = lengths.run({.tolerance = 1e-6, .truncation = 2.0});
  REQUIRE(solution.report.usable());
  const auto count = static_cast<double>(lengths.parts.size());
  CHECK(count >= 3);
  CHECK(solution.report.seconds.condense == count);
  CHECK(solution.report.seconds.factorize == 2 * count);
  CHECK(solution.report.seconds.solve == 4 * count);
}

TEST_CASE("a stricter tolerance cuts an infinite interval further away", "[infinite]") {
  Lengths lengths;
  for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
    CAPTURE(tolerance);
    const Solution solution = lengths.run({.tolerance = tolerance, .truncation = 2.0});
    REQUIRE(solution.report.usable());
    const double end = lengths.ends().back();
    // What is left beyond is below the tolerance, by no more than the last length.
    CHECK(std::exp(-end) <= tolerance);
    CHECK(end <= 4 * -std::log(tolerance) + 4);
    REQUIRE(solution.truncation);
    CHECK(solution.truncation->at_end);
    CHECK_FALSE(solution.truncation->at_begin);
    CHECK(solution.truncation->error <= 0.5 * tolerance);
    CHECK(solution.truncation->growth_at_end[0] == 0);
    // It is a part of the error that is told.
    CHECK(solution.report.error.x == Approx(solution.truncation->error + 1e-12));
    CHECK(solution.report.error.tolerance == tolerance);
    CHECK_THAT(solution.report.error.how, contains_text("of x by truncation to [0, "));
    CHECK_THAT(solution.report.message,
               contains_text(fmt::format("on 400 intervals of [0, {:.6g}]", end)));
    CHECK(solution.report.choices.front().name == "truncation");
    CHECK(solution.report.choices.front().value == fmt::format("[0, {:.6g}]", end));
    // x stays as it is at the cut.
    CHECK(solution.x(1e6)[0] == solution.x(end)[0]);
  }
}

TEST_CASE("intervals that are infinite to the left, or on both sides, are cut there",
          "[infinite]") {
  Lengths lengths;
  lengths.x = [](double t) { return 1 / std::cosh(t); };
  lengths.problem.equations = problem_of(Falling{});
  lengths.problem.interval = {-INFINITY, INFINITY};
  lengths.run({.tolerance = 1e-2, .truncation = 8.0});
  CHECK(lengths.parts.front().begin == -8);
  CHECK(lengths.parts.front().end == 8);
  lengths.problem.interval = {-INFINITY, 1};
  lengths.run({.tolerance = 1e-2, .truncation = 8.0});
  CHECK(lengths.parts.front().begin == -7);
  CHECK(lengths.parts.front().end == 1);
  // Around the times inside at which conditions see x.
  lengths.problem.interval = {-INFINITY, INFINITY};
  lengths.problem.inside = {3, 7};
  lengths.problem.further_conditions = [](const Observed&) { return VecX(VecX::Zero(1)); };
  lengths.run({.tolerance = 1e-2});
  CHECK(lengths.parts.front().begin == -5);
  CHECK(lengths.parts.front().end == 15);
}

TEST_CASE("times that must be inside are, and a solution to start from says how far to go",
          "[infinite]") {
  Lengths lengths;
  lengths.run({.tolerance = 1e-2, .fixed_nodes = {2, 9}});
  CHECK(lengths.ends().front() == 18);
  lengths.run({.tolerance = 1e-2, .fixed_nodes = {2, 4}});
  CHECK(lengths.ends().front() == 10);
  // The second length is that of the solution.
  const Solution from = lengths.run({.tolerance = 1e-2, .truncation = 12.0});
  const double end = from.mesh().end();
  lengths.run({.tolerance = 1e-2, .from = from});
  CHECK(lengths.ends().front() == Approx(end / 2));
  CHECK(lengths.options.front().from->mesh().end() == Approx(end / 2));
  lengths.run({.tolerance = 1e-2, .truncation = 5.0, .from = from});
  CHECK(lengths.ends().front() == 5);
}

TEST_CASE("where the first length has no solution shorter ones are tried", "[infinite]") {
  Lengths lengths;
  lengths.longest = 6;
  const Solution solution = lengths.run({.tolerance = 0.5});
  REQUIRE(lengths.ends().size() > 2);
  CHECK(lengths.ends()[0] == 10);
  CHECK(lengths.ends()[1] == 5);
  CHECK(lengths.ends()[2] == 10);
  // From there on by less, until that is hardly more.
  for (std::size_t i = 3; i < lengths.ends().size(); ++i) {
    CHECK(lengths.ends()[i] < lengths.ends()[i - 1]);
  }
  lengths.longest = 0;
  const Solution none = lengths.run({.tolerance = 1e-3});
  CHECK_FALSE(none.has_values());
  // Halved a dozen times.
  CHECK(lengths.parts.size() == 13);
  CHECK(lengths.ends().back() == Approx(10 / 4096.0));
  CHECK(none.report.message == "on [0, 10]: no solution");
  CHECK(none.report.advice == "another guess; or another length to begin with, truncation = 20");
  // Not where that is no question of lengths, nor below times that must be inside.
  lengths.fails_as = Termination::refused;
  CHECK(lengths.run({.tolerance = 1e-3}).report.advice == "another guess");
  CHECK(lengths.parts.size() == 1);
  lengths.fails_as = Termination::diverged;
  lengths.run({.tolerance = 1e-3, .fixed_nodes = {3}});
  CHECK(lengths.ends() == std::vector<double>{10, 5});
}

TEST_CASE("where no longer part has a solution the last one is given, and how far it goes",
          "[infinite]") {
  Lengths lengths;
  lengths.longest = 11;
  const Solution solution = lengths.run({.tolerance = 1e-8});
  REQUIRE(solution.has_values());
  CHECK(solution.report.termination == Termination::not_converged);
  CHECK(solution.mesh().end() == 10);
  CHECK_THAT(solution.report.message,
             contains_text("[0, 10] is as far as the interval was cut; with a length of ") &&
                 contains_text(": no solution"));
  CHECK(solution.report.advice == "another guess");
}

TEST_CASE("a decay like a small power is given up with the length that it needs", "[infinite]") {
  Lengths lengths;
  lengths.x = [](double t) { return 1 / std::sqrt(1 + t); };
  const Solution solution = lengths.run({.tolerance = 1e-6});
  REQUIRE(solution.has_values());
  CHECK(solution.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(solution.report.message, contains_text("error of truncation ") &&
                                          contains_text("it falls like length^-0.") &&
                                          contains_text("would be needed"));
  CHECK(lengths.parts.size() <= 12);
  CHECK(solution.truncation->error > 1e-6);
}

TEST_CASE("why no length is enough is told by what is too large", "[infinite]") {
  // Without an end: its error is more than its part of the tolerance.
  Lengths lengths;
  lengths.x = [](double t) { return std::sin(t); };
  for (const double tolerance : {1e-3, 1e-8}) {
    const Report report = lengths.run({.tolerance = tolerance}).report;
    INFO(report.full());
    CHECK(report.termination == Termination::tolerance_not_met);
    CHECK_THAT(report.message, contains_text(fmt::format(
                                   "exceeds {:.1e}, its part of the tolerance", tolerance / 2)));
    CHECK_THAT(report.advice, !contains_text("t^-p"));
  }
  // Within it, but of other equations: these have no value to tend to.
  struct Turning : Falling {
    State f(const State& x, double t) const { return State{std::sin(t) - x[0]}; }
  };
  lengths.x = [](double) { return 0; };
  lengths.problem.equations = problem_of(Turning{});
  const Report report = lengths.run({.tolerance = 1e-6}).report;
  CHECK(report.termination == Termination::tolerance_not_met);
  CHECK_THAT(report.message, !contains_text("exceeds") && contains_text("is off its equations"));
}

TEST_CASE("a component that grows like a line goes on along it beyond the cut", "[infinite]") {
  Lengths lengths;
  lengths.x = [](double t) { return 3 + 2 * t - std::exp(-t); };
  struct Rising : Falling {
    State f(const State& x, double t) const { return State{2.0 - (x[0] - 3 - 2 * t)}; }
  };
  lengths.problem.equations = problem_of(Rising{});
  const Solution solution = lengths.run({.tolerance = 1e-3});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(solution.truncation->growth_at_end[0] == Approx(2));
  CHECK(solution.x(1000)[0] == Approx(2003).epsilon(1e-3));
}

TEST_CASE("what is left of a power of the length is told in full", "[infinite]") {
  Lengths lengths;
  lengths.x = [](double t) { return 1 / (1 + t); };
  lengths.problem = boundary_problem_of(FallingSlowly{});
  const Solution solution = lengths.run({.tolerance = 2e-2});
  REQUIRE(solution.truncation);
  // x tends to zero, and is taken for what it is at the end; errors are parts of 1 + the largest x.
  const double error = lengths.x(lengths.ends().back()) / 2;
  CHECK(solution.truncation->error > 0.9 * error);
  CHECK(solution.truncation->error < 1.3 * error);
}

TEST_CASE("what lengths change is measured by tolerances of components", "[infinite]") {
  Lengths lengths;
  const auto end = [&](double absolute) {
    lengths.run({.tolerance = 1e-6,
                 .tolerances = {.relative = 1e-6, .absolute = absolute},
                 .truncation = 2.0});
    return lengths.ends().back();
  };
  CHECK(end(1e-6) == 32);
  CHECK(end(1e-2) == 16);
  // Meshes have half of them, as of the one tolerance; what is near rounding stays.
  CHECK(lengths.options.front().tolerances.relative.values()[0] == Approx(5e-7));
  CHECK(lengths.options.front().tolerances.absolute.values()[0] == Approx(5e-3));
  lengths.run({.tolerances = {.relative = 2e-14, .absolute = 1e-6}});
  CHECK(lengths.options.front().tolerances.relative.values()[0] == 2e-14);
}

TEST_CASE("the next length leads to where equations beyond change", "[infinite]") {
  Lengths lengths;
  lengths.problem = boundary_problem_of(Pushed{});
  lengths.run({.tolerance = 1e-3});
  REQUIRE(lengths.parts.size() > 2);
  CHECK(lengths.ends()[1] == 20);
  CHECK(lengths.ends()[2] > 50);
}

}  // namespace daewave::bvp
