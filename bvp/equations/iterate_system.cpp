#include "bvp/equations/iterate_system.hpp"

#include <cmath>

#include "bvp/slopes/lu_in_lanes.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

void take(const double* from, int stride, int point, VecX& to) {
  for (int i = 0; i < to.size(); ++i) to[i] = from[i * stride + point];
}

void put(const VecX& from, int stride, int point, double* to) {
  for (int i = 0; i < from.size(); ++i) to[i * stride + point] = from[i];
}

}  // namespace

bool all_finite_in(const char* equation, const double* values, int rows, const IteratePoints& at,
                   std::string& failure) {
  // Of numbers that are all finite the sum times zero is zero, which takes no look at each.
  Registers<2>::Numbers zero{}, other{};
  for (int i = 0; i < rows; ++i) {
    const double* const row = values + static_cast<std::ptrdiff_t>(i) * at.stride;
    const auto two_at = [&](int p) { return Registers<2>::at(row + p) * 0; };
    int p = 0;
    for (; p + 4 <= at.count; p += 4) {
      zero += two_at(p);
      other += two_at(p + 2);
    }
    for (; p < at.count; ++p) zero[0] += row[p] * 0;
  }
  zero += other;
  if (zero[0] + zero[1] == 0) return true;
  int first = at.count, row = 0;
  for (int i = 0; i < rows; ++i) {
    for (int p = 0; p < at.count; ++p) {
      if (std::isfinite(values[i * at.stride + p])) continue;
      if (first < at.count && at.t[p] >= at.t[first]) continue;
      first = p;
      row = i;
    }
  }
  failure = not_finite_text(equation, row + 1, at.t[first]);
  return false;
}

bool IterateSystem::evaluate_batch(const IteratePoints& at, double* slope, double* carried,
                                   double* drift, std::string& failure) {
  VecX x(nx()), rate(nx()), before(this->carried()), left(this->carried());
  for (int p = 0; p < at.count; ++p) {
    take(at.x, at.stride, p, x);
    take(at.before, at.stride, p, before);
    take(carried, at.stride, p, left);
    if (!evaluate(x, at.t[p], before, rate, left)) {
      failure = this->failure();
      return false;
    }
    if (!all_finite("x'", rate, at.t[p], failure)) return false;
    put(rate, at.stride, p, slope);
    put(left, at.stride, p, carried);
    if (drift != nullptr) *drift = larger(*drift, this->drift());
  }
  return true;
}

bool IterateSystem::jacobian_batch(const IteratePoints& at, const double* slope,
                                   const double* carried, const VecX& weight, double* J,
                                   std::string& failure) {
  VecX x(nx()), rate(nx()), before(this->carried()), left(this->carried());
  MatX one(nx(), nx());
  for (int p = 0; p < at.count; ++p) {
    take(at.x, at.stride, p, x);
    take(at.before, at.stride, p, before);
    take(slope, at.stride, p, rate);
    take(carried, at.stride, p, left);
    if (!jacobian(x, at.t[p], before, rate, left, weight, one)) {
      failure = this->failure();
      return false;
    }
    put(one.reshaped(), at.stride, p, J);
  }
  return true;
}

bool IterateSystem::linearize_batch(const Batch& of, const VecX& weight, double* J,
                                    const Batch& further, std::string& failure) {
  return evaluate_batch(of.at, of.slope, of.carried, nullptr, failure) &&
         jacobian_batch(of.at, of.slope, of.carried, weight, J, failure) &&
         (further.at.count == 0 ||
          evaluate_batch(further.at, further.slope, further.carried, nullptr, failure));
}

}  // namespace daewave::bvp
