// Random mechanisms by random methods and tolerances, beside references: what is called usable is
// right, and what is not says what is.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "core/start/problem_start.hpp"
#include "ivp/solve.hpp"
#include "tests/advice/followed_advice.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/random_mechanism.hpp"

namespace daewave::ivp {
namespace {

using daewave::testing::AdviceCount;
using daewave::testing::RandomMechanism;

/// Of a motion that nothing makes singular.
VecX end_by(const DaeProblem& problem, const VecX& start, double end, const Method& method,
            double rtol) {
  const Solution solution = solve(
      problem, start, {0, end}, {.method = method, .rtol = rtol, .repair_start = true, .every = 0});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  return solution.end();
}

struct Reference {
  VecX end;
  double apart;  ///< Of two methods, that share no formula and no way to stay on the constraints.
};

Reference reference_of(const RandomMechanism& mechanism) {
  const VecX first = end_by(*mechanism.regular, mechanism.start, mechanism.end,
                            ProjectEachStep{.formula = {Stepper::dop853, {}}}, 1e-13);
  const VecX second = end_by(*mechanism.regular, mechanism.start, mechanism.end,
                             SBoth2{.formula = {Stepper::dopri5, {}}}, 3e-13);
  return {first, (first - second).cwiseAbs().maxCoeff()};
}

/// How much the motion enlarges small changes of its start, and so what is wrong in a step.
double amplification(const RandomMechanism& mechanism) {
  constexpr double small = 1e-6;
  const Method method = ProjectEachStep{.formula = {Stepper::dop853, {}}};
  const VecX end = end_by(*mechanism.regular, mechanism.start, mechanism.end, method, 1e-12);
  double most = 1;
  for (int i = 0; i < 4; ++i) {
    VecX moved = mechanism.start;
    for (int j = 0; j < moved.size(); ++j) moved[j] += small * std::sin((i + 1) * (1.7 * j + 1));
    REQUIRE(repair_start(*mechanism.regular, moved, 0, 1e-12).ok);
    const double by = (moved - mechanism.start).cwiseAbs().maxCoeff();
    const VecX there = end_by(*mechanism.regular, moved, mechanism.end, method, 1e-12);
    if (by > 1e-12) most = std::max(most, (there - end).cwiseAbs().maxCoeff() / by);
  }
  return most;
}

struct Found {
  AdviceCount advice;
  int right = 0, sensitive = 0, warned = 0, unknown = 0;
  int estimated = 0, close = 0;  ///< Within a factor of ten.
};

Method random_method(std::mt19937& random) {
  if (random() % 2 == 0) return Automatic{};
  Method method = all_methods()[random() % all_methods().size()];
  if (auto* baumgarte = std::get_if<Baumgarte>(&method)) *baumgarte = {.alpha1 = 20, .alpha0 = 100};
  if (auto* stabilized = std::get_if<StabilizedOde>(&method)) stabilized->gamma = 10;
  if (auto* projection = std::get_if<ProjectEachStep>(&method)) {
    const std::vector<Stepper> steppers{Stepper::dop853, Stepper::dopri5, Stepper::radau,
                                        Stepper::gauss};
    projection->formula.stepper = steppers[random() % steppers.size()];
  }
  return method;
}

void look(const RandomMechanism& mechanism, const Reference& exact, double& enlarged,
          const Options& options, const Solution& solution, Found& found) {
  const Report& report = solution.report;
  INFO(report.full());
  const double error = (solution.end() - exact.end).cwiseAbs().maxCoeff();
  const double size = 1 + solution.end().cwiseAbs().maxCoeff();
  if (report.error.available && !options.h && exact.apart < 0.01 * error) {
    const double estimate =
        solution.errors.empty()
            ? 0
            : Eigen::Map<const MatX>(solution.errors.data(), solution.nz,
                                     static_cast<int>(solution.error_times.size()))
                  .rightCols(1)
                  .cwiseAbs()
                  .maxCoeff();
    ++found.estimated;
    const double ratio = (estimate + 1e-12) / (error + 1e-12);
    found.close += ratio > 0.1 && ratio < 10 ? 1 : 0;
  }
  // With a fixed h that of the estimate is allowed, and otherwise a thousand times the tolerance.
  const double allowed = 1000 * (options.h ? 1e-6 : options.rtol) * size;
  if (error <= allowed) {
    ++found.right;
    return;
  }
  if (exact.apart > 0.1 * allowed) {
    ++found.unknown;
    return;
  }
  if (!report.warnings.empty()) {
    ++found.warned;
    return;
  }
  if (enlarged == 0) enlarged = amplification(mechanism);
  CAPTURE(name_of(options.method), options.rtol, options.h.value_or(0), error, allowed, enlarged);
  CHECK(error <= allowed * enlarged);
  ++found.sensitive;
}

/// One run each.
Found campaign(unsigned from, unsigned to, double seconds) {
  Found found;
  for (unsigned seed = from; seed < to; ++seed) {
    std::mt19937 random(seed + 7);
    const RandomMechanism mechanism = daewave::testing::random_mechanism(seed);
    CAPTURE(seed, mechanism.name);
    const Reference exact = reference_of(mechanism);
    Options options{.method = random_method(random), .every = 0};
    options.rtol = std::pow(10, -3 - 8 * (static_cast<double>(random() % 1000) / 1000));
    if (random() % 6 == 0) options.h = mechanism.end / std::pow(10, 2 + random() % 3);
    options.estimate_error = options.h || random() % 4 == 0;
    double enlarged = 0;
    follow({mechanism.name + ", " + name_of(options.method),
            [&](const Options& of) {
              return solve(*mechanism.problem, mechanism.start, {0, mechanism.end}, of);
            },
            options, seconds,
            [&](const Options& of, const Solution& solution) {
              look(mechanism, exact, enlarged, of, solution, found);
            }},
           found.advice);
  }
  return found;
}

std::string text_of(const Found& found) {
  const AdviceCount& advice = found.advice;
  return std::to_string(advice.usable) + " usable, " + std::to_string(advice.failed) + " failed, " +
         std::to_string(advice.refused) + " refused, " + std::to_string(advice.stopped) +
         " took too long; of these and those after advice right " + std::to_string(found.right) +
         ", explained by sensitivity " + std::to_string(found.sensitive) + ", with a warning " +
         std::to_string(found.warned) + ", reference not sure enough " +
         std::to_string(found.unknown) + "; advice: " + std::to_string(advice.helped) +
         " helped, " + std::to_string(advice.none) + " had none, " +
         std::to_string(advice.too_long) +
         " took too long; estimates within ten: " + std::to_string(found.close) + " of " +
         std::to_string(found.estimated);
}

}  // namespace

TEST_CASE("random mechanisms are right where they are called usable, and advised where not",
          "[mechanisms]") {
  // Whatever the speed of the machine: none takes so long.
  const Found found = campaign(0, 12, 20);
  INFO(text_of(found));
  CHECK(found.advice.usable > 6);
  CHECK(found.right > 6);
}

TEST_CASE("1200 random mechanisms are right where they are called usable, and advised where not",
          "[.campaign]") {
  const Found found = campaign(1000, 2200, 2);
  WARN(text_of(found));
  CHECK(found.close >= 0.95 * found.estimated);
}

}  // namespace daewave::ivp
