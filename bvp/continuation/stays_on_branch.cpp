#include "bvp/continuation/stays_on_branch.hpp"

#include <algorithm>
#include <cmath>

#include "bvp/continuation/affine.hpp"
#include "bvp/continuation/predicted.hpp"

namespace daewave::bvp {
namespace {

/// max |x| of each component.
VecX largest_of(const Solution& solution) {
  return solution.share().extents(solution.x_at_nodes(), MatX()).first.rowwise().maxCoeff();
}

double squared(double value) { return value * value; }

/// As other branches may be.
bool is_far(const BranchStepEnds& step) {
  constexpr double far = 0.1;
  const Solution &last = step.last, &next = step.next;
  if (!are_on_one_interval(step)) return false;
  return product(next, last, next, last, sizes_of(step)) > squared(far);
}

}  // namespace

double errors_of(const Solution& a, const Solution& b, const VecX& sizes) {
  const VecX errors = (1 + largest_of(b).array()).matrix().cwiseQuotient(sizes);
  return (a.report.error.x + b.report.error.x) *
         std::sqrt(errors.squaredNorm() / static_cast<double>(errors.size()));
}

VecX sizes_of(const BranchStepEnds& step) {
  constexpr double errors = 100;
  const VecX largest = largest_of(step.last).cwiseMax(largest_of(step.next));
  return largest + (errors * step.tolerance * (1 + largest.array())).matrix();
}

bool are_on_one_interval(const BranchStepEnds& step) {
  const Mesh &to = step.next.mesh_of_all(), &from = step.last.mesh_of_all();
  return to.begin() == from.begin() && to.end() == from.end();
}

bool may_leap(const ProblemFamily& family, int entry, double value, const BranchStepEnds& step) {
  if (!is_far(step)) return false;
  if (!family.unknown.empty()) return true;
  VecX p = family.p;
  p[entry] = value;
  return !is_affine(family.member(p), step.next);
}

bool stays_on_branch(const BranchStepEnds& step, double length, const Secant& at_last,
                     const Secant& at_next, bool geometric) {
  const Solution &x0 = step.last, &x1 = step.next, &a0 = at_last.from, &b0 = at_last.to,
                 &a1 = at_next.from, &b1 = at_next.to;
  const double part0 = at_last.length / length, part1 = at_next.length / length;
  const VecX sizes = sizes_of(step);
  const double d_d = product(x1, x0, x1, x0, sizes);
  const double d_t0 = product(x1, x0, b0, a0, sizes) / part0;
  const double d_t1 = product(x1, x0, b1, a1, sizes) / part1;
  const double t0_t0 = product(b0, a0, b0, a0, sizes) / squared(part0);
  const double t1_t1 = product(b1, a1, b1, a1, sizes) / squared(part1);
  // Of the tangents: what both solutions may be off, over the length of the secants.
  const double noise = errors_of(x0, x1, sizes) / 2 * (1 / std::abs(part0) + 1 / std::abs(part1));
  if (geometric) {
    constexpr double most = 1.5;
    return d_t0 > 0 && d_t1 > 0 &&
           std::sqrt(d_d) <= most * std::sqrt(std::max(t0_t0, t1_t1)) + noise;
  }
  constexpr double most = 0.25;
  const double t0_t1 = product(b0, a0, b1, a1, sizes) / (part0 * part1);
  const double off = d_d + 0.25 * (t0_t0 + t1_t1 + 2 * t0_t1) - d_t0 - d_t1;
  return off <= squared(most * std::sqrt(d_d) + noise);
}

bool is_between(const BranchStepEnds& step, double length, const Secant& at_last,
                const Secant& at_next, const Solution& middle) {
  constexpr double most = 0.1;
  const Solution &x0 = step.last, &x1 = step.next, &a0 = at_last.from, &b0 = at_last.to,
                 &a1 = at_next.from, &b1 = at_next.to;
  const double part0 = at_last.length / length, part1 = at_next.length / length;
  const VecX sizes = sizes_of(step);
  // Off it by u - d / 2 - (T0 - T1) / 8, with u to the middle.
  const double u_u = product(middle, x0, middle, x0, sizes);
  const double d_d = product(x1, x0, x1, x0, sizes), u_d = product(middle, x0, x1, x0, sizes);
  const double u_t =
      product(middle, x0, b0, a0, sizes) / part0 - product(middle, x0, b1, a1, sizes) / part1;
  const double d_t =
      product(x1, x0, b0, a0, sizes) / part0 - product(x1, x0, b1, a1, sizes) / part1;
  const double t_t = product(b0, a0, b0, a0, sizes) / squared(part0) +
                     product(b1, a1, b1, a1, sizes) / squared(part1) -
                     2 * product(b0, a0, b1, a1, sizes) / (part0 * part1);
  const double off = u_u + 0.25 * d_d + t_t / 64 - u_d - 0.25 * u_t + 0.125 * d_t;
  const double noise =
      errors_of(x0, x1, sizes) * (1 + (1 / std::abs(part0) + 1 / std::abs(part1)) / 8);
  return off <= squared(most * std::sqrt(d_d) + noise);
}

}  // namespace daewave::bvp
