// Linear problems step by step, as nonlinear ones, beside whole-interval sweeps of the linear
// boundary value solver: two programs that have no line of the discretization in common.

#include <algorithm>
#include <cmath>
#include <vector>

#include "bvp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/linear_runs.hpp"

using namespace daewave;

namespace {

/// The same settings for both orders of the loops.
struct Settings {
  Scheme scheme = Scheme::radau;
  int stages = 2;
  double alpha1 = 0;
  Weight weight = Weight::inverse;
  ivp::InitialIterate y_0{};
  int iterates = 3;
  Mesh mesh = uniform_mesh(0, 2, 150);
  double epsilon = 0.02;
};

template <class P>
bvp::Solution sweeps_of(const P& problem, const Settings& settings) {
  bvp::Options whole;
  whole.scheme = settings.scheme;
  whole.stages = settings.stages;
  whole.alpha1 = settings.alpha1;
  whole.weight = settings.weight;
  if (settings.y_0) {
    const int ny = erase(problem)->ny();
    whole.By_0 = Waveform::function([&problem, &settings, ny](double t) -> VecX {
      VecX y(ny);
      settings.y_0(t, y);
      return problem.B(t) * y;
    });
  }
  whole.iterates = settings.iterates;
  whole.mesh = settings.mesh;
  whole.epsilon = settings.epsilon;
  whole.conditioning = false;
  whole.max_parasitic_growth = 1e300;
  return bvp::solve(problem, whole);
}

double gap(const VecX& a, const VecX& b) { return (a - b).cwiseAbs().maxCoeff(); }

template <class P>
void check_equals_sweeps(const P& problem, const Settings& settings) {
  const bvp::Solution sweeps = sweeps_of(problem, settings);
  REQUIRE(sweeps.has_values());
  const LinearRun run(problem);
  const Regularization form{.variant = Variant::direct,
                            .weight = settings.weight,
                            .epsilon = settings.epsilon,
                            .alpha1 = settings.alpha1};
  const Collocation formula = collocation(settings.scheme, settings.stages);
  const int ny = run.problem->sizes().ny;
  // One step for each number of iterates, as a step leaves the stages of its last one.
  std::vector<ivp::SrmStep> steps;
  std::vector<std::vector<double>> waves;
  for (int s = 1; s <= settings.iterates; ++s) {
    steps.push_back(run.step(form, formula, s, settings.y_0));
    waves.emplace_back(static_cast<std::size_t>(steps.back().wave_size()));
  }
  for (std::size_t s = 0; s < steps.size(); ++s) {
    steps[s].leave(waves[s].data());
    REQUIRE(steps[s].start(settings.mesh.begin(), run.start));
  }
  std::vector<double> change(steps.size(), 0.0), drift(steps.size(), 0.0);
  double x_gap = 0, By_gap = 0;
  for (int i = 0; i < settings.mesh.intervals(); ++i) {
    for (ivp::SrmStep& step : steps) {
      REQUIRE(step.attempt(settings.mesh.node(i + 1) - step.t()) == 0);
      REQUIRE(step.accept());
      CHECK(step.t() == Approx(settings.mesh.node(i + 1)).epsilon(1e-14));
    }
    for (std::size_t s = 0; s < steps.size(); ++s) {
      drift[s] = std::max(drift[s], steps[s].drift().position);
      for (int j = 0; j < settings.stages; ++j) {
        const double t = settings.mesh.node(i) + formula.c[j] * settings.mesh.step(i);
        VecX y = Eigen::Map<const VecX>(waves[s].data() + j * ny, ny);
        if (s + 1 == steps.size() && j + 1 == settings.stages) {
          By_gap = std::max(By_gap, gap(problem.B(t) * y, sweeps.By_at_stage(i, j)));
        }
        VecX before = VecX::Zero(ny);
        if (s > 0) before = Eigen::Map<const VecX>(waves[s - 1].data() + j * ny, ny);
        if (s == 0 && settings.y_0) settings.y_0(t, before);
        y -= before;
        change[s] = std::max(change[s], (problem.B(t) * y).cwiseAbs().maxCoeff());
      }
    }
    x_gap = std::max(x_gap, gap(steps.back().state(), sweeps.x_at_node(i + 1)));
  }
  const double x_size = 1 + sweeps.x_at_nodes().cwiseAbs().maxCoeff();
  const double By_size = 1 + sweeps.carried_at_stages().cwiseAbs().maxCoeff();
  CHECK(x_gap < 1e-11 * x_size);
  CHECK(By_gap < 1e-11 * By_size);

  const auto& history = sweeps.report.history;
  REQUIRE(history.size() == steps.size());
  for (std::size_t s = 0; s < steps.size(); ++s) {
    CAPTURE(s + 1);
    CHECK(change[s] == Approx(history[s].change).epsilon(1e-8).margin(1e-10));
    CHECK(drift[s] == Approx(history[s].drift).epsilon(1e-8).margin(1e-10));
  }
}

}  // namespace

TEST_CASE("step by step gives what whole-interval sweeps give", "[srm][AL1-4.2]") {
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
  SECTION("alpha1 = 1") {
    settings.scheme = GENERATE(Scheme::radau, Scheme::gauss);
    settings.alpha1 = 1;
  }
  SECTION("another weight") {
    // C B of this problem is -1 in the sign of the library.
    settings.weight = Weight::transpose;
  }
  SECTION("an initial iterate") {
    settings.scheme = GENERATE(Scheme::radau, Scheme::gauss);
    settings.y_0 = [](double t, VecX& y) { y.setConstant(std::cos(t)); };
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

TEST_CASE("the same for several multipliers and sizes known at run time only", "[srm][AL1-4.2]") {
  Settings settings;
  settings.scheme = GENERATE(Scheme::radau, Scheme::gauss);
  CAPTURE(name_of(settings.scheme));
  check_equals_sweeps(LinBlocksFromLeft{{2, 2}}, settings);
}

TEST_CASE("earlier iterates do not depend on how many follow", "[srm]") {
  const LinearRun run(LinFromLeft{{2}});
  const Regularization form{.variant = Variant::singular_linear, .epsilon = 0.05};
  ivp::SrmStep four = run.step(form, collocation(Scheme::radau, 3), 4);
  ivp::SrmStep two = run.step(form, collocation(Scheme::radau, 3), 2);
  REQUIRE(two.start(0, run.start));
  REQUIRE(step_along(four, uniform_mesh(0, 2, 100), run.start, [&](int) {
    two.attempt(four.t() - two.t());
    two.accept();
    for (int s = 1; s <= 2; ++s) {
      CHECK(four.iterate(s).x == two.iterate(s).x);
      CHECK(four.iterate(s).carried == two.iterate(s).carried);
    }
  }));
}
