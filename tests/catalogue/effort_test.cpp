// How long runs are: steps, rejections, evaluations and errors of every method, as they were when
// effort.txt was written. A factor in a step control, a rule when to factorize again or an order
// that is chosen too late make no answer wrong; they are seen here.
//
// After a change that is meant, DAEWAVE_RECORD=1 daewave_test_catalogue "[effort]" writes the file
// anew, to be looked at as a change.

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/initial_value_catalogue.hpp"
#include "core/error.hpp"
#include "tests/catalogue/methods_with_numbers.hpp"
#include "tests/catch.hpp"
#include "tests/source_folder.hpp"

namespace daewave::catalogue {
namespace {

const std::filesystem::path recorded = testing::in_source("tests/catalogue/effort.txt");

struct Case {
  std::string name;
  ivp::Options options;
};

ivp::Options of(ivp::Method method, double rtol) {
  ivp::Options options{.method = std::move(method), .rtol = rtol};
  options.most_steps = 20000;
  options.every = 0;
  options.seek_way_out = false;
  return options;
}

std::vector<Case> every_method(double length) {
  std::vector<Case> cases;
  for (const ivp::Method& method : methods_with_numbers()) {
    for (const double rtol : {1e-5, 1e-8}) {
      cases.push_back({fmt::format("{} rtol = {:.0e}", name_of(method), rtol), of(method, rtol)});
    }
    Case fixed{fmt::format("{} fixed", name_of(method)), of(method, 1e-6)};
    fixed.options.h = length / 100;
    cases.push_back(fixed);
  }
  return cases;
}

/// What methods can be told.
std::vector<Case> settings() {
  std::vector<Case> cases;
  for (const ivp::Stepper stepper : ivp::all_steppers()) {
    for (const double beta : {0.0, 0.04}) {
      Case one{fmt::format("s-both2 {} beta = {}", name_of(stepper), beta),
               of(ivp::SBoth2{.formula = {stepper, {}}}, 1e-6)};
      one.options.control = {.beta = beta};
      cases.push_back(one);
    }
  }
  for (const int order : {1, 2, 3, 4, 5, 6}) {
    const auto add_order = [&](const char* name, ivp::Method method) {
      cases.push_back({fmt::format("{} order {}", name, order), of(std::move(method), 1e-5)});
    };
    add_order("bdf-projection", ivp::BdfProjection{.order = order});
    add_order("bdf-projection, estimate", ivp::BdfProjection{.order = order, .estimate = true});
    add_order("bdf-projected-invariants", ivp::BdfProjectedInvariants{.order = order});
    add_order("dcbdf", ivp::Dcbdf{.order = order});
    add_order("dcbdf, multiplier", ivp::Dcbdf{.order = order, .control_multiplier = true});
    add_order("dcbdf-bdf", ivp::DcbdfBdf{.order = order});
    add_order("adams-moulton", ivp::AdamsMoulton{.order = std::min(order, 3)});
    add_order("bdf", ivp::Bdf{.order = order});
  }
  const auto add = [&](const std::string& name, ivp::Method method) {
    cases.push_back({name, of(std::move(method), 1e-6)});
  };
  for (const ivp::Metric metric : {ivp::Metric::mass, ivp::Metric::orthogonal}) {
    const char* const suffix = metric == ivp::Metric::mass ? "mass" : "orthogonal";
    add(fmt::format("s-both, {}", suffix), ivp::SBoth{.metric = metric, .factor = 0.8});
    add(fmt::format("s-both2, {}", suffix),
        ivp::SBoth2{.metric = metric, .second_step = ivp::SecondStep::half_fresh});
    add(fmt::format("s-vel, {}", suffix), ivp::SVel{.metric = metric, .factor = 1.2});
    add(fmt::format("s-pos, {}", suffix), ivp::SPos{.metric = metric, .factor = 0.7});
    using Direction = ivp::StabilizedOde::Direction;
    for (const Direction along : {Direction::full, Direction::both, Direction::both_curved}) {
      add(fmt::format("stabilized-ode {}, {}", static_cast<int>(along), suffix),
          ivp::StabilizedOde{.gamma = 20, .metric = metric, .direction = along});
    }
  }
  using ivp::Onto;
  for (const Onto onto : {Onto::both, Onto::in_turn, Onto::position, Onto::velocity}) {
    for (const bool energy : {false, true}) {
      const std::string suffix = fmt::format("{}{}", name_of(onto), energy ? ", energy" : "");
      add("projection " + suffix, ivp::ProjectEachStep{.onto = onto, .energy = energy});
      add("projected-invariants " + suffix,
          ivp::ProjectedInvariants{.onto = onto, .energy = energy});
      add("bdf-projection " + suffix, ivp::BdfProjection{.onto = onto, .energy = energy});
      add("bdf-projected-invariants " + suffix,
          ivp::BdfProjectedInvariants{.onto = onto, .energy = energy});
    }
  }
  using ivp::ProjectionMetric;
  add("projection, mass", ivp::ProjectEachStep{.metric = ProjectionMetric::mass});
  add("projection, weighted", ivp::ProjectEachStep{.metric = ProjectionMetric::weighted});
  add("bdf-projection, mass", ivp::BdfProjection{.metric = ProjectionMetric::mass});
  add("bdf-projection, orthogonal", ivp::BdfProjection{.metric = ProjectionMetric::orthogonal});
  add("bdf-projection, index 1", ivp::BdfProjection{.form = ivp::MultiplierForm::index_1});
  add("bdf-projected-invariants, index 1",
      ivp::BdfProjectedInvariants{.form = ivp::MultiplierForm::index_1});
  for (const double bound : {1.5, 3.0}) {
    add(fmt::format("local-state-space, bound {}", bound), ivp::LocalStateSpace{.bound = bound});
    add(fmt::format("local-state-space, tangent, bound {}", bound),
        ivp::LocalStateSpace{.parameters = ivp::LocalStateSpace::Parameters::tangent,
                             .bound = bound});
  }
  add("dcbdf, term", ivp::Dcbdf{.blocking = ivp::Blocking::term});
  add("adams-moulton, term", ivp::AdamsMoulton{.blocking = ivp::Blocking::term});
  for (const Weight weight : all_weights()) {
    add(fmt::format("srm {}", name_of(weight)), ivp::Srm{.weight = weight});
  }
  for (const int iterates : {1, 2, 5}) {
    add(fmt::format("srm {} iterates", iterates), ivp::Srm{.iterates = iterates});
    add(fmt::format("srm {} iterates, exact start", iterates),
        ivp::Srm{.epsilon = 1e-2, .iterates = iterates, .exact_start = 1});
  }
  for (const Variant variant : ivp::all_variants()) {
    for (const double alpha1 : {0.0, 1.0}) {
      const ivp::Srm srm{.variant = variant, .alpha1 = alpha1};
      cases.push_back({fmt::format("srm {} alpha1 = {}", name_of(variant), alpha1), of(srm, 1e-5)});
    }
  }
  for (const int stages : {1, 2, 3, 4, 5}) {
    for (const ivp::Stepper stepper : {ivp::Stepper::gauss, ivp::Stepper::radau}) {
      const ivp::Formula formula{stepper, stages};
      cases.push_back({fmt::format("projection {} {} stages", name_of(stepper), stages),
                       of(ivp::ProjectEachStep{.formula = formula}, 1e-6)});
    }
    ivp::SymmetricProjection symmetric{.stages = stages};
    cases.push_back({fmt::format("symmetric {} stages", stages), of(symmetric, 1e-6)});
    cases.back().options.h = 0.05;
    symmetric.stage_iteration = ivp::StageIteration::newton;
    cases.push_back({fmt::format("symmetric, newton {} stages", stages), of(symmetric, 1e-6)});
    cases.back().options.h = 0.05;
  }
  return cases;
}

/// What a run came to, and its numbers.
struct Effort {
  std::string name;
  std::string ended;
  long steps = 0, rejected = 0, evaluations = 0, guarded = 0, choices = 0;
  double largest_step = 0;
  double drift_position = 0, drift_velocity = 0, error = 0;  ///< Decimal logarithms.
};

double logarithm(double value) { return std::log10(std::max(value, 1e-12)); }

std::string text_of(const Effort& one) {
  return fmt::format("{}: {} {} {} {} {} {} {:.2g} {:.1f} {:.1f} {:.1f}", one.name, one.ended,
                     one.steps, one.rejected, one.evaluations, one.guarded, one.choices,
                     one.largest_step, one.drift_position, one.drift_velocity, one.error);
}

Effort effort_of(const InitialValueProblem& problem, const Interval& span, const Case& asked,
                 const VecX& reference) {
  Effort effort{problem.name() + " " + asked.name, "refused"};
  try {
    const ivp::Solution run = problem.solve(span, asked.options);
    const IntegrationReport& went = run.report.integration;
    effort.ended = name_of(run.report.termination);
    effort.steps = went.steps;
    effort.rejected = went.rejected;
    effort.evaluations = went.evaluations;
    effort.guarded = went.guarded;
    effort.choices = went.parameter_choices;
    effort.largest_step = went.largest_step;
    effort.drift_position = logarithm(went.drift_position);
    effort.drift_velocity = logarithm(went.drift_velocity);
    if (run.report.usable()) {
      effort.error = logarithm((run.end() - reference).lpNorm<Eigen::Infinity>());
    }
  } catch (const InvalidOption&) {
  }
  return effort;
}

struct Runs {
  const char* problem;
  Parameters parameters;
  double from, to;
  bool settings = false;
  bool steps_are_chance = false;  ///< What controls them is as rough as rounding: fixed ones alone.
};

/// With regular, singular and dependent constraints, of index 2 and 3, forward and backward.
const std::vector<Runs>& all_runs() {
  static const std::vector<Runs> runs{
      {"pendulum", {}, 0, 2, true},          {"pendulum", {}, 1, 0},
      {"al2-example6.1", {}, 0, 0.4, true},  {"al2-example6.2", {}, 0, 0.8},
      {"two-link-arm-1", {}, 0, 1.5},        {"slider-crank", {}, 0, 2},
      {"slider-crank", {}, 0, 0.3, true},    {"chain", {{"links", 3, ""}}, 0, 0.5},
      {"wheelset", {}, 0, 0.1, false, true}, {"truck", {}, 0, 0.8}};
  return runs;
}

std::vector<Effort> efforts_of(const Runs& runs) {
  const InitialValueProblemPtr problem = make(*find(runs.problem), runs.parameters);
  const Interval span{runs.from, runs.to};
  ivp::Options exact = of(ivp::ProjectEachStep{.formula = {ivp::Stepper::dop853, {}}}, 1e-12);
  const VecX reference = problem->solve(span, exact).end();
  std::vector<Case> cases = every_method(std::abs(runs.to - runs.from));
  if (runs.settings) {
    for (Case& one : settings()) cases.push_back(std::move(one));
  }
  if (runs.steps_are_chance) std::erase_if(cases, [](const Case& one) { return !one.options.h; });
  std::vector<Effort> all;
  for (const Case& one : cases) all.push_back(effort_of(*problem, span, one, reference));
  return all;
}

Effort read_effort(const std::string& line) {
  const std::size_t colon = line.find(": ");
  Effort one{line.substr(0, colon), ""};
  std::istringstream rest(line.substr(colon + 2));
  rest >> one.ended >> one.steps >> one.rejected >> one.evaluations >> one.guarded >> one.choices >>
      one.largest_step >> one.drift_position >> one.drift_velocity >> one.error;
  return one;
}

/// As rounding on another machine may move it.
bool near(long now, long then, double part) {
  return std::abs(now - then) <= 2 + std::lround(part * static_cast<double>(then));
}

/// Errors close to those of rounding are chance.
bool near_logarithms(double now, double then) {
  return std::max(now, then) < -10 || std::abs(now - then) < 0.25;
}

void compare(const Effort& now, const Effort& then) {
  INFO("then " << text_of(then) << "\nnow  " << text_of(now));
  CHECK(now.name == then.name);
  // Where and how a run breaks down is a matter of rounding.
  const auto done = [](const Effort& one) { return one.ended == "converged"; };
  CHECK((now.ended == "refused") == (then.ended == "refused"));
  CHECK(done(now) == done(then));
  if (!done(now) || !done(then)) return;
  CHECK(near(now.steps, then.steps, 0.04));
  CHECK(near(now.rejected, then.rejected, 0.04));
  // Iterations at rounding's level come to one more or less in each step.
  const bool fixed = now.name.find(" fixed") != std::string::npos;
  CHECK(near(now.evaluations, then.evaluations, fixed ? 0.2 : 0.06));
  CHECK(near(now.guarded, then.guarded, 0.04));
  CHECK(near(now.choices, then.choices, 0.04));
  CHECK(now.largest_step == Approx(then.largest_step).epsilon(0.1));
  CHECK(near_logarithms(now.drift_position, then.drift_position));
  CHECK(near_logarithms(now.drift_velocity, then.drift_velocity));
  CHECK(near_logarithms(now.error, then.error));
}

}  // namespace

TEST_CASE("runs of every method take the steps and evaluations they took, with the errors they had",
          "[catalogue][effort]") {
  std::vector<Effort> all;
  for (const Runs& runs : all_runs()) {
    for (Effort& one : efforts_of(runs)) all.push_back(std::move(one));
  }
  if (std::getenv("DAEWAVE_RECORD") != nullptr) {
    std::ofstream anew(recorded);
    for (const Effort& one : all) anew << text_of(one) << "\n";
  }
  std::ifstream file(recorded);
  REQUIRE(file);
  std::string line;
  for (const Effort& now : all) {
    REQUIRE(std::getline(file, line));
    compare(now, read_effort(line));
  }
  CHECK_FALSE(std::getline(file, line));
}

}  // namespace daewave::catalogue
