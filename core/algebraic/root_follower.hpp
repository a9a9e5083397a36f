#pragma once
// Unknowns of index 1 along a way from one state to another: of 0 = r(w, theta), theta in [0, 1],
// the root that the one at theta = 0 becomes. Newton's method from far away finds some root; this
// goes by steps s which the tangents w' = - r_w^-1 r_theta at both ends foresee,
//
//   |w(theta + s) - w(theta) - s (w'(theta) + w'(theta + s)) / 2| <= a quarter of what it moves,
//
// and tells where it cannot: there dr/dw is singular, and the root ends.

#include "core/eigen_memory.hpp"

#include <Eigen/LU>

#include "core/types.hpp"

namespace daewave {

/// r along the way. False where something is not finite, or not found.
class RootWay {
 public:
  virtual ~RootWay() = default;
  virtual bool residual(double theta, const VecX& w, VecX& r) = 0;
  /// J = dr/dw, square.
  virtual bool jacobian(double theta, const VecX& w, MatX& J) = 0;
  /// w becomes the root that Newton's method finds from there.
  virtual bool solve(double theta, VecX& w) = 0;
};

/// Whether a root is beside where a polynomial through those before it leads: then it is theirs.
bool was_foreseen(const Eigen::Ref<const VecX>& w, const Eigen::Ref<const VecX>& predicted,
                  const Eigen::Ref<const VecX>& before);

/// Holds memory: one for each thread.
class RootFollower {
 public:
  enum class Outcome {
    reached,
    lost,  ///< The root ends on the way, near theta().
    open,  ///< Not known: r is not finite on the way, or turns without end.
  };

  /// @param inverse  of dr/dw somewhere near, for a first look; null: there is none.
  /// @param w        the root at 0, not changed.
  /// @param claimed  a root at 1: how far it is tells what counts as a change.
  /// @param largest  of each entry so far: changes of a small part of it count as nothing.
  Outcome follow(RootWay& way, const MatX* inverse, const Eigen::Ref<const VecX>& w,
                 const Eigen::Ref<const VecX>& claimed, const Eigen::Ref<const VecX>& largest);

  /// The root at 1, where it was reached, about as exactly as tangents foresee it.
  const VecX& root() const { return w_; }
  /// Whether that is the one claimed: as near as what was found of it tells.
  bool is_claimed() const;
  double theta() const { return theta_; }

 private:
  void take_units(const Eigen::Ref<const VecX>& largest);
  bool linearize(RootWay& way);
  bool find_tangent(RootWay& way, double s);
  bool inverts_along_tangent(RootWay& way);
  bool step(RootWay& way, double s);
  Outcome leap(RootWay& way);

  double theta_ = 0;
  VecX w_, claimed_;
  VecX least_;    ///< Changes that are as good as none.
  VecX unit_;     ///< Those, or what w changes along the whole way, as is claimed.
  VecX tangent_;  ///< dw/dtheta at theta_.
  VecX move_;     ///< By what a step moves.
  VecX next_;     ///< Where it leads.
  VecX here_;     ///< r at theta_.
  VecX r_, other_r_, d_, moved_, missed_;
  MatX J_, inverse_;
  Eigen::PartialPivLU<MatX> lu_;
};

}  // namespace daewave
