#include "ivp/linear/step_local_linear.hpp"

#include <vector>

#include "bvp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/initial_value_problems.hpp"

using namespace daewave;

namespace {

/// The same settings for both orders of the loops.
struct Settings {
  Scheme scheme = Scheme::radau;
  int stages = 2;
  double alpha1 = 0;
  Weight weight = Weight::inverse;
  Waveform By_0{};
  int iterates = 3;
  Mesh mesh = uniform_mesh(0, 2, 150);
  double epsilon = 0.02;
};

template <class P>
void check_equals_sweeps(const P& problem, const Settings& settings) {
  bvp::Options whole;
  whole.scheme = settings.scheme;
  whole.stages = settings.stages;
  whole.alpha1 = settings.alpha1;
  whole.weight = settings.weight;
  whole.By_0 = settings.By_0;
  whole.iterates = settings.iterates;
  whole.mesh = settings.mesh;
  whole.epsilon = settings.epsilon;
  whole.conditioning = false;
  whole.max_parasitic_growth = 1e300;
  const bvp::Solution sweeps = bvp::solve(problem, whole);
  REQUIRE(sweeps.has_values());

  ivp::LinearOptions local;
  local.scheme = settings.scheme;
  local.stages = settings.stages;
  local.alpha1 = settings.alpha1;
  local.weight = settings.weight;
  local.By_0 = settings.By_0;
  local.iterates = settings.iterates;
  local.mesh = settings.mesh;
  local.epsilon = settings.epsilon;
  double x_gap = 0, By_gap = 0;
  int steps = 0;
  const auto gap = [](const VecX& a, const VecX& b) { return (a - b).cwiseAbs().maxCoeff(); };
  const ivp::LinearResult result = ivp::solve(problem, local, [&](const ivp::LinearStep& step) {
    CHECK(step.index == steps);
    CHECK(step.t == settings.mesh.node(step.index + 1));
    x_gap = std::max(x_gap, gap(step.x, sweeps.x_at_node(step.index + 1)));
    By_gap = std::max(By_gap, gap(step.By, sweeps.By_at_stage(step.index, settings.stages - 1)));
    ++steps;
    return true;
  });
  CHECK(result.report.usable());
  CHECK(steps == settings.mesh.intervals());
  CHECK(result.steps == steps);
  CHECK(result.t == settings.mesh.end());
  const double x_size = 1 + sweeps.x_at_nodes().cwiseAbs().maxCoeff();
  const double By_size = 1 + sweeps.carried_at_stages().cwiseAbs().maxCoeff();
  CHECK(x_gap < 1e-11 * x_size);
  CHECK(By_gap < 1e-11 * By_size);

  const auto& sweep_history = sweeps.report.history;
  REQUIRE(result.report.history.size() == sweep_history.size());
  for (std::size_t s = 0; s < sweep_history.size(); ++s) {
    const IterateReport& mine = result.report.history[s];
    CHECK(mine.iterate == sweep_history[s].iterate);
    CHECK(mine.change == Approx(sweep_history[s].change).epsilon(1e-8).margin(1e-10));
    CHECK(mine.change_at == Approx(sweep_history[s].change_at));
    CHECK(mine.drift == Approx(sweep_history[s].drift).epsilon(1e-8).margin(1e-10));
  }
}

}  // namespace

TEST_CASE("step by step gives what whole-interval sweeps give", "[ivp][AL1-4.2]") {
  Settings settings;
  SECTION("radau") { settings.stages = GENERATE(1, 2, 3, 5); }
  SECTION("gauss") {
    settings.scheme = Scheme::gauss;
    settings.stages = GENERATE(1, 2, 4);
  }
  SECTION("midpoint") {
    settings.scheme = Scheme::midpoint;
    settings.stages = 1;
  }
  SECTION("lobatto, whose first stage is the node") {
    settings.scheme = Scheme::lobatto;
    settings.stages = GENERATE(2, 3, 5);
  }
  SECTION("alpha1 = 1") {
    settings.scheme = GENERATE(Scheme::gauss, Scheme::lobatto);
    settings.alpha1 = 1;
  }
  SECTION("another weight") {
    settings.scheme = GENERATE(Scheme::radau, Scheme::lobatto);
    // C B of this problem is -1 in the sign of the library.
    settings.weight = Weight::transpose;
  }
  SECTION("an initial iterate") {
    settings.scheme = GENERATE(Scheme::radau, Scheme::gauss, Scheme::lobatto);
    settings.By_0 = Waveform::function([](double t) { return VecX::Constant(4, std::cos(t)); });
    settings.weight = GENERATE(Weight::inverse, Weight::transpose);
  }
  SECTION("steps of different lengths") {
    std::vector<double> nodes{0};
    while (nodes.size() < 131)
      nodes.push_back(nodes.back() + (nodes.size() % 2 == 0 ? 0.01 : 0.02));
    nodes.back() = 2;
    settings.mesh = Mesh(nodes);
  }
  SECTION("one iterate") { settings.iterates = 1; }
  CAPTURE(name_of(settings.scheme), settings.stages, name_of(settings.weight));
  check_equals_sweeps(LinFromLeft{{2}}, settings);
}

