#pragma once
// The slider-crank in lanes of each instruction set.

#include "core/lanes/instruction_set.hpp"
#include "ivp/lanes/lane_kernels.hpp"
#include "problems/slider_crank.hpp"

namespace daewave::catalogue {

ivp::LaneKernels<problems::SliderCrank> slider_crank_lanes(Sse2);
ivp::LaneKernels<problems::SliderCrank> slider_crank_lanes(Avx2);
ivp::LaneKernels<problems::SliderCrank> slider_crank_lanes(Avx512);

}  // namespace daewave::catalogue
