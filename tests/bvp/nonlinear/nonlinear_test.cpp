// Collocation of nonlinear boundary value problems of ordinary differential equations: orders, what
// Newton's method does where there is no solution, meshes, and what is refused.

#include <cmath>

#include "bvp/solve.hpp"
#include "core/blocks/linear_solver.hpp"
#include "core/error.hpp"
#include "core/report/stopwatch.hpp"
#include "problems/bent_beams.hpp"
#include "problems/boundary_layers.hpp"
#include "problems/index_one.hpp"
#include "tests/bvp/bratu.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::Bratu;

/// y'' = 2 y^3, y(0) = 1, y(1) = 1/2: y = 1 / (1 + t).
struct Reciprocal {
  using State = Vec<2>;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], 2 * x[0] * x[0] * x[0]}; }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - 1, right[0] - 0.5};
  }
  State x_exact(double t) const { return {1 / (1 + t), -1 / ((1 + t) * (1 + t))}; }
};

/// y'' = -(k pi)^2 y + 1, y = 0 at 0 and 1: with whole k open up to a multiple of sin k pi t, of
/// which no mesh knows at once.
struct Resonance {
  using State = Vec<2>;
  double k = 1;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const {
    const double rate = k * std::acos(-1.0);
    return {x[1], -rate * rate * x[0] + (std::fmod(k, 2) == 0 ? 1 : 0)};
  }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0], right[0]}; }
};

double error_at_nodes(const Solution& solution) {
  double most = 0;
  for (const double t : solution.mesh().nodes()) {
    most = std::max(most, (solution.x(t) - Reciprocal{}.x_exact(t)).cwiseAbs().maxCoeff());
  }
  return most;
}

}  // namespace

TEST_CASE("every scheme has its order at the nodes of a nonlinear problem", "[nonlinear]") {
  for (const Scheme scheme : all_schemes()) {
    for (int stages = stage_range(scheme).least; stages <= std::min(stage_range(scheme).most, 3);
         ++stages) {
      CAPTURE(name_of(scheme), stages);
      const auto error = [&](int intervals) {
        const Solution solution =
            solve(Reciprocal{}, {.scheme = scheme, .stages = stages, .intervals = intervals});
        INFO(solution.report.full());
        REQUIRE(solution.report.usable());
        return error_at_nodes(solution);
      };
      const int order = collocation(scheme, stages).order;
      const double coarse = error(8), fine = error(16);
      // Beyond 1e-13 the differences of Newton's method and rounding are what is left.
      CHECK((std::log2(coarse / fine) > order - 0.3 || fine < 1e-12));
    }
  }
}

TEST_CASE("Newton's method has the structure of its linear systems analyzed once",
          "[nonlinear][solvers]") {
  for (const std::string& name : linear_solver_names()) {
    const Solution solution = solve(Reciprocal{}, {.intervals = 20, .linear_solver = name});
    CAPTURE(name, solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.report.linear_solve.used == name);
    CHECK(solution.report.linear_solve.factorizations > 1);
    CHECK(solution.report.linear_solve.analyses == 1);
    CHECK(error_at_nodes(solution) < 1e-8);
  }
}

TEST_CASE("Newton's method makes no more matrices and changes than the cheapest way to go takes",
          "[nonlinear]") {
  // Of the elastica from its guess: the second change by the first matrix shows how fast it shrinks
  // them, and leads to where the second one is made, of which the third change is small.
  const Solution solution = solve(problems::Elastica{}, {.stages = 4, .intervals = 100});
  CAPTURE(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(solution.report.linear_solve.factorizations == 2);
  CHECK(solution.report.linear_solve.solves == 5);
}

TEST_CASE("a solve to a tolerance keeps it between nodes too", "[nonlinear]") {
  for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
    const Solution solution = solve(Reciprocal{}, {.tolerance = tolerance});
    CAPTURE(tolerance, solution.report.brief());
    REQUIRE(solution.report.usable());
    CHECK(solution.report.error.available);
    CHECK(solution.report.error.x <= tolerance);
    double most = 0;
    for (int i = 0; i <= 300; ++i) {
      const double t = i / 300.0;
      most = std::max(most, (solution.x(t) - Reciprocal{}.x_exact(t)).cwiseAbs().maxCoeff());
    }
    CHECK(most <= 2 * tolerance);
  }
}

TEST_CASE("intervals gather in a layer", "[nonlinear]") {
  const problems::LayerAtBegin problem{.e = 1e-6};
  const Solution solution = solve(problem, {.tolerance = 1e-6});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  for (int i = 0; i <= 1000; ++i) {
    const double t = std::pow(i / 1000.0, 3);
    CHECK(std::abs(solution.x(t)[0] - problem.x_exact(t)[0]) < 1e-6);
  }
  CHECK(solution.report.largest_step > 20 * solution.report.smallest_step);
  CHECK(solution.mesh().intervals() < 60);
}

