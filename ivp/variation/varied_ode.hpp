#pragma once
// The equations of a run and, beside them, those of first order around it:
//
//   z' = F(z, p, t),          s' = F_z s + F_p,
//   z <- P(z, p, t),          s <- P_z s + P_p          after a step,
//
// one s for each direction of the start (without F_p, P_p) and for each parameter p. F and P are
// those of the reduced problem: any one-step formula that steps z steps s by the same formula, and
// the projection that brings z back brings s back to the directions that the constraints allow.
// Derivatives along s are central differences of fourth order of F and P themselves.

#include <memory>
#include <string>
#include <vector>

#include "ivp/run/ode_system.hpp"

namespace daewave::ivp {

/// The problem with one parameter moved by -2, -1, 1, 2 times `step`.
struct MovedSystems {
  std::vector<std::unique_ptr<OdeSystem>> at;
  double step = 0;
};

/// Of the state (z, s_1, ..., s_m).
class VariedOde final : public OdeSystem {
 public:
  /// @param system, beside  of the same problem: what steps z, and what is evaluated around it.
  /// @param unit    what counts as a move of one of each entry of z, > 0.
  /// @param part    of a unit that z is moved by for differences.
  /// @param starts  directions of the start, in front of those of the parameters.
  VariedOde(OdeSystem& system, OdeSystem& beside, VecX unit, double part, int starts,
            std::vector<MovedSystems> parameters);

  void tries_from(double t) override;
  void looks_inside(bool begins) override;
  bool rhs(double t, const VecX& z, VecX& slope) override;
  bool after_step(double t, VecX& z, VecX& slope) override;
  bool refuses_end() override { return system_.refuses_end(); }
  bool follows() override { return system_.follows(); }
  bool stabilizes() const override { return system_.stabilizes(); }

  /// That of F on the diagonal: what s' has of z matters no more once z is solved for.
  bool knows_jacobian() const override { return true; }
  bool jacobian(double t, const VecX& z, MatX& J) override;

  bool multiplier(double t, const VecX& z, VecX& multiplier) override;
  Drift drift(double t, const VecX& z) override { return system_.drift(t, z.head(n_)); }
  std::string failure() const override { return failure_; }

 private:
  /// What is differenced: (x, its slope), from x; false where it cannot be evaluated.
  bool rhs_at(OdeSystem& system, double t, VecX& x, VecX& slope);
  bool stepped_at(OdeSystem& system, double t, VecX& x, VecX& slope);
  template <class Evaluate>
  bool along(const VecX& s, Evaluate evaluate);
  template <class Evaluate>
  bool by_parameter(MovedSystems& moved, Evaluate evaluate);
  template <class Evaluate>
  bool vary(const VecX& z, Evaluate evaluate, VecX* states, VecX& slopes);
  int columns() const { return starts_ + static_cast<int>(parameters_.size()); }

  OdeSystem &system_, &beside_;
  int n_, starts_;
  VecX unit_;
  double part_;
  std::vector<MovedSystems> parameters_;
  VecX z_, slope_, s_, x_, x_slope_;
  VecX state_moved_, slope_moved_;  ///< Derivatives that were taken last.
  VecX state_sum_, slope_sum_, states_;
  std::string failure_;
};

}  // namespace daewave::ivp
