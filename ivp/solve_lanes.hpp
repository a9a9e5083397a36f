#pragma once
// A DAE by sequential regularization with its iterates in lanes.
//
//   auto motion = ivp::solve_in_lanes(crank, ivp::compile_lanes<SliderCrank>(), start, {0, 70},
//                                     {.h = 1e-4});
//
// compile_lanes() (ivp/lanes/compile_lanes.hpp) takes the instruction set the file is compiled for.

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ivp/lanes/lane_kernels.hpp"
#include "ivp/lanes/lane_options.hpp"
#include "ivp/lanes/lane_step.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/solve.hpp"
#include "ivp/srm/iterate_changes.hpp"

namespace daewave::ivp {

namespace detail {

template <class P>
LaneStep lane_step(const P& problem, const LaneKernels<P>& kernels,
                   std::unique_ptr<RegularizedOde> ode, const LaneFormula& formula,
                   const SrmChoices& chosen, const FixedSteps& nodes, const InitialIterate& y_0,
                   bool watches) {
  auto rescuer = std::make_shared<LaneRescuer>(std::move(ode));
  std::unique_ptr<SkewedIterates> lanes(
      kernels.iterates(problem, chosen.form, formula, chosen.iterates, rescuer->rescue()));
  if (!lanes) {
    throw InvalidOption(
        "order = lanes: has no baumgarte-form with alpha1 > 0 but for weight = inverse; take it, "
        "or order = step-local");
  }
  std::function<void(double, double*)> initial;
  if (y_0) {
    initial = [y_0, y = VecX(VecX::Zero(lanes->shape().nc))](double t, double* out) mutable {
      y_0(t, y);
      std::copy_n(y.data(), y.size(), out);
    };
  }
  LaneFeed feed(std::move(lanes), formula, chosen.iterates, nodes, std::move(initial), watches);
  return {std::move(rescuer), std::move(feed), formula, chosen.iterates};
}

/// max |x_s - x_{s-1}| at the end, s = 2, 3, ...
inline std::vector<double> changes_of(const SkewedIterates& lanes, int iterates) {
  const auto nz = static_cast<std::size_t>(lanes.shape().nz);
  std::vector<double> before(nz), x(nz), carried(static_cast<std::size_t>(lanes.shape().nc));
  std::vector<double> changes;
  for (int s = 1; s <= iterates; ++s) {
    lanes.iterate(s, x.data(), carried.data());
    double change = 0;
    for (std::size_t i = 0; i < nz; ++i) change = std::max(change, std::abs(x[i] - before[i]));
    if (s > 1) changes.push_back(change);
    before = x;
  }
  return changes;
}

}  // namespace detail

/// As solve() with regularize.order = lanes, which need not be said.
/// @param kernels  of the problem, for one instruction set.
/// @throws InvalidOption, InvalidProblem as solve(), and for what lanes cannot do.
template <Dae P>
Solution solve_in_lanes(const P& problem, const LaneKernels<P>& kernels, StateOf<P> start,
                        const Interval& span, Options options = {}) {
  if (!options.method) options.method = Method::srm;
  check(options);
  check_span(span);
  std::vector<std::string> warnings;
  const Consistency found = detail::consistent(problem, start, span.begin, options, warnings);
  Options plain = options;
  plain.regularize.order = Order::step_local;
  plain.regularize.simd = {};
  const MethodChoice method = choose_method(
      {.reducible = Reducible<P>, .full_rank = !found.singular(), .backward = span.length() < 0},
      plain);
  check_lanes(options, method.method, method.stepper, 1, kernels.most_iterates);
  check_supported(kernels.simd);
  const ExplicitTableau& formula = tableau(method.stepper);
  const SrmChoices chosen = choose_srm(problem, start, span, plain, SrmFormula(formula));
  check_lanes(options, method.method, method.stepper, chosen.iterates, kernels.most_iterates);
  const auto monitors = detail::monitors_of_any(detail::monitors_of(problem, options), chosen.form);
  const MultiplierOfState multiplier = multiplier_of_state(problem, chosen.form, options);
  const Options bounded =
      multiplier ? without_zeta(multiplier, static_cast<int>(start.size()), options) : options;
  const InitialIterate y_0 = detail::initial_iterate(
      problem, start, span.begin, chosen.form.variant, options.regularize.exact_start);
  LaneStep step = detail::lane_step(
      problem, kernels, regularize(problem, chosen.form, start, span.begin), lane_formula(formula),
      chosen, FixedSteps(span, *options.h), y_0, monitors.drift);
  Solution solution = integrate(step, VecX(start), span, bounded, monitors);
  solution.report.integration.guarded = step.ode().guarded();
  const SkewedIterates& lanes = step.feed().lanes();
  std::vector<double> changes;
  if (solution.report.integration.reached == span.end) {
    changes = detail::changes_of(lanes, chosen.iterates);
  }
  tell_changes(changes, largest_residual(step.state()), options, solution.report);
  solution.report.choices.push_back(
      lanes_choice(options, kernels.simd, lanes.shape(), chosen.iterates));
  if (multiplier) fill_multipliers(multiplier, solution);
  Report& report = solution.report;
  report.choices.insert(report.choices.end(), chosen.choices.begin(), chosen.choices.end());
  if constexpr (HasName<P>) report.problem = problem.name();
  report.nx = static_cast<int>(start.size());
  report.ny = found.constraints;
  report.integration.index = found.index;
  report.integration.constraints = found.constraints;
  report.integration.rank = found.rank;
  report.choices.insert(report.choices.begin(), method.choices.begin(), method.choices.end());
  report.warnings.insert(report.warnings.begin(), warnings.begin(), warnings.end());
  return solution;
}

}  // namespace daewave::ivp
