#include "ivp/variation/solve_varied.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "ivp/doors/solve_reduced.hpp"
#include "ivp/one_step/collocation_step.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/run/restarts.hpp"
#include "ivp/run/tolerance.hpp"
#include "ivp/variation/varied_ode.hpp"

namespace daewave::ivp {
namespace {

/// Differences of F are good to 1e-11; what is below would be rounding to the step control.
constexpr double least_rtol_varied = 1e-11;

/// Of z and every column the same, but for what differences of F are good to.
Options with_columns(Options options, const VecX& start, const Variation& variation) {
  const auto n = static_cast<std::size_t>(start.size());
  if (!options.h) {
    options.rtol = std::max({options.rtol, least_rtol_varied, variation.step.apart});
    for (const DifferenceStep& step : variation.parameter_steps) {
      options.rtol = std::max(options.rtol, step.apart);
    }
    std::vector<double> each = options.atol_each;
    if (each.empty()) each.assign(n, absolute_of(options, 1));
    for (Eigen::Index j = 0; j < variation.columns.cols(); ++j) {
      double apart = variation.step.apart;
      if (j >= variation.starts) {
        const auto parameter = static_cast<std::size_t>(j - variation.starts);
        apart = std::max(apart, variation.parameter_steps[parameter].apart);
      }
      for (std::size_t i = 0; i < n; ++i) {
        const double known = apart * variation.unit[static_cast<Eigen::Index>(i)];
        each.push_back(std::max(each[i], known));
      }
    }
    options.atol_each = std::move(each);
    options.atol.reset();
  }
  options.every = 0;
  options.times.clear();
  options.dense = options.multipliers = options.monitor = false;
  options.keep = true;
  options.sink = nullptr;
  options.events.clear();
  return options;
}

}  // namespace

std::string no_variation(const Method& chosen) {
  if (!as<IndexReduction>(chosen)) {
    return fmt::format("method = {} does not reduce the index", name_of(chosen));
  }
  if (std::holds_alternative<SymmetricProjection>(chosen)) {
    return "steps of method = symmetric-projection are none of an ordinary equation";
  }
  if (std::holds_alternative<GaussWindows>(chosen)) {
    return "windows of method = gauss-windows are of motions alone";
  }
  if (std::holds_alternative<LocalStateSpace>(chosen)) {
    return "method = local-state-space steps parameters that are chosen anew on the way";
  }
  const auto* projection = std::get_if<ProjectEachStep>(&chosen);
  if (projection != nullptr && projection->energy)
    return "the energy that method = projection keeps is that of the start";
  return {};
}

Solution solve_varied(const DaeProblem& problem, const VecX& start, const Interval& span,
                      const MethodChoice& chosen, const Options& options,
                      const Variation& variation) {
  const int n = static_cast<int>(start.size());
  const int columns = static_cast<int>(variation.columns.cols());
  const Options with = with_columns(options, start, variation);
  VecX all(n * (1 + columns));
  all.head(n) = start;
  all.tail(n * columns) = variation.columns.reshaped();
  const IndexReduction method = *as<IndexReduction>(chosen.method);
  Restarted how;
  how.run = [&](const VecX& from, const Interval& part, const Options& piece_options,
                const Piece& piece) {
    Options of_z = piece_options;
    if (!of_z.atol_each.empty()) of_z.atol_each.resize(static_cast<std::size_t>(n));
    const Reduction reduction =
        reduction_of(method, Tolerance(of_z, n), piece_options.rank_tolerance);
    const auto system = reduce(problem, reduction), beside = reduce(problem, reduction);
    std::vector<MovedSystems> parameters;
    for (std::size_t j = 0; j < variation.moved.size(); ++j) {
      MovedSystems moved;
      moved.step = variation.parameter_steps[j].part;
      for (const DaeProblemPtr& one : variation.moved[j]) {
        moved.at.push_back(reduce(*one, reduction));
      }
      parameters.push_back(std::move(moved));
    }
    VariedOde ode(*system, *beside, variation.unit, variation.step.part, variation.starts,
                  std::move(parameters));
    const Tolerance tolerance(piece_options, static_cast<int>(from.size()));
    Monitors monitors;
    monitors.drift = false;
    monitors.piece = piece;
    const bool estimate = !piece_options.h;
    if (is_explicit(chosen.stepper)) {
      ExplicitRkStep step(ode, tableau(chosen.stepper), tolerance, estimate);
      return integrate(step, from, part, piece_options, monitors);
    }
    CollocationStep step(ode, chosen.scheme(), tolerance, estimate);
    return integrate(step, from, part, piece_options, monitors);
  };
  how.make_consistent = [](VecX&, double, const Options&, EventChanges::Use) {};
  return solve_with_restarts(how, all, span, with);
}

}  // namespace daewave::ivp
