#pragma once
// The slider-crank in lanes of each instruction set.

#include "core/adapt/struct_lanes.hpp"
#include "problems/slider_crank.hpp"

namespace daewave::catalogue {

StructLanes<problems::SliderCrank> slider_crank_lanes(Sse2);
StructLanes<problems::SliderCrank> slider_crank_lanes(Avx2);
StructLanes<problems::SliderCrank> slider_crank_lanes(Avx512);

}  // namespace daewave::catalogue
