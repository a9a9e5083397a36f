// Sequential regularization in a pipeline is the step-local computation, to the last bit: whatever
// the number of threads, the length of windows and how iterates are grouped.

#include <limits>

#include "core/error.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "ivp/doors/solve_srm.hpp"
#include "ivp/srm/run_srm.hpp"
#include "ivp/srm/window_choice.hpp"
#include "problems/al2.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/same_runs.hpp"
#include "tests/ivp/srm_problems.hpp"
#include "tests/parallel/pipelines_to_test.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;

namespace {

ivp::Options fixed(double h, int iterates) {
  return {.method = ivp::Srm{.iterates = iterates}, .h = h};
}

ivp::Options in_windows(ivp::Options options, const std::string& name, int threads, int steps,
                        std::optional<int> groups = {}) {
  std::get<ivp::Srm>(options.method).loops =
      ivp::Pipelined{parallel::make_pipeline(name, threads), steps, groups};
  return options;
}

/// Runs a problem in one form with one stepper; the front door without its choices.
class Runs {
 public:
  template <class P>
  Runs(const P& problem, Variant variant, ivp::Stepper stepper)
      : problem_(problem_of(problem)), start_(problem.z_exact(0)) {
    form_.variant = variant;
    form_.epsilon = 0.01;
    method_.method = ivp::Srm{};
    method_.stepper = stepper;
    method_.stages = 2;
  }

  ivp::Solution operator()(const ivp::Options& options, double t_end = 1) const {
    const ivp::Srm& asked = std::get<ivp::Srm>(options.method);
    ivp::SrmProblem problem;
    problem.ode = regularize(*problem_, form_);
    problem.start = start_;
    problem.y_0 = [](double t, VecX& y) { y.setConstant(1 + 0.1 * t); };
    return ivp::run_srm(problem, ivp::srm_formula(method_), *asked.iterates, {0, t_end}, asked,
                        options);
  }

