#pragma once
// A DAE of index 2 as multistep formulas see it:
//
//   x' = f(t, x) - B(t, x) lambda,   0 = c(t, x)                               [AFS] (1.1)
//
// with c_x B regular. A mechanical system is one of these at the level of velocities: x = (q, v),
// B = (0; M^-1 G^T), c = G v + g_t. The formulas are compiled once and see problems through virtual
// functions; index_two_system_of.hpp makes one of any problem.

#include <string>

#include "core/types.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

/// Objects hold the memory of an evaluation: one for each thread. No function but underlying()
/// allocates after its first call. False where something cannot be evaluated or is not finite, and
/// failure() tells why.
class IndexTwoSystem {
 public:
  virtual ~IndexTwoSystem() = default;

  virtual int nx() const = 0;
  virtual int nl() const = 0;                  ///< Multipliers, and rows of c.
  virtual int positions() const { return 0; }  ///< Leading entries of x, before velocities.

  /// f (nx), B (nx x nl) and c (nl), which share their work; of these sizes on entry.
  virtual bool evaluate(double t, const VecX& x, VecX& f, MatX& B, VecX& c) = 0;

  /// True where jacobian() is given; otherwise it is formed by differences.
  virtual bool has_jacobian() const { return false; }
  /// slope_x = d (part f - B lambda) / dx, part and lambda being fixed, and c_x.
  virtual bool jacobian(double /*t*/, const VecX& /*x*/, double /*part*/, const VecX& /*lambda*/,
                        MatX& /*slope_x*/, MatX& /*c_x*/) {
    return false;
  }

  /// x' and lambda of the underlying ordinary equation at a consistent x, by c' = 0. Starting
  /// values and the multiplier at the start come from it.
  virtual bool underlying(double t, const VecX& x, VecX& slope, VecX& lambda) = 0;

  /// Of a mechanical system, the constraint on positions too, which the formulas do not see.
  virtual Drift drift(double t, const VecX& x) = 0;
  virtual std::string failure() const = 0;
};

}  // namespace daewave::ivp
