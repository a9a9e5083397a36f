#include "large/flow/flow_case.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/error.hpp"

namespace daewave::flow {
namespace {

double viscosity_of(double re) {
  if (!(re > 0) || !std::isfinite(re)) {
    throw InvalidOption(fmt::format("re = {:g}: must be > 0, such as 100", re));
  }
  return 1 / re;
}

}  // namespace

FlowCase lid_driven_cavity(double re) {
  FlowCase cavity;
  cavity.name = "lid-driven-cavity";
  cavity.viscosity = viscosity_of(re);
  // A few turns of the vortex, and what viscosity takes through the square.
  cavity.t_end = 40 + 0.2 * re;
  cavity.steady = true;
  cavity.u = [](double, double y, double) { return y == 1 ? 1.0 : 0.0; };
  cavity.v = [](double, double, double) { return 0.0; };
  return cavity;
}

FlowCase taylor_green(double re) {
  using std::cos;
  using std::sin;
  constexpr double pi = std::numbers::pi;
  const double nu = viscosity_of(re);
  const auto decay = [nu](double t) { return std::exp(-2 * pi * pi * nu * t); };
  FlowCase vortices;
  vortices.name = "taylor-green";
  vortices.viscosity = nu;
  vortices.exact = true;
  vortices.u = [decay](double x, double y, double t) {
    return -cos(pi * x) * sin(pi * y) * decay(t);
  };
  vortices.v = [decay](double x, double y, double t) {
    return sin(pi * x) * cos(pi * y) * decay(t);
  };
  vortices.p = [decay](double x, double y, double t) {
    return -0.25 * (cos(2 * pi * x) + cos(2 * pi * y)) * decay(t) * decay(t);
  };
  return vortices;
}

}  // namespace daewave::flow