 private:
  DaeProblemPtr problem_;
  VecX start_;
  Regularization form_;
  ivp::MethodChoice method_;
};

template <class P>
void check_all(const P& problem, const std::vector<Variant>& variants) {
  const std::vector<ivp::Stepper> steppers{ivp::Stepper::heun, ivp::Stepper::rk4,
                                           ivp::Stepper::dopri5, ivp::Stepper::radau,
                                           ivp::Stepper::gauss};
  for (Variant variant : variants) {
    for (ivp::Stepper stepper : steppers) {
      CAPTURE(name_of(variant), ivp::name_of(stepper));
      const Runs runs(problem, variant, stepper);
      const ivp::Options options = fixed(0.004, 4);
      const ivp::Solution alone = runs(options, 0.35);
      REQUIRE(alone.report.usable());
      for (const std::string& name : pipelines_to_test()) {
        for (int groups : {2, 3, 4}) {
          CAPTURE(name, groups);
          testing::check_same_runs(runs(in_windows(options, name, 2, 11, groups), 0.35), alone);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("windows have the bits of the step-local order, for every variant of index 2",
          "[parallel][srm]") {
  check_all(problems::Al2Example61(), variants_of_index_2());
}

TEST_CASE("windows have the bits of the step-local order, for every variant of index 3",
          "[parallel][srm]") {
  check_all(MovingCylinder(), variants_of_index_3());
}

TEST_CASE("200 runs with 1 to 8 threads and four lengths of windows have the same bits",
          "[parallel][srm]") {
  const Runs runs(MovingCylinder(), Variant::singular, ivp::Stepper::heun);
  const ivp::Options options = fixed(0.002, 3);
  const ivp::Solution alone = runs(options);
  const std::vector<std::string> names = pipelines_to_test();
  for (int run = 0; run < 200; ++run) {
    const int threads = 1 + run % 8;
    const int steps = std::vector<int>{1, 7, 64, 1000}[static_cast<std::size_t>(run / 8 % 4)];
    const std::string& name = names[static_cast<std::size_t>(run / 32) % names.size()];
    CAPTURE(run, name, threads, steps);
    testing::check_same_runs(runs(in_windows(options, name, threads, steps, 3)), alone);
  }
}

TEST_CASE("output between steps, and events, are the same in windows", "[parallel][srm]") {
  const Runs runs(MovingCylinder(), Variant::invariant, ivp::Stepper::dopri5);
  ivp::Options options = fixed(0.01, 3);
  options.times = {0.1, 0.123, 0.7, 0.999};
  options.events = {{.function = [](double, const VecX& z) { return z[0] - 0.9; }}};
  for (bool stops : {false, true}) {
    CAPTURE(stops);
    options.events[0].then = stops ? ivp::Event::Then::stop : ivp::Event::Then::go_on;
    const ivp::Solution alone = runs(options);
    const ivp::Solution windows = runs(in_windows(options, "threads", 3, 9));
    testing::check_same_runs(windows, alone);
    REQUIRE(alone.occurrences.size() >= 1);
    REQUIRE(windows.occurrences.size() == alone.occurrences.size());
    CHECK(windows.occurrences[0].t == alone.occurrences[0].t);
  }
}

TEST_CASE("a sink that stops the run stops the windows behind it", "[parallel][srm]") {
  const Runs runs(MovingCylinder(), Variant::singular, ivp::Stepper::heun);
  ivp::Options options = fixed(0.001, 3);
  long given = 0;
  options.sink = [&](const ivp::Output&) { return ++given < 50; };
  const ivp::Solution windows = runs(in_windows(options, "threads", 2, 4), 1000);
  CHECK(given == 50);
  CHECK(windows.count() == 50);
  // A million steps are not taken: those of the windows on their way are.
  CHECK(windows.report.integration.evaluations < 10000);
}

namespace {

/// A right side that ends at t = bad for whichever iterate comes first to it.
struct Ending : problems::Al2Example61 {
  double bad = 0.3;
  State f(const State& x, double t) const {
    State f = problems::Al2Example61::f(x, t);
    if (t > bad) f[1] = std::numeric_limits<double>::quiet_NaN();
    return f;
  }
};

}  // namespace

TEST_CASE("a failure names the iterate and the time as in the step-local order",
          "[parallel][srm]") {
  const Runs runs(Ending(), Variant::direct, ivp::Stepper::heun);
  const ivp::Options options = fixed(0.01, 3);
  const ivp::Solution alone = runs(options);
  REQUIRE_FALSE(alone.report.usable());
  REQUIRE(alone.t.back() == Approx(0.29).margin(0.011));
  for (const std::string& name : pipelines_to_test()) {
    for (int steps : {1, 7, 1000}) {
      CAPTURE(name, steps);
      testing::check_same_runs(runs(in_windows(options, name, 2, steps, 3)), alone);
    }
  }
}

TEST_CASE("what windows cannot do is refused with the way out", "[parallel][srm]") {
  CHECK_NOTHROW(ivp::check_windows({.steps = 10}, true));
  CHECK_THROWS_WITH(ivp::check_windows({.steps = 0}, true),
                    contains_text("steps = 0: of a window, must be >= 1"));
  CHECK_THROWS_WITH(ivp::check_windows({.steps = 10}, false),
                    contains_text("loops = pipelined: needs a fixed h"));
  CHECK_THROWS_WITH(ivp::share_out(3, 2, 4), contains_text("between 1 and the 3 iterates"));
}

TEST_CASE("iterates are shared out evenly, or one to a group", "[srm]") {
  CHECK(ivp::share_out(4, 2, {}) == std::vector<int>{2, 2});
  CHECK(ivp::share_out(3, 2, {}) == std::vector<int>{1, 1, 1});
  CHECK(ivp::share_out(2, 8, {}) == std::vector<int>{1, 1});
  CHECK(ivp::share_out(5, 1, {}) == std::vector<int>{5});
  CHECK(ivp::share_out(5, 1, 2) == std::vector<int>{3, 2});
}
