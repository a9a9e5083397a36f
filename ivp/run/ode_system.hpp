#pragma once
// What a step of a one-step formula sees of a problem: an ordinary one, z' = rhs(t, z), and what is
// done to z after a step.

#include <string>

#include "core/types.hpp"

namespace daewave::ivp {

/// How far a state is off its constraints, max norm.
struct Drift {
  double position = 0;
  double velocity = 0;
};

/// Objects hold the memory of an evaluation: one for each thread. What is filled has as many
/// entries as z before, unless told otherwise.
class OdeSystem {
 public:
  virtual ~OdeSystem() = default;

  /// Told by each step before it evaluates: one from t is tried, the first one, or one after
  /// another was taken to there, or after one from there that was not taken, of which nothing may
  /// stay.
  virtual void tries_from(double /*t*/) {}
  /// slope = z'; false where it cannot be evaluated, and failure() tells why.
  virtual bool rhs(double t, const VecX& z, VecX& slope) = 0;
  /// Brings the end of a step back to the constraints and mends `slope`, which is rhs(t, z) on
  /// entry and is used as the first slope of the next step. Called directly after rhs(t, z), whose
  /// factorization it may use. False as above.
  virtual bool after_step(double /*t*/, VecX& /*z*/, VecX& /*slope*/) { return true; }
  /// Told before and after a step to a time inside of the one taken last: nothing of it may stay.
  virtual void looks_inside(bool /*begins*/) {}
  /// Asked directly after rhs(t, z) at the end of a step that may as well be shorter: true where
  /// the step should end elsewhere, as failure() tells. Asked again and again, it gives in.
  virtual bool refuses_end() { return false; }
  /// Asked directly after rhs(t, z) at the end of every step: false where what is solved for in
  /// there has left the solution that the step began with, as failure() tells.
  virtual bool follows() { return true; }
  /// True when after_step() changes anything.
  virtual bool stabilizes() const { return false; }

  /// Whether there is a jacobian(); otherwise who wants one takes differences.
  virtual bool knows_jacobian() const { return false; }
  /// J = d rhs / dz. False as above.
  virtual bool jacobian(double /*t*/, const VecX& /*z*/, MatX& /*J*/) { return false; }

  /// `multiplier` may have any size before. False as above.
  virtual bool multiplier(double t, const VecX& z, VecX& multiplier) = 0;
  virtual Drift drift(double t, const VecX& z) = 0;
  /// z is (q, v).
  virtual bool second_order() const { return false; }
  virtual std::string failure() const = 0;
};

/// For as long as it lives, also where the problem throws.
class LookInside {
 public:
  explicit LookInside(OdeSystem& system) : system_(system) { system_.looks_inside(true); }
  ~LookInside() { system_.looks_inside(false); }
  LookInside(const LookInside&) = delete;
  LookInside& operator=(const LookInside&) = delete;

 private:
  OdeSystem& system_;
};

}  // namespace daewave::ivp
