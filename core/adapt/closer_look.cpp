#include "core/adapt/closer_look.hpp"

#include <algorithm>
#include <cmath>

#include "core/adapt/line_formulas.hpp"
#include "core/adapt/unit_of_time.hpp"

namespace daewave {
namespace {

/// Where coordinates are of size 1.
constexpr double closer_steps[] = {9.817e-4, 1.3731e-5};

}  // namespace

double CloserLook::unit(const ProblemFunctions& of, const Points& at, int p) const {
  if (what_ == Ask::G) return 1;
  const double time = unit_of_time(of);
  if (!is_second()) return time;
  double most = 1;
  for (int i = 0; i < of.sizes.nq; ++i) most = std::max(most, std::abs(at.v[i * at.stride + p]));
  return std::min(1 / most, time);
}

void CloserLook::place(const ProblemFunctions& of, const Points& at, int count, LinePoints& to,
                       int begin) const {
  for (int l = 0; l < count; ++l) {
    const int p = l % at.count, column = l / at.count;
    const double unit_there = unit(of, at, p);
    for (int k = 0; k < values; ++k) {
      const double step = k == 0 ? 0 : closer_steps[(k - 1) / 2] * unit_there;
      const double s = k % 2 == 1 ? step : -step;
      const int here = begin + k * count + l;
      to.t()[here] = at.t[p] + (what_ == Ask::G ? 0 : s);
      for (int i = 0; i < of.sizes.nq; ++i) {
        const double along =
            is_second() ? at.v[i * at.stride + p] : (what_ == Ask::G && i == column ? 1 : 0);
        to.q(i)[here] = at.q[i * at.stride + p] + s * along;
      }
    }
  }
}

bool CloserLook::holds(const ProblemFunctions& of, const Points& at, int count,
                       const LinePoints& from, int begin, const double* size,
                       const double* out) const {
  constexpr double alike = 0.01, of_order = 100, of_rounding = 64;
  for (int i = 0; i < of.sizes.ny; ++i) {
    const double* const g = from.g(i) + begin;
    const auto said = [&](int l) {
      const int p = l % at.count, column = l / at.count;
      const double one = unit(of, at, p);
      return out[(i + column * of.sizes.ny) * at.count + p] * (is_second() ? one * one : one);
    };
    double largest = 0;
    for (int l = 0; l < count; ++l) largest = std::max(largest, std::abs(said(l)));
    for (int k = 0; k < 2; ++k) {
      const double d = closer_steps[k];
      const double allowed = alike * largest + of_order * d * d * size[i] +
                             of_rounding * lines::rounding_of(size[i], is_second(), d);
      for (int l = 0; l < count; ++l) {
        const double right = g[(2 * k + 1) * count + l], left = g[(2 * k + 2) * count + l];
        const double found =
            is_second() ? (right + left - 2 * g[l]) / (d * d) : (right - left) / (2 * d);
        if (!(std::abs(found - said(l)) <= allowed)) return false;
      }
    }
  }
  return true;
}

}  // namespace daewave
