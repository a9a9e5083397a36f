#include "bvp/nonlinear/extended_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bvp/nonlinear/forward_differences.hpp"
#include "core/error.hpp"
#include "core/problem/time_reversed.hpp"

namespace daewave::bvp {
namespace {

/// Parameters are moved as if they were this large at the least: a guess of zero tells no size.
constexpr double vanishing = 1e-6;

}  // namespace

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

CollocationCurve ExtendedState::extended(const CollocationCurve& curve,
                                         const VecX& unknowns) const {
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
  for (std::size_t c = 0; c < inside.size(); ++c) {
    const int row = inside_at(static_cast<int>(c));
    const VecX last = curve.x(inside[c]);
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

CollocationCurve ExtendedState::without_more(const CollocationCurve& curve) const {
  CollocationValues values = curve.values();
  values.x = curve.values().x.topRows(nx);
  values.slopes = curve.values().slopes.topRows(nx);
  if (curve.has_ends()) values.end_slopes = curve.values().end_slopes.topRows(nx);
  return {curve.mesh(), curve.scheme(), std::move(values)};
}

ExtendedSystem::ExtendedSystem(ExtendedState state, MakeMemberSystem make, const VecX& unknowns,
                               const double* end)
    : state_(std::move(state)),
      members_(make, state_.parameters),
      reversed_(end != nullptr),
      end_(end != nullptr ? *end : 0),
      carried_(members_.at(unknowns).system->carried()),
      make_(std::move(make)),
      guess_(unknowns) {}

std::unique_ptr<IterateSystem> ExtendedSystem::clone() const {
  return std::make_unique<ExtendedSystem>(state_, make_, guess_, reversed_ ? &end_ : nullptr);
}

/// Null, with failure_, where the family has no problem for these parameters.
MemberSystem* ExtendedSystem::member(const VecX& unknowns) {
  try {
    return &members_.at(unknowns);
  } catch (const Error& refusal) {
    failure_ = refusal.what();
    return nullptr;
  }
}

bool ExtendedSystem::evaluate_at(MemberSystem& member, const VecX& x, double t, const VecX& before,
                                 VecX& slope, VecX& carried) {
  last_ = member.system.get();
  if (slope.size() != state_.nx) slope.resize(state_.nx);
  if (member.system->evaluate(x, t, before, slope, carried)) return true;
  failure_ = member.system->failure();
  return false;
}

VecX ExtendedSystem::integrand(const MemberSystem& member, const VecX& x, double t) {
  if (state_.integrals == 0) return VecX(0);
  if (!reversed_) return member.problem.integrand(x, t);
  return -member.problem.integrand(reversed_state(*member.problem.equations, x), end_ - t);
}

bool ExtendedSystem::is_before(int inside, double t) const {
  const double c = state_.inside[static_cast<std::size_t>(inside)];
  return reversed_ ? t >= end_ - c : t <= c;
}

bool ExtendedSystem::evaluate(const VecX& X, double t, const VecX& before, VecX& slope,
                              VecX& carried) {
  const int n = state_.nx;
  unknowns_ = state_.unknowns(X);
  MemberSystem* const here = member(unknowns_);
  x_ = X.head(n);
  if (here == nullptr || !evaluate_at(*here, x_, t, before, F_, carried)) return false;
  slope.setZero(state_.size());
  slope.head(n) = F_;
  if (state_.integrals > 0) {
    slope.segment(state_.integrals_at(), state_.integrals) = integrand(*here, x_, t);
  }
  for (int c = 0; c < static_cast<int>(state_.inside.size()); ++c) {
    if (is_before(c, t)) slope.segment(state_.inside_at(c), n) = F_;
  }
  return true;
}

bool ExtendedSystem::jacobian(const VecX& X, double t, const VecX& before, const VecX& slope,
                              const VecX& carried, const VecX& weight, MatX& J) {
  const int n = state_.nx, nz = state_.integrals, z = state_.integrals_at();
  unknowns_ = state_.unknowns(X);
  MemberSystem* const here = member(unknowns_);
  if (here == nullptr) return false;
  x_ = X.head(n);
  F_ = slope.head(n);
  J.setZero(state_.size(), state_.size());
  J_.resize(n, n);
  if (!here->system->jacobian(x_, t, before, F_, carried, weight.head(n), J_)) {
    failure_ = here->system->failure();
    return false;
  }
  J.topLeftCorner(n, n) = J_;
  h_ = slope.segment(z, nz);
  if (nz > 0) {
    for (int i = 0; i < n; ++i) {
      const double x = x_[i];
      x_[i] += difference_step(x, weight[i]);
      J.block(z, i, nz, 1) = (integrand(*here, x_, t) - h_) / (x_[i] - x);
      x_[i] = x;
    }
  }
  for (int i = 0; i < state_.parameters; ++i) {
    const double p = unknowns_[i];
    const double step = difference_step(p, std::max(weight[n + i], vanishing));
    // The last value allowed may be here: then the other way.
    bool found = false;
    for (const double sign : {1.0, -1.0}) {
      unknowns_[i] = p + sign * step;
      MemberSystem* const beside = member(unknowns_);
      moved_carried_ = carried;
      if (beside == nullptr || !evaluate_at(*beside, x_, t, before, moved_, moved_carried_)) {
        continue;
      }
      const double taken = unknowns_[i] - p;
      J.block(0, n + i, n, 1) = (moved_ - F_) / taken;
      if (nz > 0) J.block(z, n + i, nz, 1) = (integrand(*beside, x_, t) - h_) / taken;
      found = true;
      break;
    }
    if (!found) return false;
    unknowns_[i] = p;
  }
  for (int c = 0; c < static_cast<int>(state_.inside.size()); ++c) {
    if (is_before(c, t)) J.middleRows(state_.inside_at(c), n) = J.topRows(n);
  }
  return true;
}

/// Of all points; null where they have no p in common, or no problem is there.
MemberSystem* ExtendedSystem::member_of(const StageBatch& at) {
  unknowns_.resize(state_.parameters);
  VecX other(state_.parameters);
  for (int p = 0; p < at.count; ++p) {
    VecX& here = p == 0 ? unknowns_ : other;
    for (int i = 0; i < state_.parameters; ++i) {
      here[i] = ExtendedState::without_last_bits(at.x[(state_.nx + i) * at.stride + p]);
    }
    if (p > 0 && unknowns_ != other) return nullptr;
  }
  return member(unknowns_);
}

/// By point; with entry `moved` of x off by `by`, if it is >= 0.
void ExtendedSystem::integrands(const MemberSystem& member, const StageBatch& at, int moved,
                                double by, MatX& values) {
  values.resize(state_.integrals, at.count);
  x_.resize(state_.nx);
  for (int p = 0; p < at.count; ++p) {
    for (int i = 0; i < state_.nx; ++i) x_[i] = at.x[i * at.stride + p];
    if (moved >= 0) x_[moved] += by;
    values.col(p) = integrand(member, x_, at.t[p]);
  }
}

bool ExtendedSystem::evaluate_batch(const StageBatch& at, double* slope, double* carried,
                                    double* drift, std::string& failure) {
  MemberSystem* const here = member_of(at);
  if (here == nullptr) return IterateSystem::evaluate_batch(at, slope, carried, drift, failure);
  const int n = state_.nx, stride = at.stride;
  last_ = here->system.get();
  // x comes first in X: its rows are where the member looks for them, and leaves its own.
  if (!here->system->evaluate_batch(at, slope, carried, drift, failure)) return false;
  std::fill(slope + n * stride, slope + state_.size() * stride, 0.0);
  if (state_.integrals > 0) {
    integrands(*here, at, -1, 0, batch_h_);
    for (int i = 0; i < state_.integrals; ++i) {
      double* const row = slope + (state_.integrals_at() + i) * stride;
      for (int p = 0; p < at.count; ++p) row[p] = batch_h_(i, p);
    }
  }
  for (int c = 0; c < static_cast<int>(state_.inside.size()); ++c) {
    for (int p = 0; p < at.count; ++p) {
      if (!is_before(c, at.t[p])) continue;
      for (int i = 0; i < n; ++i) {
        slope[(state_.inside_at(c) + i) * stride + p] = slope[i * stride + p];
      }
    }
  }
  return state_.integrals == 0 || all_finite_in("x'", slope, state_.size(), at, failure);
}

/// Of parameter i moved by `step`, with its slopes in batch_slopes_; null where there is none.
MemberSystem* ExtendedSystem::beside(int i, double step, const StageBatch& at,
                                     const double* carried) {
  VecX moved = unknowns_;
  moved[i] += step;
  MemberSystem* const there = member(moved);
  if (there == nullptr) return nullptr;
  std::string why;
  batch_slopes_.resize(static_cast<std::size_t>(state_.nx) * at.stride);
  batch_carried_.assign(carried, carried + static_cast<std::ptrdiff_t>(carried_) * at.stride);
  const bool found =
      there->system->evaluate_batch(at, batch_slopes_.data(), batch_carried_.data(), nullptr, why);
  return found ? there : nullptr;
}

bool ExtendedSystem::jacobian_batch(const StageBatch& at, const double* slope,
                                    const double* carried, const VecX& weight, double* J,
                                    std::string& failure) {
  MemberSystem* const here = member_of(at);
  if (here == nullptr) {
    return IterateSystem::jacobian_batch(at, slope, carried, weight, J, failure);
  }
  const int n = state_.nx, N = state_.size(), stride = at.stride, z = state_.integrals_at();
  const auto entry = [&](int i, int j) { return J + (i + j * N) * stride; };
  std::fill_n(J, N * N * stride, 0.0);
  batch_J_.resize(static_cast<std::size_t>(n) * n * stride);
  if (!here->system->jacobian_batch(at, slope, carried, weight.head(n), batch_J_.data(), failure)) {
    return false;
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      std::copy_n(batch_J_.data() + (i + j * n) * stride, at.count, entry(i, j));
    }
  }
  const auto take_integrands = [&](int column, double taken) {
    for (int i = 0; i < state_.integrals; ++i) {
      for (int p = 0; p < at.count; ++p) {
        entry(z + i, column)[p] = (batch_moved_h_(i, p) - slope[(z + i) * stride + p]) / taken;
      }
    }
  };
  for (int j = 0; j < n && state_.integrals > 0; ++j) {
    // One increment for all points, that of the largest: a power of two, so that it is added
    // exactly.
    double most = 0;
    for (int p = 0; p < at.count; ++p) most = std::max(most, std::abs(at.x[j * stride + p]));
    const double step = std::exp2(std::round(std::log2(difference_step(most, weight[j]))));
    integrands(*here, at, j, step, batch_moved_h_);
    take_integrands(j, step);
  }
  for (int i = 0; i < state_.parameters; ++i) {
    double step = difference_step(unknowns_[i], std::max(weight[n + i], vanishing));
    step = unknowns_[i] + step - unknowns_[i];
    MemberSystem* moved = beside(i, step, at, carried);
    if (moved == nullptr) {
      // The last value allowed may be here: then the other way.
      step = -step;
      moved = beside(i, step, at, carried);
    }
    if (moved == nullptr) {
      failure = failure_;
      return false;
    }
    for (int r = 0; r < n; ++r) {
      for (int p = 0; p < at.count; ++p) {
        entry(r, n + i)[p] =
            (batch_slopes_[static_cast<std::size_t>(r * stride + p)] - slope[r * stride + p]) /
            step;
      }
    }
    if (state_.integrals == 0) continue;
    integrands(*moved, at, -1, 0, batch_moved_h_);
    take_integrands(n + i, step);
  }
  for (int c = 0; c < static_cast<int>(state_.inside.size()); ++c) {
    for (int p = 0; p < at.count; ++p) {
      if (!is_before(c, at.t[p])) continue;
      for (int j = 0; j < n + state_.parameters; ++j) {
        for (int i = 0; i < n; ++i) entry(state_.inside_at(c) + i, j)[p] = entry(i, j)[p];
      }
    }
  }
  return true;
}

ExtendedConditions::ExtendedConditions(ExtendedState state, MakeMember make, const VecX& X,
                                       bool at_end)
    : state_(std::move(state)),
      members_(
          [make = std::move(make), x = VecX(X.head(state_.nx)), at_end](const VecX& unknowns) {
            return std::make_unique<Member>(make(unknowns), x, at_end);
          },
          state_.parameters) {
  const Member& member = members_.at(state_.unknowns(X));
  if (member.problem.further_conditions) {
    further_ = static_cast<int>(member.problem.further_conditions(observed(X, X)).size());
  }
  own_ = member.conditions.own() + further_;
  constraints_ = member.conditions.count() - member.conditions.own();
  count_ = own_ + constraints_ + state_.size() - state_.nx - state_.parameters;
}

Observed ExtendedConditions::observed(const VecX& left, const VecX& right) const {
  Observed of{left.head(state_.nx), right.head(state_.nx), {}, {}};
  for (int c = 0; c < static_cast<int>(state_.inside.size()); ++c) {
    of.inside.push_back(right.segment(state_.inside_at(c), state_.nx));
  }
  of.integrals = right.segment(state_.integrals_at(), state_.integrals);
  return of;
}

void ExtendedConditions::evaluate(const VecX& left, const VecX& right, VecX& r) {
  const int n = state_.nx;
  r.setConstant(count_, std::numeric_limits<double>::quiet_NaN());
  Member* member = nullptr;
  try {
    member = &members_.at(state_.unknowns(left));
  } catch (const Error&) {
    return;  // The equations say why.
  }
  member->conditions.evaluate(left.head(n), right.head(n), of_ends_);
  int row = static_cast<int>(of_ends_.size());
  r.head(row) = of_ends_;
  if (further_ > 0) {
    const VecX further = member->problem.further_conditions(observed(left, right));
    if (further.size() != further_) {
      throw InvalidProblem(fmt::format("further_conditions: {} at one place, {} at another",
                                       further_, further.size()));
    }
    r.segment(row, further_) = further;
    row += further_;
  }
  r.segment(row, state_.integrals) = left.segment(state_.integrals_at(), state_.integrals);
  row += state_.integrals;
  for (int c = 0; c < static_cast<int>(state_.inside.size()); ++c, row += n) {
    r.segment(row, n) = left.segment(state_.inside_at(c), n) - left.head(n);
  }
}

void ExtendedConditions::jacobians(const VecX& left, const VecX& right, const VecX& weight,
                                   MatX& B0, MatX& B1) {
  VecX at;
  evaluate(left, right, at);
  B0.resize(count_, state_.size());
  B1.resize(count_, state_.size());
  const auto finite = [&](const VecX& l, const VecX& r, VecX& out) {
    evaluate(l, r, out);
    return true;
  };
  forward_differences([&](const VecX& x, VecX& out) { return finite(x, right, out); }, left, at,
                      weight, B0);
  forward_differences([&](const VecX& x, VecX& out) { return finite(left, x, out); }, right, at,
                      weight, B1);
}

}  // namespace daewave::bvp
