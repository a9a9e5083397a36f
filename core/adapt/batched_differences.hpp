#pragma once
// Derivatives of g, which is given as a function of many points, by differences: those of
// core/derivatives/differences.hpp, with all the points that they will ask for in one call. A call
// may cost far more than a point of it does, as one into another language.

#include <vector>

#include "core/adapt/line_stencils.hpp"
#include "core/adapt/problem_from_functions.hpp"
#include "core/types.hpp"

namespace daewave {

/// Of one of G, g_t and curvature; owns its memory: one for each thread.
class BatchedDifferences {
 public:
  explicit BatchedDifferences(Ask what) : what_(what), stencils_(what) {}

  /// @param out  entry (i, j) at point p is at [(i + j ny) * at.count + p].
  void evaluate(const ProblemFunctions& of, const Points& at, double* out);
  LineStencils& stencils() { return stencils_; }

 private:
  /// q + s dq, t + s dt for s = unit * sigma.
  struct Line {
    VecX q, dq;
    double t = 0, dt = 0, unit = 1;
    double longest = 1, to_zero = 1;  ///< In units; of first derivatives, of second ones.
    int point = 0, column = 0;
  };
  std::vector<Line> lines_of(const ProblemFunctions& of, const Points& at) const;
  void fetch(const ProblemFunctions& of, const std::vector<Line>& lines);
  VecX value(const ProblemFunctions& of, const Line& line, std::size_t number, double sigma);

  Ask what_;
  LineStencils stencils_;  ///< What they do not know accurately is for steps that are chosen.
  /// A step that lines took, and how many evaluations ago.
  struct Step {
    double sigma = 0;
    int ago = 0;
  };
  std::vector<Step> steps_;  ///< Of the last evaluations: those that the next one will most likely.
  std::size_t fetched_steps_ = 0;  ///< Leading ones whose values are in g_.
  std::vector<double> t_, q_, g_;
  int fetched_ = 0;  ///< Points in g_.
  int missed_ = 0;   ///< Points that were not.
};

}  // namespace daewave
