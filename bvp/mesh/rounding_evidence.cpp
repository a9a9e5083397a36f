#include "bvp/mesh/rounding_evidence.hpp"

#include "bvp/mesh/error_estimate.hpp"

namespace daewave::bvp {

void RoundingEvidence::see(const Solution& solution) {
  const double beyond = rounding_of(solution) / tolerance_;
  product_ = beyond > 1 && !is_coarse(solution) ? product_ * beyond : 1;
}

}  // namespace daewave::bvp
