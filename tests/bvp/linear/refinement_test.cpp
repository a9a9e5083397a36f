// Refining the mesh until the estimate keeps the tolerance, and stopping before.

#include <limits>

#include "bvp/solve.hpp"
#include "problems/al1.hpp"
#include "problems/ap91.hpp"
#include "problems/lin.hpp"
#include "problems/linear_catalogue.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

const problems::Lin problem{20};

}  // namespace

TEST_CASE("the estimate is no smaller than the error, and not a hundred times larger", "[refine]") {
  for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9}) {
    const Solution solution = solve(problem, {.tolerance = tolerance});
    REQUIRE(solution.report.usable());
    const testing::Errors errors = testing::errors_of(solution, problem);
    CAPTURE(tolerance, solution.report.error.how, solution.report.error.By * 1e9,
            errors.relative_By() * 1e9);
    const double rounding = 1e-13;
    CHECK(solution.report.error.x >= 0.5 * errors.relative_x() - rounding);
    CHECK(solution.report.error.By >= 0.5 * errors.relative_By() - rounding);
    CHECK(std::max(solution.report.error.x, solution.report.error.By) <= tolerance);
    CHECK_FALSE(solution.report.error.how.empty());
  }
}

TEST_CASE("layers are told from growth that may be hidden without a mesh twice as fine",
          "[refine]") {
  // Derivatives are large there beside what conditions say.
  struct Case {
    int number;
    double e;
    int most;  ///< A half more than are needed.
  };
  for (const auto& [number, e, most] : {Case{1, 1e-4, 10}, Case{1, 1e-6, 19}, Case{2, 1e-3, 21},
                                        Case{3, 1e-4, 9}, Case{4, 1e-3, 22}, Case{12, 1e-4, 16}}) {
    const std::string name = "cash-mazzia-" + std::to_string(number) + "-linear";
    const problems::LinearProblem layer =
        problems::make(problems::entry_named(name), {{"e", e, ""}});
    const Solution solution = solve(layer.dae, {.tolerance = 1e-6});
    CAPTURE(name, e, solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.mesh().intervals() <= most);
    for (int i = 0; i <= solution.mesh().intervals(); ++i) {
      const VecX off = solution.x_at_node(i) - layer.x_exact(solution.mesh().node(i));
      CHECK(std::abs(off[0]) < 1e-6);
    }
  }
}

TEST_CASE("a limit on the intervals ends as tolerance_not_met, with the last solution",
          "[refine]") {
  const Solution solution = solve(problem, {.tolerance = 1e-9, .stages = 3, .max_intervals = 60});
  CHECK(solution.report.termination == Termination::tolerance_not_met);
  CHECK_FALSE(solution.report.usable());
  REQUIRE(solution.has_values());
  CHECK(solution.mesh().intervals() <= 60);
  CHECK_THAT(solution.report.message,
             contains_text("exceeds tolerance 1.0e-09") || contains_text("no error estimate"));
  CHECK_THAT(solution.report.message, contains_text("limit of 60 intervals"));
  CHECK_THAT(solution.report.advice, contains_text("max_intervals"));
  CHECK(testing::errors_of(solution, problem).x < 1);
}

TEST_CASE("a tolerance that rounding forbids is given up at once, with the best there is",
          "[refine]") {
  const problems::LinearEntry& lin = problems::entry_named("lin");
  for (const double end : {100.0, 1000.0}) {
    for (const double tolerance : {1e-12, 1e-14}) {
      const problems::LinearProblem problem = problems::make(lin, {{"t-end", end, ""}});
      const Solution solution = solve(problem.dae, {.tolerance = tolerance});
      CAPTURE(end, tolerance, solution.report.full());
      REQUIRE(solution.has_values());
      if (!solution.report.usable()) {
        CHECK(solution.report.termination == Termination::tolerance_not_met);
        CHECK(solution.report.advice.find("rounding") != std::string::npos);
      }
      CHECK(solution.report.error.By < 1e-10);
      CHECK(solution.mesh().intervals() < 40000);
    }
  }
}

TEST_CASE("a given mesh is where refinement starts, and is kept without a tolerance", "[refine]") {
  const Solution kept = solve(problem, {.intervals = 123});
  CHECK(kept.mesh().intervals() == 123);
  CHECK_THAT(kept.report.message, contains_text("no tolerance was asked"));
  const Solution refined = solve(problem, {.tolerance = 1e-6, .intervals = 33});
  REQUIRE(refined.report.usable());
}

