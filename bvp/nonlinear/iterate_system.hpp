#pragma once
// What collocation sees of a nonlinear boundary value problem, with its type forgotten.

#include <string>

#include "core/types.hpp"

namespace daewave::bvp {

/// One iterate of a sequential regularization, x' = F(x, t; y), which leaves Y(x, t; y); or an
/// ordinary differential equation, which carries nothing. Holds the memory of an evaluation.
class IterateSystem {
 public:
  virtual ~IterateSystem() = default;

  virtual int nx() const = 0;
  /// Entries of what is carried from one iterate to the next, y or B y; or of the unknowns of index
  /// 1, which are solved for at each point; or none.
  virtual int carried() const = 0;

  /// F and Y at one point. @param before  y of the iterate before.
  /// @param carried  on entry what was last found near there, or zeros.
  /// @return false with failure() where it cannot be evaluated; entries that are not finite may be
  ///         left to the caller.
  virtual bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope,
                        VecX& carried) = 0;
  /// J = dF/dx where evaluate() gave `slope` and `carried`; nx x nx.
  /// @param weight  what counts as a small change of each entry of x, > 0.
  virtual bool jacobian(const VecX& x, double t, const VecX& before, const VecX& slope,
                        const VecX& carried, const VecX& weight, MatX& J) = 0;
  virtual std::string failure() const = 0;
  /// How far the point evaluated last is off its constraints, position and velocity, in max norm.
  virtual double drift() { return 0; }
};

/// Conditions 0 = r(x(begin), x(end)), separated or coupled, nonlinear or not; as many as nx.
class TwoPointConditions {
 public:
  virtual ~TwoPointConditions() = default;
  virtual int count() const = 0;
  virtual void evaluate(const VecX& left, const VecX& right, VecX& r) = 0;
  /// dr/dx(begin) and dr/dx(end), count() x nx. @param weight  as above.
  virtual void jacobians(const VecX& left, const VecX& right, const VecX& weight, MatX& B0,
                         MatX& B1) = 0;
};

}  // namespace daewave::bvp
