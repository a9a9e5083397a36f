#include "bvp/newton/collocation_newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bvp/newton/cheapest_way.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

/// Changes that shrink no more are rounding where they are below this, in units of the weights; or
/// as many times what rounding in the residuals makes, and as many times the tolerance.
constexpr double rounding_level = 1e-9, roundings = 10, most_rounding = 1e4;

void add(const UnsetVector& d, UnsetVector& x) {
  for (std::size_t e = 0; e < x.size(); ++e) x[e] += d[e];
}

}  // namespace

CollocationNewton::CollocationNewton(IterateSystem& system, TwoPointConditions& conditions,
                                     const Mesh& mesh, const Collocation& scheme,
                                     const std::string& solver, const Executor* executor,
                                     const MeshShare& share)
    : equations_(system, conditions, mesh, scheme, solver, executor, share),
      n_(system.nx()),
      k_(scheme.stages),
      intervals_(mesh.intervals()) {
  weight_.setOnes(n_);
  moved_.setOnes(n_);
  largest_.setZero(n_);
}

CollocationValues CollocationNewton::guess(const std::function<VecX(double)>& x) const {
  CollocationValues values;
  values.x.resize(n_, intervals_ + 1);
  for (int i = 0; i <= intervals_; ++i) values.x.col(i) = x(equations_.mesh().node(i));
  values.slopes.resize(n_, static_cast<Eigen::Index>(k_) * intervals_);
  VecX slope(n_);
  for (int i = 0; i < intervals_; ++i) {
    // The straight line: slopes of a guess need not be better than its nodes.
    slope = (values.x.col(i + 1) - values.x.col(i)) / equations_.mesh().step(i);
    for (int j = 0; j < k_; ++j) values.slopes.col(i * k_ + j) = slope;
  }
  values.carried.setZero(equations_.carried(), static_cast<Eigen::Index>(k_) * intervals_);
  return values;
}

void CollocationNewton::guess_carried(const std::function<VecX(double)>& w,
                                      CollocationValues& values) const {
  for (int i = 0; i < intervals_; ++i) {
    for (int j = 0; j < k_; ++j) values.carried.col(i * k_ + j) = w(stage_time(i, j));
  }
}

NewtonResult CollocationNewton::solve(const MatX& before, const NewtonControl& control,
                                      CollocationValues& values) {
  equations_.chunks().spread(before, equations_.before());
  const NewtonResult result = solve_from(control, values);
  if (!result.converged()) return result;
  // What conditions are about is as large as what was found, whatever the guess was like.
  largest_.setZero();
  weigh(values.x, control);
  return result;
}

NewtonResult CollocationNewton::solve_from(const NewtonControl& control,
                                           CollocationValues& values) {
  using Failure = NewtonResult::Failure;
  equations_.take_units_of_weights();
  NewtonResult first = damped_from(control, values);
  const bool has_failed =
      first.failure == Failure::no_convergence || first.failure == Failure::singular;
  if (has_failed && equations_.take_own_units(moved_)) {
    // A component that is small beside others may be lost in their rounding, and with it what its
    // equation and its conditions say of them.
    const VecX weight = weight_, allowed = allowed_, moved = moved_;
    NewtonResult in_own_units = damped_from(control, values);
    first.iterations += in_own_units.iterations;
    in_own_units.iterations = first.iterations;
    if (in_own_units.converged() || in_own_units.failure == Failure::stopped) return in_own_units;
    equations_.take_units_of_weights();
    weight_ = weight;
    allowed_ = allowed;
    moved_ = moved;
  }
  if (first.failure != Failure::no_convergence || control.most_full_steps == 0) return first;
  // Changes that have to grow first are what damping forbids, and sequences of iterates need.
  take_carried(values);
  NewtonResult again = full(control, values);
  again.iterations += first.iterations;
  again.smallest_damping = first.smallest_damping;
  again.conditioning = first.conditioning;
  if (again.failure == Failure::no_convergence) again.reason = first.reason;
  return again;
}

NewtonResult CollocationNewton::damped_from(const NewtonControl& control,
                                            CollocationValues& values) {
  largest_.setZero();
  take_carried(values);
  return damped(control, values);
}