TEST_CASE("a caller who stops while condensing gets no values", "[progress]") {
  Options options;
  options.intervals = 2000;
  options.progress = [](const Progress& progress) { return progress.phase != "condense"; };
  const Solution solution = solve(problem, options);
  CHECK(solution.report.termination == Termination::stopped);
  CHECK_FALSE(solution.report.usable());
  CHECK_FALSE(solution.has_values());
  CHECK_THAT(solution.report.message, contains_text("stopped by the caller"));
}

TEST_CASE("a caller who stops while another mesh is compared keeps what was found", "[progress]") {
  int first = 0;
  Options options;
  options.tolerance = 1e-4;
  options.progress = [&](const Progress& progress) {
    if (first == 0) first = progress.intervals;
    return progress.intervals == first;
  };
  const Solution solution = solve(problems::Ap91{}, options);
  CHECK(solution.report.termination == Termination::stopped);
  CHECK_FALSE(solution.report.usable());
  REQUIRE(solution.has_values());
  CHECK(solution.mesh().intervals() == first);
}

TEST_CASE("a caller may stop at any call, also while a stage more is looked at", "[progress]") {
  const problems::LinearProblem layer =
      problems::make(problems::entry_named("cash-mazzia-3-linear"), {{"e", 1e-4, ""}});
  int calls = 0, most = std::numeric_limits<int>::max();
  Options options{.tolerance = 1e-6};
  options.progress = [&](const Progress&) { return ++calls < most; };
  REQUIRE(solve(layer.dae, options).report.usable());
  const int all = calls;
  REQUIRE(all > 3);
  for (most = 1; most <= all; ++most) {
    calls = 0;
    const Solution stopped = solve(layer.dae, options);
    CAPTURE(most, all, stopped.report.full());
    CHECK(stopped.report.termination == Termination::stopped);
    CHECK(calls <= most + 1);
  }
}

TEST_CASE("a caller who stops after an iterate keeps it", "[progress]") {
  Options options;
  options.intervals = 200;
  options.epsilon = 1e-2;
  options.iterates = 6;
  options.progress = [](const Progress& progress) { return progress.phase != "iterate 3"; };
  const Solution stopped = solve(problem, options);
  CHECK(stopped.report.termination == Termination::stopped);
  REQUIRE(stopped.has_values());
  CHECK(stopped.iterates() == 3);
  CHECK(stopped.report.history.size() == 3);
  options.progress = nullptr;
  options.iterates = 3;
  const Solution three = solve(problem, options);
  CHECK(stopped.x_at_nodes() == three.x_at_nodes());
  CHECK(stopped.carried_at_stages() == three.carried_at_stages());
}

TEST_CASE("a caller who stops a refinement keeps the last mesh that was solved", "[progress]") {
  Options options;
  options.tolerance = 1e-10;
  int first = 0;
  options.progress = [&first](const Progress& progress) {
    if (first == 0) first = progress.intervals;
    return progress.intervals == first;
  };
  const Solution solution = solve(problem, options);
  CHECK(solution.report.termination == Termination::stopped);
  REQUIRE(solution.has_values());
  CHECK(solution.mesh().intervals() == first);
}

TEST_CASE("progress tells its phase, a fraction within [0, 1] and the mesh in work", "[progress]") {
  Options options;
  options.intervals = 1000;
  options.iterates = 2;
  std::vector<Progress> seen;
  options.progress = [&seen](const Progress& progress) {
    seen.push_back(progress);
    return true;
  };
  REQUIRE(solve(problem, options).report.usable());
  REQUIRE(seen.size() >= 3);
  for (const Progress& progress : seen) {
    CHECK(progress.intervals == 1000);
    CHECK(progress.fraction > 0);
    CHECK(progress.fraction <= 1);
  }
  CHECK(seen.front().phase == "condense");
  CHECK(seen.back().phase == "iterate 2");
}

TEST_CASE("iterates that still change B y by more than the tolerance are not called converged",
          "[srm]") {
  // epsilon = 0.3 gains a third of a digit per sweep: twelve do not reach 1e-10.
  const Solution solution = solve(
      problem,
      {.tolerance = 1e-10, .intervals = 400, .epsilon = 0.3, .alpha1 = 0.0, .max_intervals = 800});
  CHECK_FALSE(solution.report.usable());
}

}  // namespace daewave::bvp
