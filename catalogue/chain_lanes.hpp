#pragma once
// The chain of rods in lanes of each instruction set.

#include "core/adapt/struct_lanes.hpp"
#include "problems/chain.hpp"

namespace daewave::catalogue {

StructLanes<problems::Chain> chain_lanes(Sse2);
StructLanes<problems::Chain> chain_lanes(Avx2);
StructLanes<problems::Chain> chain_lanes(Avx512);

}  // namespace daewave::catalogue
