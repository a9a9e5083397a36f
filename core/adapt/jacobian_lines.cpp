#include "core/adapt/jacobian_lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/adapt/line_formulas.hpp"
#include "core/adapt/unit_of_time.hpp"
#include "core/not_finite.hpp"

namespace daewave {
namespace {

/// Rounding of a second difference of g is known to about that factor.
constexpr double of_rounding = 16;
/// Batches for which lines are not tried, after they were of no use.
constexpr int left_alone = 20;

}  // namespace

void JacobianLines::leave() { left_ = left_alone; }

// Value k of point p is at k * count + p: 0 is the middle, then 1, -1, 2, -2, ...

void JacobianLines::place(const ProblemFunctions& of, const Points& at) {
  ny_ = of.sizes.ny;
  nq_ = of.sizes.nq;
  const int count = at.count, all = values() * count;
  units_.assign(static_cast<std::size_t>(count), scale_);
  t_.resize(static_cast<std::size_t>(all));
  q_.resize(static_cast<std::size_t>(all * nq_));
  G_.resize(static_cast<std::size_t>(all * nq_ * ny_));
  for (int p = 0; p < count; ++p) {
    double most = 1;
    for (int i = 0; i < nq_; ++i) most = std::max(most, std::abs(at.v[i * at.stride + p]));
    units_[static_cast<std::size_t>(p)] = scale_ * std::min(1 / most, unit_of_time(of));
  }
  const double d = sides_ == 2 ? lines::wide_step : lines::fine_step;
  for (int k = 0; k < values(); ++k) {
    const int step = (k + 1) / 2;
    const double s = k % 2 == 1 ? step * d : -step * d;
    for (int p = 0; p < count; ++p) {
      t_[static_cast<std::size_t>(k * count + p)] =
          at.t[p] + s * units_[static_cast<std::size_t>(p)];
    }
    for (int i = 0; i < nq_; ++i) {
      double* const q = q_.data() + static_cast<std::ptrdiff_t>(i) * all + k * count;
      const double* const from = at.q + static_cast<std::ptrdiff_t>(i) * at.stride;
      const double* const v = at.v + static_cast<std::ptrdiff_t>(i) * at.stride;
      for (int p = 0; p < count; ++p)
        q[p] = from[p] + s * units_[static_cast<std::size_t>(p)] * v[p];
    }
  }
}

bool JacobianLines::evaluate(const ProblemFunctions& of, const Points& at, double scale, double* G,
                             double* curvature) {
  called_ = false;
  scale_ = scale;
  if (left_ > 0) {
    --left_;
    return false;
  }
  place(of, at);
  const int count = at.count, all = values() * count;
  of.G(Points{all, all, t_.data(), q_.data(), nullptr, nullptr}, G_.data());
  called_ = true;
  for (int e = 0; e < ny_ * nq_; ++e) {
    std::copy_n(G_.data() + static_cast<std::ptrdiff_t>(e) * all, count, G + e * count);
  }
  for (int i = 0; i < ny_; ++i) {
    if (derive_row(i, at, curvature + i * count)) continue;
    if (sides_ == 2) {
      sides_ = 4;
    } else {
      leave();
    }
    return false;
  }
  return true;
}

/// (G v)_i in units of each point, at all of its values. @return the largest sum of sizes of its
/// terms, which are what rounds: on the constraints they cancel.
double JacobianLines::along_row(int i, const Points& at) {
  const int count = at.count, all = values() * count;
  along_.assign(static_cast<std::size_t>(all), 0.0);
  double size = 0;
  for (int l = 0; l < all; ++l) {
    const int p = l % count;
    double sizes = 0;
    for (int j = 0; j < nq_; ++j) {
      const double part = G_[static_cast<std::size_t>((i + j * ny_) * all + l)] *
                          at.v[j * at.stride + p] * units_[static_cast<std::size_t>(p)];
      along_[static_cast<std::size_t>(l)] += part;
      sizes += std::abs(part);
    }
    size = std::max(size, sizes);
  }
  return size;
}

/// @return false where it is not accurate.
bool JacobianLines::derive_row(int i, const Points& at, double* curvature) {
  const int count = at.count;
  const double size = along_row(i, at), d = sides_ == 2 ? lines::wide_step : lines::fine_step;
  double largest = 0, most_off = 0;
  for (int p = 0; p < count; ++p) {
    lines::Along one;
    for (int k = 0; k < sides_; ++k) {
      one.of[static_cast<std::size_t>(k)] =
          along_[static_cast<std::size_t>((2 * k + 1) * count + p)] -
          along_[static_cast<std::size_t>((2 * k + 2) * count + p)];
    }
    const auto [value, off] =
        sides_ == 2 ? lines::of_two(one, false, d) : lines::of_four(one, false, d);
    largest = std::max(largest, std::abs(value));
    most_off = larger(most_off, off);
    const double unit = units_[static_cast<std::size_t>(p)];
    curvature[p] = value / (unit * unit);
  }
  return most_off <= std::max(lines::rounding_of(size, false, d), lines::accurate * largest);
}

bool JacobianLines::agrees(const Points& at, const double* from_g, const double* curvature,
                           const std::vector<double>& rounding) const {
  const int count = at.count;
  for (int i = 0; i < ny_; ++i) {
    double largest = 0, most = 0;
    for (int p = 0; p < count; ++p) {
      const double unit = units_[static_cast<std::size_t>(p)];
      const double here = from_g[i * count + p] * unit * unit;
      const double off = std::abs(here - curvature[i * count + p] * unit * unit);
      largest = std::max(largest, std::abs(here));
      most = larger(most, off);
    }
    if (!(most <= std::max(of_rounding * scale_ * scale_ * rounding[static_cast<std::size_t>(i)],
                           lines::accurate * largest))) {
      return false;
    }
  }
  return true;
}

}  // namespace daewave
