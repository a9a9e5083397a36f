#include "bvp/equations/extended_system.hpp"

#include <algorithm>

#include "bvp/statement/forward_differences.hpp"
#include "core/error.hpp"
#include "core/problem/time_reversed.hpp"

namespace daewave::bvp {

ExtendedSystem::ExtendedSystem(ExtendedState state, MakeMemberSystem make, const VecX& unknowns,
                               const double* end)
    : state_(std::move(state)),
      members_(make, state_.parameters),
      reversed_(end != nullptr),
      end_(end != nullptr ? *end : 0),
      carried_(members_.at(unknowns).system->carried()),
      dear_(members_.at(unknowns).system->calls_are_dear()),
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

double ExtendedSystem::parameter_step(double p, double weight) {
  // As if it were this large at the least: a guess of zero tells no size.
  constexpr double vanishing = 1e-6;
  return difference_step(p, std::max(weight, vanishing));
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
    const double step = parameter_step(p, weight[n + i]);
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

}  // namespace daewave::bvp
