#include "bvp/mesh/rounding_evidence.hpp"

#include "bvp/mesh/error_estimate.hpp"

namespace daewave::bvp {

void RoundingEvidence::see(const Solution& solution, double carried) {
  const double beyond = rounding_of(solution) / tolerance_;
  product_ = beyond > 1 && !is_coarse(solution) ? product_ * beyond : 1;
  spoiled_ = carried > tolerance_ ? spoiled_ + 1 : 0;
}

}  // namespace daewave::bvp