MatX CollocationNewton::first_change(const NewtonControl& control,
                                     const CollocationValues& values) {
  largest_.setZero();
  equations_.chunks().spread(values.carried, equations_.before());
  take_carried(values);
  const CollocationUnknowns at = unknowns(values);
  CollocationUnknowns d;
  weigh(at.x, control);
  const bool known = equations_.evaluate_first(at, moved_);
  if (!known || !equations_.linearize(at, moved_, weight_, d)) return {};
  return d.x;
}

void CollocationNewton::take_carried(const CollocationValues& values) {
  AlignedVector& carried = equations_.carried_values();
  // A guess may come from an equation that carries something else.
  if (values.carried.rows() == equations_.carried()) {
    equations_.chunks().spread(values.carried, carried);
  } else {
    std::fill(carried.begin(), carried.end(), 0.0);
  }
}

CollocationUnknowns CollocationNewton::unknowns(const CollocationValues& values) const {
  CollocationUnknowns at{values.x, {}};
  equations_.chunks().make_room(n_, at.slopes);
  equations_.chunks().spread(values.slopes, at.slopes);
  return at;
}

bool CollocationNewton::is_stopped(const NewtonControl& control, const NewtonResult& so_far) {
  if (!control.goes_on || control.goes_on(so_far.iterations)) return false;
  reason_ = fmt::format("stopped after {} iteration(s) of Newton's method", so_far.iterations);
  return true;
}

VecX CollocationNewton::sizes_for_conditioning() const {
  // Where all vanish they are moved by one.
  const double most = moved_.size() > 0 ? moved_.maxCoeff() : 1;
  return largest_.array() + std::min(1.0, most);
}

/// Components are resolved relative to their largest value so far, or to this part of the largest
/// of all. Where all vanish, nothing is known but that errors are absolute, in units of one.
void CollocationNewton::weigh(const MatX& x, const NewtonControl& control) {
  constexpr double floor = 1e-3, negligible = 1e-20;
  const MatX extent = equations_.share().extents(x, MatX()).first;
  largest_ = largest_.cwiseMax(extent.col(0));
  const double most = largest_.size() > 0 ? largest_.maxCoeff() : 0;
  const double least = most > negligible ? floor * most : 1.0;
  weight_ = largest_.cwiseMax(least);
  // Small components are moved by parts of their own size.
  moved_ = (largest_.array() > negligible * std::max(most, 1.0)).select(largest_, least);
  if (equations_.are_own_units_taken()) weight_ = moved_;
  if (!control.sizes.are_given()) return;
  // What errors may be tells what a component counts for, whatever the others are like.
  const VecX sizes = control.sizes.of(largest_);
  const bool all_vanish = !(largest_.cwiseQuotient(sizes).maxCoeff() > negligible);
  for (int j = 0; j < n_; ++j) {
    if (std::isinf(sizes[j])) continue;
    weight_[j] = std::max(largest_[j], (all_vanish ? 1 : floor) * sizes[j]);
    moved_[j] = largest_[j] > negligible * sizes[j] ? largest_[j] : sizes[j];
  }
  allowed_ = weight_.cwiseMin(control.sizes.of(extent));
}

/// @param size  of d, in units of the weights.
bool CollocationNewton::is_small(const CollocationUnknowns& d, double size,
                                 const NewtonControl& control) {
  if (!(size <= control.tolerance)) return false;
  return allowed_.size() == 0 || equations_.size(d, allowed_) <= control.tolerance;
}

/// Whether a change, of that size, is what rounding in the residuals makes where it shrinks no
/// more.
bool CollocationNewton::is_rounding(const CollocationUnknowns& at, const CollocationUnknowns& d,
                                    double size, const NewtonControl& control) {
  const VecX& unit = allowed_.size() > 0 ? allowed_ : weight_;
  if (allowed_.size() > 0) size = equations_.size(d, allowed_);
  if (size <= rounding_level) return true;
  const double most = most_rounding * control.tolerance;
  return size <= most && size <= roundings * equations_.rounding(at, unit);
}

NewtonResult CollocationNewton::failed(NewtonResult::Failure failure, NewtonResult result) const {
  result.failure = failure;
  result.reason = reason_;
  return result;
}

