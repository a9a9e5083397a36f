#include "bvp/nonlinear/mesh_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "bvp/curve/curve_of_ranks.hpp"
#include "bvp/curve/times_of_ranks.hpp"
#include "bvp/mesh/left_by_iterates.hpp"
#include "bvp/mesh/mesh_choice.hpp"
#include "bvp/mesh/shared_mesh.hpp"
#include "bvp/nonlinear/slivers_at_ends.hpp"
#include "core/not_finite.hpp"
#include "core/ranks/reversed_ranks.hpp"

namespace daewave::bvp {
namespace {

/// Which conditions see which end, along the guess.
ConditionOrder order_along_guess(const NonlinearProblem& problem) {
  const VecX left = problem.guess(problem.interval.begin),
             right = problem.guess(problem.interval.end);
  const VecX moved = left.cwiseAbs().cwiseMax(right.cwiseAbs()).array() + 1;
  const Eigen::Index n = left.size();
  MatX B0 = MatX::Zero(n, n), B1 = MatX::Zero(n, n);
  problem.conditions->jacobians(left, right, moved, B0, B1);
  return order_conditions(B0, B1);
}

/// A curve in the time that runs from the other end, on the stages there. Of partitions that ranks
/// take each is turned by itself.
CollocationValues turned_around(const CollocationCurve& curve, const Mesh& to,
                                const NonlinearProblem::Reversed& reversed,
                                const MeshShare& share) {
  const auto turned = [&](const CollocationCurve& part, const Mesh& mesh) {
    return time_reversed(part, mesh, reversed.turned, reversed.carried_sign);
  };
  const int intervals = to.intervals();
  if (share.ranks == nullptr) return turned(curve, to).on(to, curve.scheme());
  const CollocationCurve whole = turned(curve, to);
  CollocationValues all = whole.values();
  const int k = curve.scheme().stages;
  for (const IntervalRange& range : share.ranges(intervals)) {
    const CollocationCurve part = intervals_of(whole, MeshShare(), range);
    const CollocationValues there = part.on(part.mesh(), curve.scheme());
    all.slopes.middleCols(range.begin * k, there.slopes.cols()) = there.slopes;
    all.carried.middleCols(range.begin * k, there.carried.cols()) = there.carried;
  }
  return all;
}

/// What is carried at times, on all ranks; lines between stages end at borders of partitions.
MatX carried_at(const CollocationCurve& curve, const MeshShare& share,
                const std::vector<double>& times) {
  return at_times(share, curve.mesh(), static_cast<int>(curve.values().carried.rows()), times,
                  [&](double t) { return curve.carried(t); });
}

std::vector<int> borders_here(const MeshShare& share, int intervals) {
  std::vector<int> borders;
  if (share.ranks == nullptr) return borders;
  for (const IntervalRange& range : share.ranges(intervals)) borders.push_back(range.begin);
  borders.push_back(intervals);
  return borders;
}

constexpr int default_newton_iterations = 40, linear_iterations = 6;
/// Of alpha1 = 1, for a first iterate.
constexpr double easier_epsilon = 1e-3;
/// Of epsilon: as far as what iterates leave at the begin matters.
constexpr double widths_of_layer = 10;

}  // namespace

MeshSolve::MeshSolve(const NonlinearProblem& problem, const Options& options, double tolerance,
                     double newton)
    : problem_(problem),
      options_(options),
      tolerance_(tolerance),
      newton_tolerance_(newton),
      system_(problem.system(problem.epsilon)) {
  if (problem.reversed.system && problem.repairs_layer) {
    reversed_ = problem.reversed.system(problem.epsilon);
  }
  if (options.ranks != nullptr) order_ = order_along_guess(problem);
}

/// Leaves of a mesh what this rank takes.
MeshShare MeshSolve::share_mesh(Mesh& mesh) const {
  if (options_.ranks == nullptr) return {};
  return bvp::share_mesh(system_->nx(), order_, options_, mesh);
}

CollocationValues MeshSolve::first_values(const CollocationNewton& newton, const MeshShare& share,
                                          const Solution* from) const {
  const Mesh& mesh = newton.mesh();
  if (from == nullptr) {
    if (!problem_.start) return newton.guess(problem_.guess);
    problem_.start->attend(mesh.begin(), mesh.end());
    return on_mesh(problem_.start->curve(), problem_.start->share(), mesh, share, problem_.scheme);
  }
  // A mesh that is given is the same.
  const CollocationCurve& curve = from->values().curve();
  if (share.is_shared() && !share.mesh) return curve.values();
  return on_mesh(curve, from->share(), mesh, share, problem_.scheme);
}

MeshResult MeshSolve::solve(const Mesh& of_all, const Solution* from) {
  if (problem_.bounds) problem_.bounds->forget_counts();
  MeshResult result;
  IteratesResult& went = result.iterates;
  Mesh mesh = of_all;
  result.share = share_mesh(mesh);
  attend(mesh);
  CollocationNewton newton(*system_, *problem_.conditions, mesh, problem_.scheme,
                           options_.linear_solver, options_.executor, result.share);
  CollocationValues values = first_values(newton, result.share, from);
  if (!from) {
    if (problem_.guess_algebraic) newton.guess_carried(problem_.guess_algebraic, values);
    IterateControl control = control_of(mesh, problem_.has_layer);
    // What they leave is good away from the begin; the rest is the matter of those after them.
    if (reversed_ && !options_.iterates) control.most = 4;
    went = iterate(newton, mesh, control, values);
    const bool stopped = went.newton.failure == NewtonResult::Failure::stopped;
    if (went.history.empty() && !stopped && problem_.epsilon > 0 &&
        find_first(mesh, result.share, values, went.newton)) {
      went = iterate(newton, mesh, control, values);
    }
    if (went.newton.converged() && reversed_) smooth_begin(mesh, result.share, values);
  }
  if (went.newton.converged() && reversed_) {
    went.newton = shoot_back(mesh, result.share, values);
    if (went.newton.converged()) went = iterate(newton, mesh, control_of(mesh, false), values);
  }
  if (from && !reversed_) {
    went = iterate(newton, mesh, control_of(mesh, problem_.has_layer), values);
  }
  result.linear = newton.linear_report();
  seconds_.add_phases(newton.seconds());
  if (result.solved()) {
    result.conditioning = newton.boundary_conditioning();
    const MatX largest = result.share.extents(values.x, MatX()).first;
    if (are_uneven(problem_.sizes.x, largest)) {
      result.influences = newton.influences(problem_.sizes.x.of(largest));
    }
  }
  if (result.solved()) {
    result.curve = CollocationCurve(mesh, problem_.scheme, std::move(values),
                                    borders_here(result.share, mesh.intervals()));
    if (problem_.carries_By) {
      result.curve = without_slivers_at_ends(std::move(result.curve), result.share,
                                             problem_.interval.length());
    }
  }
  return result;
}

MatX MeshSolve::change_by_more_stages(const CollocationCurve& curve, const MeshShare& share,
                                      double& conditioning) {
  conditioning = 0;
  if (problem_.epsilon > 0) return {};
  attend(curve.mesh());
  const bool has_more = curve.scheme().stages < stage_range(Scheme::gauss).most;
  if (!has_more && share.ranks != nullptr) return {};
  const Collocation scheme =
      has_more ? collocation(Scheme::gauss, curve.scheme().stages + 1) : curve.scheme();
  const Mesh mesh = has_more ? curve.mesh() : curve.mesh().halved();
  CollocationNewton newton(*system_, *problem_.conditions, mesh, scheme, options_.linear_solver,
                           options_.executor, share);
  MatX change = newton.first_change(control_of(mesh, false).newton, curve.on(mesh, scheme));
  seconds_.add_phases(newton.seconds());
  if (change.size() > 0) conditioning = newton.boundary_conditioning();
  return change;
}

LeftByIterates MeshSolve::left_by_iterates(const CollocationCurve& curve, const MeshShare& share,
                                           const std::vector<IterateReport>& history) {
  const Mesh& mesh = curve.mesh();
  attend(mesh);
  CollocationNewton newton(*system_, *problem_.conditions, mesh, problem_.scheme,
                           options_.linear_solver, options_.executor, share);
  CollocationValues values = curve.values();
  IterateControl control = control_of(mesh, problem_.has_layer);
  control.most = 1;
  const IteratesResult went = iterate(newton, mesh, control, values);
  seconds_.add_phases(newton.seconds());
  LeftByIterates left;
  left.newton = went.newton;
  if (!went.newton.converged()) return left;
  const CollocationCurve next(mesh, problem_.scheme, std::move(values),
                              borders_here(share, mesh.intervals()));
  const CurveDifference change = difference(curve, share, next, share, problem_.sizes);
  const double more = left_over_change(went.history.back().change, history.back().change);
  left.x = more * change.x;
  left.carried = more * change.carried;
  if (!problem_.has_layer) return left;
  const double width = problem_.epsilon / problem_.form.alpha2;
  const Mesh& whole = share.mesh ? *share.mesh : mesh;
  const double in_layer =
      open_over_change(problem_.scheme, width, whole.step(0), static_cast<int>(history.size()) + 1);
  left.carried = 0;
  for (int i = 0; i < whole.intervals(); ++i) {
    const bool is_in_layer = whole.node(i) - whole.begin() <= widths_of_layer * width;
    left.carried =
        larger(left.carried, (is_in_layer ? in_layer : more) * change.of_interval.carried[i]);
  }
  return left;
}

/// From the y that `values` carries.
IteratesResult MeshSolve::iterate(CollocationNewton& newton, const Mesh& mesh,
                                  const IterateControl& control, CollocationValues& values) {
  const MatX first = values.carried;
  IteratesResult went = newton_iterates(newton, mesh.intervals(), first, control, values);
  newton_iterations_ += went.newton_iterations;
  return went;
}

/// @param layer  what is carried has one that stays.
IterateControl MeshSolve::control_of(const Mesh& mesh, bool layer) const {
  IterateControl control;
  if (!layer && problem_.controls_carried) control.carried_tolerance = tolerance_;
  control.all = options_.iterates.has_value();
  control.most = problem_.epsilon > 0 ? options_.iterates.value_or(15) : 1;
  control.tolerance = 0.1 * tolerance_;
  const int newton_iterations = options_.newton_iterations.value_or(default_newton_iterations);
  control.newton.most_iterations = newton_iterations;
  if (problem_.is_linear) {
    // One step, and those that rounding asks for.
    control.newton.most_iterations = std::min(newton_iterations, linear_iterations);
    control.newton.most_full_steps = 0;
  }
  control.newton.tolerance = newton_tolerance_;
  control.sizes = problem_.sizes;
  control.newton.sizes = problem_.sizes.x;
  if (!options_.progress && options_.ranks == nullptr) return control;
  const auto tell = [this, intervals = mesh.intervals()](const std::string& phase, double part) {
    const bool goes_on =
        !options_.progress || options_.progress({phase, std::min(1.0, part), intervals});
    return options_.ranks == nullptr ? goes_on : !any_of(*options_.ranks, !goes_on);
  };
  const int expected = options_.iterates.value_or(5);
  control.goes_on = [tell, expected](int s) {
    return tell(fmt::format("iterate {}", s), (s - 1.0) / expected);
  };
  control.newton.goes_on = [tell, most = newton_iterations](int iteration) {
    return tell("Newton's method", static_cast<double>(iteration) / most);
  };
  return control;
}

/// In place of the layer the straight line from what is beside it: iterates remove errors that
/// are as smooth as the solution fast, and others slowly.
void MeshSolve::smooth_begin(const Mesh& mesh, const MeshShare& share,
                             CollocationValues& values) const {
  const CollocationCurve curve(mesh, problem_.scheme, values,
                               borders_here(share, mesh.intervals()));
  const int k = problem_.scheme.stages;
  const double begin = share.ranks != nullptr ? share.begin : mesh.begin();
  const double length = (share.ranks != nullptr ? share.end : mesh.end()) - begin;
  const double width = std::min(20 * problem_.epsilon, length / 4);
  const double beside = begin + width;
  const MatX there = carried_at(curve, share, {beside, beside + width});
  const VecX first = there.col(0);
  const VecX slope = (there.col(1) - first) / width;
  for (int i = 0; i < mesh.intervals() && mesh.node(i) < beside; ++i) {
    for (int j = 0; j < k; ++j) {
      const double t = mesh.node(i) + problem_.scheme.c[j] * mesh.step(i);
      if (t < beside) values.carried.col(i * k + j) = first + (t - beside) * slope;
    }
  }
}

/// y at the begin, which iterates do not change there, from those that run backward: they do not
/// change it at the end, where it is good. [AL1] (4.5)
NewtonResult MeshSolve::shoot_back(const Mesh& mesh, const MeshShare& share,
                                   CollocationValues& values) {
  const double end = share.ranks != nullptr ? share.end : mesh.end();
  std::vector<double> nodes(mesh.nodes().rbegin(), mesh.nodes().rend());
  for (double& node : nodes) node = end - node;
  const Mesh back(std::move(nodes));
  std::optional<ReversedRanks> ranks;
  MeshShare share_of_back;
  if (share.ranks != nullptr) {
    share_of_back = time_reversed(share, mesh.intervals(), ranks.emplace(*share.ranks));
  }
  const NonlinearProblem::Reversed& reversed = problem_.reversed;
  const auto turn = [&](const Mesh& from, const Mesh& to, const MeshShare& share_of_to) {
    values =
        turned_around(CollocationCurve(from, problem_.scheme, values), to, reversed, share_of_to);
  };
  turn(mesh, back, share_of_back);
  CollocationNewton newton(*reversed_, *reversed.conditions, back, problem_.scheme,
                           options_.linear_solver, options_.executor, share_of_back);
  const IteratesResult went = iterate(newton, back, control_of(back, false), values);
  seconds_.add_phases(newton.seconds());
  if (went.newton.converged()) {
    turn(back, mesh, share);
    return went.newton;
  }
  NewtonResult failure = went.newton;
  failure.reason = "shooting back: " + failure.reason;
  return failure;
}

/// The first iterate by way of equations that depend on the guess less: those with alpha1 > 0,
/// where the form asked for has none, and larger epsilons.
/// @param failure  becomes that of a stop.
bool MeshSolve::find_first(const Mesh& mesh, const MeshShare& share, CollocationValues& values,
                           NewtonResult& failure) {
  CollocationValues at = CollocationNewton(*system_, *problem_.conditions, mesh, problem_.scheme,
                                           "auto", nullptr, share)
                             .guess(problem_.guess);
  const bool eased =
      problem_.easier && descend(problem_.easier, easier_epsilon, mesh, share, at, failure);
  if (eased) at.carried.setZero(system_->carried(), at.slopes.cols());
  if (!descend(problem_.system, problem_.epsilon, mesh, share, at, failure)) return false;
  at.carried.setZero();
  values = std::move(at);
  if (warning_.empty()) {
    warning_ = fmt::format("the first iterate was found by way of {}; a better guess saves that",
                           eased ? "alpha1 = 1" : "larger epsilon");
  }
  return true;
}

/// First iterates for epsilons down to `target`, each from the one before.
bool MeshSolve::descend(const MakeSystem& make, double target, const Mesh& mesh,
                        const MeshShare& share, CollocationValues& values, NewtonResult& failure) {
  constexpr int most_solves = 40;
  double epsilon = target, ratio = 0.1, reached = INFINITY;
  for (int solves = 0; solves < most_solves && reached != target; ++solves) {
    const std::unique_ptr<IterateSystem> system = make(epsilon);
    CollocationNewton newton(*system, *problem_.conditions, mesh, problem_.scheme,
                             options_.linear_solver, options_.executor, share);
    NewtonControl control = control_of(mesh, false).newton;
    control.tolerance = 1e-3;
    const NewtonResult result =
        newton.solve(MatX::Zero(system->carried(), values.slopes.cols()), control, values);
    newton_iterations_ += result.iterations;
    seconds_.add_phases(newton.seconds());
    if (result.failure == NewtonResult::Failure::stopped) {
      failure = result;
      return false;
    }
    if (result.converged()) {
      reached = epsilon;
    } else if (reached == INFINITY) {
      if (epsilon > 10) return false;
      epsilon *= 10;
      continue;
    } else {
      ratio = std::sqrt(ratio);
      if (ratio > 0.8) return false;
    }
    epsilon = std::max(target, reached * ratio);
  }
  return reached == target;
}

}  // namespace daewave::bvp
