// Compiled once for each instruction set, as CMakeLists.txt says.

#include "catalogue/mechanism_lanes.hpp"

namespace daewave::catalogue {

template <>
StructLanes<problems::Pendulum> MechanismLanes<problems::Pendulum>::compiled(CompiledSimd) {
  return lanes_of<problems::Pendulum>();
}
template <>
StructLanes<problems::AcprCase1> MechanismLanes<problems::AcprCase1>::compiled(CompiledSimd) {
  return lanes_of<problems::AcprCase1>();
}
template <>
StructLanes<problems::AcprCase2> MechanismLanes<problems::AcprCase2>::compiled(CompiledSimd) {
  return lanes_of<problems::AcprCase2>();
}
template <>
StructLanes<problems::Andrews> MechanismLanes<problems::Andrews>::compiled(CompiledSimd) {
  return lanes_of<problems::Andrews>();
}
template <>
StructLanes<problems::CarAxis> MechanismLanes<problems::CarAxis>::compiled(CompiledSimd) {
  return lanes_of<problems::CarAxis>();
}

}  // namespace daewave::catalogue
