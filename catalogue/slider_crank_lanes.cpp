// Compiled once for each instruction set, as CMakeLists.txt says.

#include "catalogue/slider_crank_lanes.hpp"

namespace daewave::catalogue {

StructLanes<problems::SliderCrank> slider_crank_lanes(CompiledSimd) {
  return lanes_of<problems::SliderCrank>();
}

}  // namespace daewave::catalogue
