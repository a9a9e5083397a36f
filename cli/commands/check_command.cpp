#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>

#include "bvp/solve.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/problem_named.hpp"
#include "cli/output/option_words.hpp"
#include "cli/output/standard_output.hpp"
#include "core/stages/constraint_scan.hpp"
#include "models/unit_check.hpp"
#include "problems/linear_catalogue.hpp"

namespace daewave::cli {
namespace {

/// Largest singular value over the smallest of C B at the begin of the interval.
std::string rank_line(const LinearDae& problem) {
  const double begin = problem.interval().begin;
  CoefficientBatch batch(problem.nx(), problem.ny(), false);
  problem.evaluate(&begin, 1, batch);
  const Eigen::JacobiSVD<MatX, Eigen::NoQRPreconditioner> svd(batch.C(0) * batch.B(0));
  const VecX values = svd.singularValues();
  return fmt::format("C B at t = {:g}: rank {} of {}, singular values {:.3g} to {:.3g}", begin,
                     svd.rank(), problem.ny(), values[values.size() - 1], values[0]);
}

void print_conditions(const Boundary& boundary) {
  int left = 0, right = 0, coupled = 0;
  for (int i = 0; i < boundary.beta.size(); ++i) {
    switch (side_of(boundary, i)) {
      case ConditionSide::left:
        ++left;
        break;
      case ConditionSide::right:
        ++right;
        break;
      case ConditionSide::coupled:
        ++coupled;
        break;
    }
  }
  say("conditions: {} at the begin (and the constraint there), {} at the end, {} coupling "
      "both ends\n",
      left, right, coupled);
}

}  // namespace

namespace {

/// What the units of a model file say. @return whether all fit.
bool units_fit(const std::string& path) {
  const models::UnitCheck units =
      models::check_units(models::read_model_text(path), model_file(path));
  for (const std::string& one : units.wrong) say("units: {}\n", one);
  if (units.wrong.empty()) say("units: fit in {} expressions", units.expressions);
  if (!units.unchecked.empty()) {
    constexpr std::size_t most = 8;
    std::string names;
    for (std::size_t i = 0; i < std::min(most, units.unchecked.size()); ++i) {
      names += (i > 0 ? ", " : "") + units.unchecked[i];
    }
    if (units.unchecked.size() > most) names += fmt::format(", ... ({})", units.unchecked.size());
    say("{}not checked where {} is in it: without a unit, or one that is not known\n",
        units.wrong.empty() ? "; " : "units: ", names);
  } else if (units.wrong.empty()) {
    say("\n");
  }
  return units.wrong.empty();
}

int check_problem(const CheckCommand& command) {
  if (const catalogue::Entry* entry = find_initial_value(command.problem)) {
    return check_initial_value(*catalogue::make(*entry, command.parameters));
  }
  return check_boundary(catalogue::make(*find_boundary(command.problem), command.parameters));
}

}  // namespace

int run(const CheckCommand& command) {
  if (is_model_file(command.problem)) {
    const int code = check_problem(command);
    return units_fit(command.problem) ? code : not_solved;
  }
  if (find_initial_value(command.problem) != nullptr || find_boundary(command.problem) != nullptr) {
    return check_problem(command);
  }
  if (const flow::FlowEntry* entry = find_flow(command.problem)) return check_flow(command, *entry);
  find_linear(command.problem);
  const problems::LinearProblem problem =
      problems::make(find_linear(command.problem), command.parameters);
  const LinearDae& dae = *problem.dae;
  say("{}: nx = {}, ny = {}, t in [{:g}, {:g}]\n", dae.name(), dae.nx(), dae.ny(),
      dae.interval().begin, dae.interval().end);

  // A solve to a loose tolerance makes every check a solve makes; those throw.
  const bvp::Solution solution = in_options(bvp::solve(problem.dae, {.tolerance = 1e-3}));
  const ConstraintScan scan = scan_constraint(dae);
  say("index 2; {}\n", rank_line(dae));
  print_conditions(dae.boundary());
  say("C' and r': {}\n", dae.has_constraint_derivatives() ? "given" : "not given");
  if (scan.regular()) {
    say("constraint: regular on the whole interval, |P| up to {:.2g}\n", scan.obliqueness);
  }
  for (const SingularPoint& point : scan.singular_points) {
    say("constraint: singular at t = {:.10g}: {}\n", point.t, point.kind);
  }
  const ConditioningReport& conditioning = solution.report.conditioning;
  if (conditioning.available) {
    say("conditioning: boundary {:.2g}, forcing {:.2g}; {} decaying, {} growing, {} neutral "
        "modes, largest exponent {:.3g} per unit of time\n",
        conditioning.boundary, conditioning.forcing, conditioning.decaying, conditioning.growing,
        conditioning.neutral, conditioning.fastest_growth);
  }
  say("a solve to 1e-3: {}\n", solution.report.brief());
  for (const std::string& warning : solution.report.warnings) say("warning: {}\n", warning);
  return solution.report.usable() ? solved : not_solved;
}

}  // namespace daewave::cli
