#include "problems/slider_crank.hpp"

#include "catalogue/makers.hpp"
#include "catalogue/slider_crank_lanes.hpp"
#include "core/error.hpp"
#include "problems/slider_crank_reference.hpp"

namespace daewave::catalogue {

InitialValueProblemPtr make_slider_crank(const Parameters& parameters) {
  problems::SliderCrank crank;
  const double turning = value_of(parameters, "turning");
  if (turning != 0 && turning != 1) {
    throw InvalidOption("turning = " + std::to_string(turning) + ": must be 0 or 1");
  }
  if (turning == 1) crank.from = problems::SliderCrankStart::turning;
  crank.g0 = value_of(parameters, "gravity");
  const auto reference = std::make_shared<problems::SliderCrankReference>(crank);
  Known known{crank.name(), {0, positive(parameters, "t-end")}, [reference](double t) {
                return VecX(reference->state(t));
              }};
  return std::make_shared<const InitialValueProblem>(
      problem_of(crank, best_of([](auto set) { return slider_crank_lanes(set); })),
      VecX(crank.start()), std::move(known));
}

}  // namespace daewave::catalogue
