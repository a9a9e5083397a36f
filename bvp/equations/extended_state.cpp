#include "bvp/equations/extended_state.hpp"

#include <algorithm>
#include <cmath>

#include "bvp/curve/times_of_ranks.hpp"

namespace daewave::bvp {

double ExtendedState::without_last_bits(double p) {
  constexpr int kept = 45;
  constexpr double of_zero = 1e-6;
  int exponent = 0;
  std::frexp(std::max(std::abs(p), of_zero), &exponent);
  const double last = std::ldexp(1.0, exponent - kept);
  return std::isfinite(p) ? std::nearbyint(p / last) * last : p;
}

VecX ExtendedState::unknowns(const VecX& X) const {
  return X.segment(nx, parameters).unaryExpr([](double p) { return without_last_bits(p); });
}

CollocationCurve ExtendedState::extended(const CollocationCurve& curve, const VecX& unknowns,
                                         const MeshShare& share) const {
  CollocationValues values = curve.values();
  const MatX x = values.x, slopes = values.slopes;
  values.x.setZero(size(), x.cols());
  values.slopes.setZero(size(), slopes.cols());
  values.end_slopes.resize(0, 0);
  values.end_carried.resize(0, 0);
  values.x.topRows(nx) = x;
  values.slopes.topRows(nx) = slopes;
  values.x.middleRows(nx, parameters).colwise() = unknowns;
  const int k = curve.scheme().stages;
  const MatX at_inside =
      at_times(share, curve.mesh(), nx, inside, [&](double t) { return curve.x(t); });
  for (std::size_t c = 0; c < inside.size(); ++c) {
    const int row = inside_at(static_cast<int>(c));
    const VecX last = at_inside.col(static_cast<Eigen::Index>(c));
    for (int i = 0; i < x.cols(); ++i) {
      const bool is_before = curve.mesh().node(i) <= inside[c];
      values.x.block(row, i, nx, 1) = is_before ? VecX(x.col(i)) : last;
    }
    for (int stage = 0; stage < slopes.cols(); ++stage) {
      if (curve.stage_time(stage / k, stage % k) > inside[c]) continue;
      values.slopes.block(row, stage, nx, 1) = slopes.col(stage);
    }
  }
  return {curve.mesh(), curve.scheme(), std::move(values)};
}

std::function<VecX(double)> ExtendedState::extended(std::function<VecX(double)> x,
                                                    VecX unknowns) const {
  return [state = *this, x = std::move(x), unknowns = std::move(unknowns)](double t) {
    VecX X = VecX::Zero(state.size());
    X.head(state.nx) = x(t);
    X.segment(state.nx, state.parameters) = unknowns;
    for (std::size_t c = 0; c < state.inside.size(); ++c) {
      X.segment(state.inside_at(static_cast<int>(c)), state.nx) = x(std::min(t, state.inside[c]));
    }
    return X;
  };
}

ComponentSizes ExtendedState::extended(const ComponentSizes& sizes, double others) const {
  if (!sizes.are_given()) return sizes;
  const auto all = [&](const VecX& x) {
    VecX X = VecX::Constant(size(), others);
    X.head(nx) = x;
    for (std::size_t c = 0; c < inside.size(); ++c) {
      X.segment(inside_at(static_cast<int>(c)), nx) = x;
    }
    return X;
  };
  return {all(sizes.absolute()), all(sizes.relative())};
}

CollocationCurve ExtendedState::without_more(const CollocationCurve& curve) const {
  CollocationValues values = curve.values();
  values.x = curve.values().x.topRows(nx);
  values.slopes = curve.values().slopes.topRows(nx);
  if (curve.has_ends()) values.end_slopes = curve.values().end_slopes.topRows(nx);
  return {curve.mesh(), curve.scheme(), std::move(values), curve.borders()};
}

}  // namespace daewave::bvp
