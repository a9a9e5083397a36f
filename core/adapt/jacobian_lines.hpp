#pragma once
// The curvature of constraints from their Jacobian: along (v, 1) from a point,
//
//   d/ds (G(q + s v, t + s) v)  =  (d/ds)^2 g,  where g does not depend on t,
//
// by stencils whose points are asked for in the call that evaluates G itself. Where calls are dear
// that saves one of g; and a first difference of G rounds less than a second one of g.

#include <vector>

#include "core/adapt/problem_from_functions.hpp"

namespace daewave {

/// Owns its memory: one for each thread.
class JacobianLines {
 public:
  /// G and what follows from it at these points, which have velocities.
  /// @param scale  of lines: see LineStencils.
  /// @param G, curvature  entry (i, j) at point p is at [(i + j ny) * at.count + p].
  /// @return false where nothing was called, or what follows is not accurate; G is known then
  ///         where `knows_G()`.
  bool evaluate(const ProblemFunctions& of, const Points& at, double scale, double* G,
                double* curvature);
  bool knows_G() const { return called_; }

  /// Beside the same from g itself: whether they differ by no more than either may be off by.
  /// @param rounding  of row i of `from_g`, times the unit of a point at scale 1, squared.
  bool agrees(const Points& at, const double* from_g, const double* curvature,
              const std::vector<double>& rounding) const;
  /// What follows is not what it ought to be: it is left alone for some batches.
  void leave();

 private:
  int values() const { return 1 + 2 * sides_; }
  void place(const ProblemFunctions& of, const Points& at);
  double along_row(int i, const Points& at);
  bool derive_row(int i, const Points& at, double* curvature);

  double scale_ = 1;
  int sides_ = 2;  ///< Steps to either side: 2 where G is linear, 4 else.
  int left_ = 0;   ///< Batches that it is left alone for.
  bool called_ = false;
  int ny_ = 0, nq_ = 0;
  std::vector<double> units_, t_, q_, G_, along_;
};

}  // namespace daewave