NewtonResult CollocationNewton::not_converged(NewtonResult result) {
  result.conditioning = boundary_conditioning();
  return failed(NewtonResult::Failure::no_convergence, std::move(result));
}

NewtonResult CollocationNewton::failed_in_equations(NewtonResult::Failure failure,
                                                    NewtonResult result) {
  reason_ = equations_.failure();
  return failed(failure, result);
}

NewtonResult CollocationNewton::done(const CollocationUnknowns& at, NewtonResult result,
                                     CollocationValues& values) {
  if (!equations_.leaves_residuals_alone() && !equations_.evaluate(at, true)) {
    return failed_in_equations(NewtonResult::Failure::evaluation, result);
  }
  values.x = at.x;
  values.slopes.resize(n_, static_cast<Eigen::Index>(k_) * intervals_);
  values.carried.resize(equations_.carried(), static_cast<Eigen::Index>(k_) * intervals_);
  equations_.chunks().gather(at.slopes, values.slopes);
  equations_.chunks().gather(equations_.carried_values(), values.carried);
  return result;
}

/// Further changes by the matrix at hand, as long as that is the cheapest way to go. Leaves `at`
/// where the equations were evaluated last, and in `d` the change that the matrix makes there.
/// @param size_before  of the change that led to `at`, the first one by this matrix.
/// @param next, d_next  memory for them.
CollocationNewton::Way CollocationNewton::go_on_with_same_matrix(
    CollocationUnknowns& at, CollocationUnknowns& d, double size_before,
    const NewtonControl& control, CollocationUnknowns& next, CollocationUnknowns& d_next,
    NewtonResult& result) {
  constexpr int most = 12;
  NewtonCourse course{.size = d.size, .tolerance = control.tolerance};
  course.contraction = course.size / size_before;
  course.curvature = course.contraction / size_before;
  for (int i = 0; i < most; ++i) {
    const NewtonWay way = cheapest_way(course);
    if (way == NewtonWay::new_matrix) return Way::looked_at;
    const bool is_last = way == NewtonWay::step_then_new_matrix;
    bool known = equations_.evaluate(at, 1, d, moved_, next, is_last ? nullptr : &d_next);
    if (known && is_last) {
      std::swap(at, next);
      return Way::stepped;
    }
    known = known && equations_.change(next, d_next);
    const double size_next = known ? d_next.size : INFINITY;
    if (!(size_next < course.size)) {
      if (!equations_.evaluate(at, false)) reason_ = equations_.failure();
      return Way::looked_at;
    }
    std::swap(at, next);
    std::swap(d, d_next);
    if (is_small(d, size_next, control)) {
      at.x += d.x;
      add(d.slopes, at.slopes);
      result.change = size_next;
      return Way::converged;
    }
    course.contraction = size_next / course.size;
    course.size = size_next;
  }
  return Way::looked_at;
}

