#include "core/algebraic/root_follower.hpp"

#include <algorithm>
#include <cmath>

namespace daewave {
namespace {

/// What tangents may miss, of what a step moves.
constexpr double foreseen = 0.25;
/// Of a step: the way along which a tangent is taken.
constexpr double beside = 1e-3;
/// Of the largest w: changes that are as good as none.
constexpr double nothing = 1e-6;
/// Of the way: below it things happen at one place.
constexpr double shortest = 1e-7;

/// Whether a change is small beside another one.
template <class D, class Beside>
bool is_small(const D& d, const Beside& beside_this) {
  return (d.cwiseAbs().array() <= foreseen * beside_this.array()).all();
}

}  // namespace

bool was_foreseen(const Eigen::Ref<const VecX>& w, const Eigen::Ref<const VecX>& predicted,
                  const Eigen::Ref<const VecX>& before) {
  if (w.size() == 0) return true;
  constexpr double part = 0.1;
  const double least = nothing * before.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < w.size(); ++i) {
    const double moved = std::max(std::abs(w[i] - before[i]), least);
    if (!(std::abs(w[i] - predicted[i]) <= part * moved)) return false;
  }
  return true;
}

bool RootFollower::is_claimed() const {
  // What is left is less than the last change; the one claimed may be a little off itself.
  constexpr double changes = 4, of_way = 2e-3, nothings = 10;
  return ((w_ - claimed_).cwiseAbs().array() <=
          changes * d_.cwiseAbs().array() + of_way * unit_.array() + nothings * least_.array())
      .all();
}

/// At w_.
void RootFollower::take_units(const Eigen::Ref<const VecX>& largest) {
  constexpr double of_all = 1e-3, smallest = 1e-100;
  least_ = largest.cwiseMax(w_.cwiseAbs());
  const double most = least_.maxCoeff();
  least_ = (nothing * least_.array().max(of_all * most)).max(smallest).matrix();
  unit_ = least_.cwiseMax((claimed_ - w_).cwiseAbs());
}

/// dr/dw anew, and w_ with it.
bool RootFollower::linearize(RootWay& way) {
  if (!way.jacobian(theta_, w_, J_)) return false;
  lu_.compute(J_);
  J_.setIdentity();
  inverse_ = lu_.solve(J_);
  if (!inverse_.allFinite() || !way.residual(theta_, w_, here_)) return false;
  d_.noalias() = inverse_ * here_;
  // Where dr/dw is as good as singular that leads away.
  if (!is_small(d_, unit_)) return true;
  next_ = w_ - d_;
  if (way.residual(theta_, next_, r_) && r_.norm() < here_.norm()) {
    w_ = next_;
    here_ = r_;
  }
  return true;
}

/// For a step of s.
bool RootFollower::find_tangent(RootWay& way, double s) {
  const double d = beside * s;
  if (!way.residual(theta_ + d, w_, r_)) return false;
  r_ -= here_;
  tangent_.noalias() = inverse_ * r_;
  tangent_ /= -d;
  return true;
}

/// Whether the inverse that was given is one of dr/dw here: that of another root may be that of the
/// way back.
bool RootFollower::inverts_along_tangent(RootWay& way) {
  next_ = w_ + beside * tangent_;
  if (!way.residual(0, next_, r_)) return false;
  d_.noalias() = inverse_ * r_;
  return is_small(d_ / beside - tangent_, tangent_.cwiseAbs().cwiseMax(least_));
}

/// To next_; false where it is too long.
bool RootFollower::step(RootWay& way, double s) {
  const double end = s < 1 - theta_ ? theta_ + s : 1, d = beside * s;
  next_ = w_ + s * tangent_;
  if (!way.residual(end, next_, r_) || !way.residual(end - d, next_, other_r_)) return false;
  // That at the end, times s.
  other_r_ -= r_;
  moved_.noalias() = inverse_ * other_r_;
  moved_ /= beside;
  move_ = (s * tangent_).cwiseAbs().cwiseMax(moved_.cwiseAbs()).cwiseMax(least_);
  // What both together miss: half of what that at the end does.
  moved_ = 0.5 * (moved_ - s * tangent_);
  missed_.setZero(w_.size());
  // One tangent alone misses more than both do.
  constexpr double alone = 2, good_enough = 1e-2;
  constexpr int most = 6;
  for (int iteration = 0; iteration < most; ++iteration) {
    d_.noalias() = inverse_ * r_;
    missed_ += d_;
    if (!is_small(missed_ / alone, move_)) return false;
    next_ -= d_;
    if (is_small(d_ / good_enough, move_)) return is_small(moved_ + missed_, move_);
    if (!way.residual(end, next_, r_)) return false;
  }
  return false;
}

/// Over a place where no step is short enough: w goes on from there, with an infinite slope, or
/// from elsewhere if r jumps.
RootFollower::Outcome RootFollower::leap(RootWay& way) {
  constexpr double beyond = 16, little = 0.05, jumps = 0.5;
  const double end = std::min(1.0, theta_ + beyond * shortest);
  const double between = std::min(1.0, theta_ + 2 * shortest);
  next_ = w_;
  if (!way.residual(end, w_, r_) || !way.residual(between, w_, other_r_)) return Outcome::open;
  if (!way.solve(end, next_)) return Outcome::lost;
  const bool has_moved = !is_small((foreseen / little) * (next_ - w_), unit_);
  const bool has_jumped = other_r_.cwiseAbs().maxCoeff() > jumps * r_.cwiseAbs().maxCoeff();
  if (has_moved && !has_jumped) return Outcome::lost;
  theta_ = end;
  w_ = next_;
  return Outcome::reached;
}

RootFollower::Outcome RootFollower::follow(RootWay& way, const MatX* inverse,
                                           const Eigen::Ref<const VecX>& w,
                                           const Eigen::Ref<const VecX>& claimed,
                                           const Eigen::Ref<const VecX>& largest) {
  // A fold, where steps become shorter to the last, takes about 60; noise in r would take all.
  constexpr int most_tries = 250;
  w_ = w;
  claimed_ = claimed;
  theta_ = 0;
  take_units(largest);
  here_.setZero(w.size());
  if (inverse != nullptr) {
    inverse_ = *inverse;
    if (find_tangent(way, 1) && inverts_along_tangent(way) && step(way, 1)) {
      w_ = next_;
      return Outcome::reached;
    }
  }
  double s = 1;
  int tries = 0;
  while (tries < most_tries && theta_ < 1) {
    s = std::min(s, 1 - theta_);
    bool known = linearize(way), taken = false;
    while (known && !taken && s >= std::min(shortest, 1 - theta_)) {
      ++tries;
      taken = find_tangent(way, s) && step(way, s);
      if (!taken) s /= 2;
    }
    if (!taken) {
      ++tries;
      s = shortest;
      if (const Outcome outcome = leap(way); outcome != Outcome::reached) return outcome;
      continue;
    }
    theta_ = s < 1 - theta_ ? theta_ + s : 1;
    w_ = next_;
    s *= 2;
  }
  return theta_ < 1 ? Outcome::open : Outcome::reached;
}

}  // namespace daewave
