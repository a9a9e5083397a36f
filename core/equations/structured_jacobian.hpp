#pragma once
// G of one point in the structure that was seen in it, from the outputs of a tape.

#include "core/equations/derived_terms.hpp"
#include "core/kkt/chain_jacobian.hpp"
#include "core/kkt/joint_jacobian.hpp"
#include "core/kkt/sparse_jacobian.hpp"

namespace daewave::expression {

class StructuredJacobian {
 public:
  explicit StructuredJacobian(const DerivedTerms& terms);

  bool is_structured() const { return constraints_ != Structure::Constraints::dense; }
  bool is_chain() const { return constraints_ == Structure::Constraints::chain; }
  /// @param values  in the order of jacobian_structure.hpp.
  void fill(const double* values, Terms& terms);

 private:
  Structure::Constraints constraints_;
  ChainJacobian chain_;
  JointJacobian<3, 2> joints_;
  SparseJacobian sparse_;
};

}  // namespace daewave::expression
