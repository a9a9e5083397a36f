#include "bvp/nonlinear/orientation.hpp"

#include <utility>

#include "bvp/newton/determinant_sign.hpp"
#include "bvp/nonlinear/infinite_interval.hpp"
#include "bvp/nonlinear/posed.hpp"
#include "core/error.hpp"

namespace daewave::bvp {
namespace {

/// Where an infinite interval was cut.
void cut(ProblemFamily& family, const Mesh& mesh) {
  if (!is_infinite(family.member(family.p).interval)) return;
  family.member = [make = family.member,
                   interval = Interval{mesh.begin(), mesh.end()}](const VecX& p) {
    BoundaryProblem problem = make(p);
    problem.interval = interval;
    return problem;
  };
}

}  // namespace

int orientation(ProblemFamily family, Options options, const Solution& at) {
  if (at.share().is_shared() || !at.values().curve().has_slopes()) return 0;
  try {
    family.p = at.parameters;
    cut(family, at.mesh());
    const bool has_constraints = family.member(family.p).equations->sizes().ny > 0;
    if (has_constraints && at.regularization().epsilon > 0) {
      options.variant = at.regularization().variant;
      options.epsilon = at.regularization().epsilon;
    }
    options.from = at;
    options.guess = nullptr;
    options.mesh.reset();
    options.intervals.reset();
    options.truncation.reset();
    const Posed posed(family, options);
    const NonlinearProblem& problem = posed.problem();
    return determinant_sign(*problem.system(problem.epsilon), *problem.conditions,
                            problem.start->curve());
  } catch (const Error&) {
    return 0;  // What cannot be looked at tells nothing.
  }
}

}  // namespace daewave::bvp