/// Damping by the natural level function: a step is taken where the change that the same matrix
/// would make next is smaller.                                              [Deuflhard] chapter 3
NewtonResult CollocationNewton::damped(const NewtonControl& control, CollocationValues& values) {
  using Failure = NewtonResult::Failure;
  NewtonResult result;
  CollocationUnknowns at = unknowns(values), d, next, d_next, last_simplified;
  weigh(at.x, control);
  double damping = 1, last_size = 0, last_damping = 1;
  Way way = Way::looked_at;
  if (!equations_.evaluate_first(at, moved_)) {
    return failed_in_equations(Failure::evaluation, result);
  }
  for (; result.iterations < control.most_iterations; ++result.iterations) {
    if (is_stopped(control, result)) return failed(Failure::stopped, result);
    if (!equations_.linearize(at, moved_, weight_, d)) {
      return failed_in_equations(Failure::singular, result);
    }
    const double size_d = d.size;
    result.change = size_d;
    if (!std::isfinite(size_d)) {
      reason_ = "the change of Newton's method is not finite";
      return not_converged(result);
    }
    if (is_small(d, size_d, control)) {
      at.x += d.x;
      add(d.slopes, at.slopes);
      ++result.iterations;
      return done(at, result, values);
    }
    if (way == Way::stepped) {
      damping = 1;  // Of steps that shrink as fast as that.
    } else if (result.iterations > 0) {
      // What the matrix at hand makes of the change that the one before foresaw.
      const double curvature = equations_.size_of_gap(last_simplified, 1, d, weight_) * size_d;
      const double foreseen =
          curvature > 0
              ? last_size * equations_.size(last_simplified, weight_) / curvature * last_damping
              : 1.0;
      // Not larger where it is not a number.
      damping = foreseen > control.least_damping ? std::min(1.0, foreseen) : control.least_damping;
    }
    while (true) {
      result.smallest_damping = std::min(result.smallest_damping, damping);
      const bool evaluated = equations_.evaluate(at, damping, d, moved_, next, &d_next);
      double contraction = INFINITY, better = 0.5 * damping;
      if (evaluated) {
        if (!equations_.change(next, d_next)) return failed_in_equations(Failure::singular, result);
        const double size_next = d_next.size;
        contraction = size_next / size_d;
        if (damping == 1 && is_small(d_next, size_next, control)) {
          next.x += d_next.x;
          add(d_next.slopes, next.slopes);
          ++result.iterations;
          result.change = size_next;
          return done(next, result, values);
        }
        if (!(contraction < 1)) {
          const double gap = equations_.size_of_gap(d_next, 1 - damping, d, weight_);
          if (gap > 0) better = 0.5 * size_d * damping * damping / gap;
        }
      } else {
        reason_ = equations_.failure();
      }
      if (contraction < 1) break;
      if (damping == 1 && is_rounding(at, d, size_d, control)) {
        ++result.iterations;
        result.rounding = allowed_.size() > 0 ? equations_.size(d, allowed_) : size_d;
        // The step is taken where it does no harm: x stays where it has come to else, and what
        // moves it, iterate by iterate, has to grow beyond rounding before it follows.
        constexpr double harmless = 2;
        return done(contraction <= harmless ? next : at, result, values);
      }
      if (damping <= control.least_damping) {
        if (evaluated) {
          reason_ = fmt::format(
              "Newton's method does not come nearer with {:.0e} of its step after {} iterations; "
              "its step is {:.2g}",
              damping, result.iterations, size_d);
        }
        return not_converged(result);
      }
      const double half = 0.5 * damping;
      damping = std::max(better < half ? better : half, control.least_damping);
    }
    std::swap(last_simplified, d_next);
    last_size = size_d;
    last_damping = damping;
    std::swap(at, next);
    const bool new_one_costs_more = !equations_.has_jacobians();
    way = Way::looked_at;
    if (damping == 1 && new_one_costs_more) {
      way = go_on_with_same_matrix(at, last_simplified, size_d, control, next, d_next, result);
    }
    if (way == Way::converged) {
      ++result.iterations;
      return done(at, result, values);
    }
    weigh(at.x, control);
  }
  reason_ =
      fmt::format("Newton's method has not converged in {} iterations; its last step is {:.2g}",
                  result.iterations, result.change);
  return not_converged(result);
}

NewtonResult CollocationNewton::full(const NewtonControl& control, CollocationValues& values) {
  using Failure = NewtonResult::Failure;
  // Far away f is as a polynomial at best, of which a step leaves half of the way, or more.
  constexpr double near = 1e4;
  const auto leads_back = [&](double change, int left) { return change <= std::ldexp(near, left); };
  NewtonResult result;
  CollocationUnknowns at = unknowns(values), d;
  double first = 0;
  for (; result.iterations < control.most_full_steps; ++result.iterations) {
    if (is_stopped(control, result)) return failed(Failure::stopped, result);
    if (!equations_.evaluate(at, false)) return failed(Failure::no_convergence, result);
    if (!equations_.linearize(at, moved_, weight_, d)) {
      return failed(Failure::no_convergence, result);
    }
    result.change = d.size;
    if (result.iterations == 0) first = std::max(result.change, 1.0);
    if (!(result.change <= 1e3 * first)) break;
    if (!leads_back(result.change, control.most_full_steps - result.iterations)) break;
    at.x += d.x;
    add(d.slopes, at.slopes);
    if (is_small(d, result.change, control)) {
      ++result.iterations;
      return done(at, result, values);
    }
  }
  return failed(Failure::no_convergence, result);
}

}  // namespace daewave::bvp
