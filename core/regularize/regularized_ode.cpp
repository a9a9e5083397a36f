#include "core/regularize/regularized_ode.hpp"

namespace daewave {

RegularizedOde::~RegularizedOde() = default;

}  // namespace daewave