TEST_CASE("a tolerance that cannot be met ends with what there is, and the report says so",
          "[nonlinear]") {
  const problems::CornerLayer problem{.e = 1e-3};
  const Solution limited = solve(problem, {.tolerance = 1e-10, .stages = 3, .max_intervals = 50});
  CHECK(limited.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(limited.report.message, contains_text("limit of 50 intervals"));
  REQUIRE(limited.has_values());
  CHECK(limited.x(0)[0] == Approx(problem.x_exact(0)[0]).epsilon(1e-2));
  const Solution none = solve(problem, {.tolerance = 1e-10, .max_intervals = 8});
  CHECK(none.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(none.report.message, contains_text("no error estimate"));
  // Rounding in x' = O(1 / e) is more than this tolerance.
  const Solution rounding = solve(problems::CornerLayer{.e = 1e-9}, {.tolerance = 1e-13});
  CHECK_FALSE(rounding.report.usable());
  CHECK(rounding.has_values());
}

TEST_CASE("a mesh without nodes is refused by name", "[nonlinear]") {
  for (const std::optional<double> tolerance : {std::optional<double>(), {1e-6}}) {
    CHECK_THROWS_WITH(solve(Bratu{1}, {.tolerance = tolerance, .mesh = Mesh()}),
                      contains_text("mesh: is empty"));
  }
}

TEST_CASE("no mesh has more intervals than are allowed, the first one neither", "[nonlinear]") {
  const Solution before = solve(Bratu{1}, {.tolerance = 1e-10, .stages = 3});
  REQUIRE(before.report.usable());
  for (const int most : {1, 2, 3, 5}) {
    std::vector<Options> all(3);
    if (most > 1) all[1].fixed_nodes = {0.3};
    all[2].from = before;
    for (Options& options : all) {
      options.max_intervals = most;
      int largest = 0;
      options.on_each_mesh = [&](const Solution& found) {
        largest = std::max(largest, found.mesh().intervals());
      };
      const Solution solution = solve(Bratu{1}, options);
      CAPTURE(most, largest, solution.report.full());
      CHECK(largest > 0);
      CHECK(largest <= most);
      if (!solution.report.usable()) CHECK_THAT(solution.report.advice, contains_text("raise max"));
      if (solution.report.usable()) {
        CHECK(solution.x(0.5)[0] == Approx(0.140539214400).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("where there is no solution the report says that Newton's method found none",
          "[nonlinear]") {
  const Solution some = solve(Bratu{1}, {.tolerance = 1e-8});
  REQUIRE(some.report.usable());
  CHECK(some.x(0.5)[0] == Approx(0.140539214400).epsilon(1e-8));
  const Solution none = solve(Bratu{4}, {.tolerance = 1e-8});
  CHECK_FALSE(none.report.usable());
  CHECK_FALSE(none.has_values());
  CHECK((none.report.termination == Termination::not_converged ||
         none.report.termination == Termination::singular_matrix ||
         none.report.termination == Termination::diverged));
  CHECK_FALSE(none.report.message.empty());
  CHECK_FALSE(none.report.advice.empty());
  CHECK_THROWS_AS(none.x(0.5), InvalidOption);
}

TEST_CASE("unknowns of index 1 are solved for beside the others", "[nonlinear]") {
  const Solution solution = solve(problems::IndexOneLayer{}, {.tolerance = 1e-9});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  for (const double t : {0.0, 0.7, 2.0, 4.4, 5.0}) {
    const VecX x = solution.x(t), w = solution.multiplier(t);
    CHECK(w[0] + x[0] * x[1] - t == Approx(0).margin(1e-7));
  }
}

namespace {

/// x1' = x2 + w - W, x2' = -x1, 0 = w - W + (w^3 - W^3) / 10 + c (x1 - sin t), W = size cos t: from
/// w = 0 the first step of Newton's method leads to size^3.
struct FarRoot {
  using State = Vec<2>;
  using Algebraic = Vec<1>;
  double size = 1e3;
  Interval interval() const { return {0, 1}; }
  double W(double t) const { return size * std::cos(t); }
  State f(const State& x, const Algebraic& w, double t) const {
    return {x[1] + w[0] - W(t), -x[0]};
  }
  Algebraic r(const State& x, const Algebraic& w, double t) const {
    const double root = W(t);
    return Algebraic(w[0] - root + 0.1 * (std::pow(w[0], 3) - std::pow(root, 3)) + x[0] -
                     std::sin(t));
  }
  State conditions(const State& left, const State& right) const {
    return {left[0], right[1] - std::cos(1.0)};
  }
  State guess(double) const { return {0, 1}; }
};

}  // namespace

TEST_CASE("unknowns of index 1 are found far from where their guess is", "[nonlinear]") {
  for (const double size : {1.0, 30.0, 1e3}) {
    const Solution solution = solve(FarRoot{size}, {.tolerance = 1e-8});
    CAPTURE(size);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    for (const double t : {0.0, 0.3, 0.8, 1.0}) {
      CHECK(solution.x(t)[0] == Approx(std::sin(t)).margin(1e-7));
      CHECK(solution.multiplier(t)[0] == Approx(size * std::cos(t)).epsilon(1e-7));
    }
  }
}

TEST_CASE("the curve passes through its nodes, and a table has its values", "[nonlinear]") {
  const Solution solution = solve(Reciprocal{}, {.stages = 2, .intervals = 5});
  const auto& between = solution.values();
  for (int i = 0; i < 5; ++i) {
    for (const int node : {i, i + 1}) {
      const double t = solution.mesh().node(node);
      CHECK((between.x(i, t) - solution.x_at_node(node)).cwiseAbs().maxCoeff() < 1e-14);
    }
  }
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 2; ++j) {
      const double t = solution.stage_time(i, j);
      const Vec<2> slope = Reciprocal{}.f(solution.x(t), t);
      CHECK((solution.slope(t) - slope).cwiseAbs().maxCoeff() < 1e-10);
    }
  }
  const Table nodes = solution.table(), points = solution.table(11);
  CHECK(nodes.names == std::vector<std::string>{"t", "x1", "x2"});
  CHECK(nodes.rows() == 6);
  CHECK(points.rows() == 11);
  CHECK(points.columns[0].back() == 1);
  CHECK_THROWS_AS(solution.table(1), InvalidOption);
  CHECK_THROWS_AS(solution.x(1.5), InvalidOption);
}

TEST_CASE("a table of a motion names its positions, velocities and forces, each from one on",
          "[nonlinear]") {
  struct OnCircle {
    using Position = Vec<2>;
    using Multiplier = Vec<1>;
    Interval interval() const { return {0, 1}; }
    Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
    Position f(const Position&, const Position&, double) const { return Position::Zero(); }
    Multiplier g(const Position& q, double) const { return Multiplier{(q.squaredNorm() - 1) / 2}; }
    Mat<1, 2> G(const Position& q, double) const { return q.transpose(); }
    Multiplier g_t(const Position&, double) const { return Multiplier{0}; }
    Vec<2> conditions(const VecX& left, const VecX& right) const {
      return {left[1], right[1] - std::sin(1.0)};
    }
    VecX guess(double t) const { return VecX{{1, t, 0, 1}}; }
  };
  const Solution solution = solve(OnCircle{}, {.tolerance = 1e-6});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  const Table table = solution.table(2);
  CHECK(table.names == std::vector<std::string>{"t", "q1", "q2", "v1", "v2", "lambda1"});
  // At the end of an arc of length 1.
  const double at_end[] = {1, std::cos(1.0), std::sin(1.0), -std::sin(1.0), std::cos(1.0), 1};
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    CHECK(table.columns[k][1] == Approx(at_end[k]).epsilon(1e-5));
  }
}

TEST_CASE("a solution is a guess for the next problem", "[nonlinear]") {
  const Solution easy = solve(Bratu{2}, {.tolerance = 1e-6});
  REQUIRE(easy.report.usable());
  const Solution next =
      solve(Bratu{3.5}, {.tolerance = 1e-6, .guess = [&](double t) { return easy.x(t); }});
  INFO(next.report.full());
  CHECK(next.report.usable());
}

namespace {

/// x'' = -x at a price of 30 microseconds a call.
struct Dear {
  using State = Vec<2>;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const {
    const Stopwatch watch;
    while (watch.seconds() < 3e-5) continue;
    return {x[1], -x[0]};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0], right[0] - std::sin(1.0)};
  }
};

}  // namespace

TEST_CASE("progress is told, and can stop, while a solution is looked at", "[nonlinear]") {
  const auto looks = [](const Progress& progress) { return progress.phase.starts_with("looking"); };
  int told = 0;
  const Options options{.tolerance = 1e-6, .samples = 4000};
  const auto with = [&options](ProgressFunction progress) {
    Options all = options;
    all.progress = std::move(progress);
    return all;
  };
  const Solution all = solve(Dear{}, with([&](const Progress& progress) {
                               if (looks(progress)) {
                                 ++told;
                                 CHECK(progress.fraction <= 1);
                                 CHECK(progress.intervals > 0);
                               }
                               return true;
                             }));
  REQUIRE(all.report.usable());
  CHECK(told > 0);
  const Solution stopped =
      solve(Dear{}, with([&](const Progress& progress) { return !looks(progress); }));
  CHECK(stopped.report.termination == Termination::stopped);
  CHECK_THAT(stopped.report.message, contains_text("stopped by the caller while looking"));
  CHECK(stopped.has_values());
}

TEST_CASE("progress can stop a nonlinear solve", "[nonlinear]") {
  const Solution stopped =
      solve(Reciprocal{}, {.tolerance = 1e-8, .progress = [](const Progress&) { return false; }});
  CHECK(stopped.report.termination == Termination::stopped);
  CHECK_FALSE(stopped.has_values());
  int all = 0;
  solve(Reciprocal{},
        {.tolerance = 1e-12, .progress = [&](const Progress&) { return ++all < 1000; }});
  REQUIRE(all > 3);
  for (int most = 1; most <= all; ++most) {
    CAPTURE(most);
    int calls = 0;
    const Solution later =
        solve(Reciprocal{},
              {.tolerance = 1e-12, .progress = [&](const Progress&) { return ++calls < most; }});
    CHECK(later.report.termination == Termination::stopped);
    CHECK(calls == most);
  }
}

TEST_CASE("each mesh on the way is told, and the solution is one of them", "[nonlinear]") {
  std::vector<int> intervals;
  std::vector<double> errors;
  const auto tell = [&](const Solution& found) {
    intervals.push_back(found.mesh().intervals());
    errors.push_back(std::abs(found.x(0.3)[0] - 1 / 1.3));
  };
  const Solution solution = solve(Reciprocal{}, {.tolerance = 1e-10, .on_each_mesh = tell});
  REQUIRE(solution.report.usable());
  REQUIRE(intervals.size() >= 2);  // A second one tells the error of the first.
  CHECK(std::count(intervals.begin(), intervals.end(), solution.mesh().intervals()) > 0);
  CHECK(errors.back() < 1e-8);
}

TEST_CASE("what conditions leave open is not called solved", "[nonlinear]") {
  for (const double k : {1.0, 2.0, 3.0, 5.0, 8.0}) {
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      CAPTURE(k, tolerance);
      const Solution solution = solve(Resonance{k}, {.tolerance = tolerance});
      INFO(solution.report.full());
      CHECK_FALSE(solution.report.usable());
      // Beside it conditions tell, by as much as it is far.
      const Solution beside = solve(Resonance{k + 0.02}, {.tolerance = tolerance});
      INFO(beside.report.full());
      CHECK(beside.report.usable());
      CHECK(beside.report.conditioning.boundary > 10);
    }
  }
}

TEST_CASE("what is not finite is named", "[nonlinear]") {
  struct Broken : Reciprocal {
    Vec<2> conditions(const State& left, const State&) const { return {left[0], NAN}; }
  };
  const Solution condition = solve(Broken{});
  CHECK(condition.report.termination == Termination::diverged);
  CHECK_THAT(condition.report.message, contains_text("boundary condition 2 is not finite"));
  const Solution guess =
      solve(Reciprocal{}, {.guess = [](double t) { return VecX(Vec<2>(t > 0.5 ? NAN : 1, 0)); }});
  CHECK(guess.report.termination == Termination::diverged);
  CHECK_THAT(guess.report.message, contains_text("not finite at t = 0.5"));
}

TEST_CASE("options of nonlinear solves that are out of range or do not belong are refused",
          "[nonlinear][solvers]") {
  const auto refused = [](const Options& options, const char* words) {
    CHECK_THROWS_WITH(solve(Reciprocal{}, options), contains_text(words));
  };
  refused({.tolerance = 0}, "tolerance = 0");
  refused({.stages = 9}, "stages");
  refused({.intervals = 0}, "intervals = 0");
  refused({.intervals = 4, .mesh = uniform_mesh(0, 1, 4)}, "both given");
  refused({.mesh = uniform_mesh(0, 2, 4)}, "must span");
  refused({.epsilon = 1e-3}, "epsilon: is of constraints");
  refused({.iterates = 2}, "iterates: is of constraints");
  refused({.epsilon = -1}, "epsilon = -1");
  refused({.linear_solver = "magic"}, "magic");
  refused({.newton_iterations = 0}, "newton_iterations = 0");
  refused({.guess = [](double) -> VecX { return VecX::Zero(3); }}, "guess: has 3 entries");
}

}  // namespace daewave::bvp
