#include "ivp/lanes/lane_run.hpp"

namespace daewave::ivp {

SkewedIterates::~SkewedIterates() = default;
MembersInLanes::~MembersInLanes() = default;

}  // namespace daewave::ivp
