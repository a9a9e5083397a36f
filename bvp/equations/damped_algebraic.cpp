#include "bvp/equations/damped_algebraic.hpp"

#include <algorithm>
#include <cstddef>

namespace daewave::bvp {
namespace {

constexpr int most_passes = 60;
/// Of a step, what is tried next at the least.
constexpr double most_shorter = 1.0 / 16;
/// Of a step, in units of 1 + |w|, after which Newton's method leaves rounding.
constexpr double last_step = 1e-10;
/// Parts of steps that are too short to lead anywhere.
constexpr double least_part = 1e-24;

}  // namespace

DampedAlgebraic::DampedAlgebraic(int nw) : nw_(nw), r_w_(nw, nw), next_(nw) {}

double DampedAlgebraic::size_of(const VecX& step, const VecX& w) const {
  return step.cwiseAbs().maxCoeff() / (1 + w.cwiseAbs().maxCoeff());
}

bool DampedAlgebraic::step_with(const Terms& terms, int p, const SmallLu& factor,
                                VecX& step) const {
  for (int i = 0; i < nw_; ++i)
    step[i] = terms.r[static_cast<std::ptrdiff_t>(i) * terms.stride + p];
  factor.solve(step);
  return step.allFinite();
}

bool DampedAlgebraic::take_step(const Terms& terms, int p, Point& point) {
  for (int j = 0; j < nw_; ++j) {
    for (int i = 0; i < nw_; ++i) {
      r_w_(i, j) = terms.r_w[static_cast<std::ptrdiff_t>(i + j * nw_) * terms.stride + p];
    }
  }
  if (!point.factor.factorize(r_w_) || !step_with(terms, p, point.factor, point.step)) return false;
  point.size = size_of(point.step, point.w);
  if (point.size <= last_step) {
    point.w -= point.step;
    point.open = false;
  }
  return true;
}

/// Where what a step leaves grows with the square of its part, that which leaves half of it.
double DampedAlgebraic::shorter_part(const Point& point) const {
  const double left = (next_ - (1 - point.part) * point.step).cwiseAbs().maxCoeff();
  const double wanted = 0.5 * point.part * point.part * point.step.cwiseAbs().maxCoeff() / left;
  return std::clamp(wanted, most_shorter * point.part, 0.5 * point.part);
}

/// By how much dr/dw changed on the way: with the old one, the step would have been next_.
double DampedAlgebraic::part_after(double moved, const VecX& step) const {
  const double differs = (next_ - step).cwiseAbs().maxCoeff() * step.cwiseAbs().maxCoeff();
  const double part = moved * next_.cwiseAbs().maxCoeff() / differs;
  return part < 1 ? part : 1;
}

int DampedAlgebraic::find(int count, int stride, const TermsAt& terms_at, double* w) {
  points_.resize(static_cast<std::size_t>(count));
  const auto entry = [&](int i, int p) -> double& {
    return w[static_cast<std::ptrdiff_t>(i) * stride + p];
  };
  const Terms* terms = &terms_at(w);
  for (int p = 0; p < count; ++p) {
    Point& point = points_[p];
    point.factor.resize(nw_);
    point.w.resize(nw_);
    point.step.resize(nw_);
    point.part = 1;
    point.open = true;
    for (int i = 0; i < nw_; ++i) point.w[i] = entry(i, p);
    if (!take_step(*terms, p, point)) return p;
  }
  for (int pass = 0; pass < most_passes; ++pass) {
    int open = -1;
    for (int p = 0; p < count; ++p) {
      const Point& point = points_[p];
      if (point.open) open = p;
      for (int i = 0; i < nw_; ++i) {
        entry(i, p) = point.w[i] - (point.open ? point.part * point.step[i] : 0);
      }
    }
    if (open < 0) return -1;
    terms = &terms_at(w);
    for (int p = 0; p < count; ++p) {
      Point& point = points_[p];
      if (!point.open) continue;
      if (!step_with(*terms, p, point.factor, next_)) {
        point.part *= most_shorter;
      } else if (size_of(next_, point.w) <= (1 - 0.25 * point.part) * point.size) {
        const double moved = point.part * point.step.cwiseAbs().maxCoeff();
        for (int i = 0; i < nw_; ++i) point.w[i] = entry(i, p);
        if (!take_step(*terms, p, point)) return p;
        point.part = part_after(moved, point.step);
      } else {
        point.part = shorter_part(point);
      }
      if (point.part < least_part) return p;
    }
  }
  for (int p = 0; p < count; ++p) {
    if (points_[p].open) return p;
  }
  return -1;
}

}  // namespace daewave::bvp
