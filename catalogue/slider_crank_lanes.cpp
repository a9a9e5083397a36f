// Compiled once for each instruction set, as CMakeLists.txt says.

#include "catalogue/slider_crank_lanes.hpp"

#include "ivp/lanes/compile_lanes.hpp"

namespace daewave::catalogue {

ivp::LaneKernels<problems::SliderCrank> slider_crank_lanes(CompiledSimd) {
  return ivp::compile_lanes<problems::SliderCrank>();
}

}  // namespace daewave::catalogue
