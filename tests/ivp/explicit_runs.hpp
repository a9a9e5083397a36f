#pragma once
// Runs of explicit steppers through the time loop.

#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/run/integrate.hpp"
#include "tests/ivp/plain_systems.hpp"

namespace daewave::ivp {

inline Solution run(OdeSystem& system, Stepper stepper, const VecX& z0, Interval span,
                    const Options& options, const Monitors& monitors = {}) {
  ExplicitRkStep step(system, tableau(stepper), Tolerance(options, static_cast<int>(z0.size())),
                      !options.h);
  return integrate(step, z0, span, options, monitors);
}

inline Solution oscillate(const Options& options, Interval span = {0, 10}) {
  Oscillator system;
  return run(system, options.h ? Stepper::rk4 : Stepper::dop853, Oscillator::exact(span.begin),
             span, options);
}

inline Options with_h(double h) {
  Options options;
  options.h = h;
  return options;
}

inline Options precise() {
  Options options;
  options.atol = options.rtol = 1e-11;
  return options;
}

}  // namespace daewave::ivp