TEST_CASE("the same for several multipliers and sizes known at run time only", "[ivp][AL1-4.2]") {
  Settings settings;
  settings.scheme = GENERATE(Scheme::radau, Scheme::gauss, Scheme::lobatto);
  CAPTURE(name_of(settings.scheme));
  check_equals_sweeps(LinBlocksFromLeft{{2, 2}}, settings);
}

TEST_CASE("a number of steps is the uniform mesh, bit for bit", "[ivp]") {
  const LinFromLeft problem{{2}};
  const int steps = GENERATE(1, 63, 64, 65, 200);
  CAPTURE(steps);
  ivp::LinearOptions counted, meshed;
  counted.steps = steps;
  meshed.mesh = uniform_mesh(0, 2, steps);
  const ivp::LinearResult a = ivp::solve(problem, counted), b = ivp::solve(problem, meshed);
  CHECK(a.report.usable());
  CHECK(a.steps == steps);
  CHECK(a.x == b.x);
  CHECK(a.By == b.By);
  CHECK(a.t == 2);
}

TEST_CASE("earlier iterates do not depend on how many follow", "[ivp]") {
  const LinFromLeft problem{{2}};
  ivp::LinearOptions options;
  options.steps = 100;
  options.epsilon = 0.05;
  options.iterates = 4;
  const ivp::LinearResult four = ivp::solve(problem, options);
  options.iterates = 2;
  const ivp::LinearResult two = ivp::solve(problem, options);
  REQUIRE(four.x.cols() == 4);
  CHECK(four.x.leftCols(2) == two.x);
  CHECK(four.By.leftCols(2) == two.By);
}

TEST_CASE("the last iterate at the last step is what the result holds", "[ivp]") {
  ivp::LinearOptions options;
  options.steps = 77;
  options.scheme = GENERATE(Scheme::radau, Scheme::gauss, Scheme::lobatto);
  VecX x, By, drift;
  double t_By = 0;
  const ivp::LinearResult result =
      ivp::solve(Turning{5}, options, [&](const ivp::LinearStep& step) {
        x = step.x;
        By = step.By;
        drift = step.drift;
        t_By = step.t_By;
        return true;
      });
  CHECK(x == result.x.rightCols(1));
  CHECK(By == result.By.rightCols(1));
  CHECK(t_By == result.t_By);
  CHECK(drift.size() == result.x.cols());
  CHECK((x - Turning{}.x_exact(5)).cwiseAbs().maxCoeff() < 1e-4);
  CHECK((By - Turning{}.By_exact(t_By)).cwiseAbs().maxCoeff() < 1e-1);
}

TEST_CASE("a caller can stop a run and keeps what was done", "[ivp]") {
  ivp::LinearOptions options;
  options.steps = 1000;
  const ivp::LinearResult result = ivp::solve(
      Turning{10}, options, [](const ivp::LinearStep& step) { return step.t < 2.5 - 1e-9; });
  CHECK(result.report.termination == Termination::stopped);
  CHECK_THAT(result.report.message, contains_text("t = 2.5"));
  CHECK(result.steps == 250);
  CHECK(result.t == Approx(2.5));
  CHECK((result.x.rightCols(1) - Turning{}.x_exact(2.5)).cwiseAbs().maxCoeff() < 1e-8);

  // At the last step there is nothing left to stop.
  const ivp::LinearResult whole = ivp::solve(
      Turning{10}, options, [](const ivp::LinearStep& step) { return step.index < 999; });
  CHECK(whole.report.usable());
}

TEST_CASE("the report tells every setting and why", "[ivp]") {
  ivp::LinearOptions options;
  options.steps = 10;
  options.epsilon = 0.1;
  const Report report = ivp::solve(Turning{1}, options).report;
  CHECK(report.nx == 2);
  CHECK(report.ny == 1);
  CHECK(report.seconds.total > 0);
  CHECK(report.seconds.total >= report.seconds.condense);
  for (const char* name :
       {"steps", "scheme", "stages", "weight", "alpha1", "alpha2", "epsilon", "iterates", "By_0"}) {
    CAPTURE(name);
    int found = 0;
    for (const Choice& choice : report.choices) {
      if (choice.name != name) continue;
      ++found;
      CHECK(choice.reason.empty() == choice.by_user);
    }
    CHECK(found == 1);
  }
  // 0.1^12 = 1e-12.
  CHECK(report.history.size() == 12);
}
