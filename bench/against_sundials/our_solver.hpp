#pragma once
// This library as it comes for regular problems: DOP853, S-both2 after every step.

#include "bench/against_sundials/measurement.hpp"
#include "ivp/explicit_rk_step.hpp"
#include "ivp/integrate.hpp"
#include "ivp/reduced_multibody.hpp"

namespace daewave::bench {

template <Multibody P>
class OurSolver {
 public:
  explicit OurSolver(const P& problem) : problem_(problem), start_(problem.start()) {}

  Outcome run(double tolerance) {
    using System = ivp::ReducedMultibody<P>;
    ivp::Options options;
    options.rtol = options.atol = tolerance;
    options.every = 0;
    options.multipliers = false;
    System system(problem_, ivp::Method::s_both2, {});
    const ivp::Tolerance measure(options, static_cast<int>(start_.size()));
    ivp::ExplicitRkStep<System> step(system, ivp::tableau(ivp::Stepper::dop853), measure);
    const ivp::Solution solution =
        ivp::integrate(step, start_, problem_.interval(), options, {.drift = false});
    return {solution.report.usable(), solution.end(), solution.report.integration.evaluations, 0,
            solution.report.integration.steps + solution.report.integration.rejected};
  }

 private:
  const P& problem_;
  StateOf<P> start_;
};

}  // namespace daewave::bench
