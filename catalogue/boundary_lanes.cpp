// Compiled once for each instruction set, as CMakeLists.txt says.

#include "catalogue/boundary_lanes.hpp"

namespace daewave::catalogue {

template <>
StructLanes<problems::TwoPoint> BoundaryLanes<problems::TwoPoint>::compiled(CompiledSimd) {
  return right_side_lanes_of<problems::TwoPoint>();
}
template <>
StructLanes<problems::LoadedBeam> BoundaryLanes<problems::LoadedBeam>::compiled(CompiledSimd) {
  return right_side_lanes_of<problems::LoadedBeam>();
}

}  // namespace daewave::catalogue
