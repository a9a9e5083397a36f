#include "core/equations/structured_jacobian.hpp"

#include <algorithm>

namespace daewave::expression {

StructuredJacobian::StructuredJacobian(const DerivedTerms& terms)
    : constraints_(terms.structure.constraints) {
  if (constraints_ == Structure::Constraints::chain) chain_.resize(terms.sizes.nq / 3);
  if (constraints_ == Structure::Constraints::joints) joints_.reset(terms.joints);
  if (constraints_ == Structure::Constraints::sparse) sparse_.reset(terms.pattern);
}

void StructuredJacobian::fill(const double* values, Terms& terms) {
  switch (constraints_) {
    case Structure::Constraints::dense:
      return;
    case Structure::Constraints::chain:
      for (int i = 0; i < chain_.bodies(); ++i, values += 4) {
        const auto body = static_cast<std::size_t>(i);
        chain_.own[body] = {values[0], values[1]};
        chain_.before[body] = {values[2], values[3]};
      }
      terms.chain = &chain_;
      return;
    case Structure::Constraints::joints:
      for (int end = 0; end < 2 * joints_.joints(); ++end, values += 6) {
        std::copy_n(values, 6, joints_.end(end).data());
      }
      terms.joints = &joints_;
      return;
    case Structure::Constraints::sparse:
      std::copy_n(values, sparse_.entries(), sparse_.values());
      terms.sparse = &sparse_;
      return;
  }
}

}  // namespace daewave::expression
