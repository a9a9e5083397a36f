#include "ivp/run/integrate.hpp"

#include "core/error.hpp"
#include "ivp/run/time_loop.hpp"

namespace daewave::ivp {

Solution integrate(Step& step, const VecX& z0, const Interval& span, const Options& options,
                   const Monitors& monitors) {
  check(options);
  if (!options.h && step.error_order() == 0) {
    throw InvalidOption(
        "h: must be given, as the stepper does not estimate errors; leave stepper open; or take "
        "stepper = dopri5");
  }
  return TimeLoop(step, z0, span, options, monitors).run();
}

}  // namespace daewave::ivp
