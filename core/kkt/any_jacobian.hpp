#pragma once
// The Jacobian of constraints whose structure is known at run time: dense, of a chain, of bodies
// and joints, or sparse in any pattern. Memory and products are those of the structure.

#include <string>

#include "core/kkt/chain_jacobian.hpp"
#include "core/kkt/joint_jacobian.hpp"
#include "core/kkt/one_of.hpp"
#include "core/kkt/sparse_jacobian.hpp"
#include "core/types.hpp"

namespace daewave {

/// nl x nq.
class AnyJacobian : public OneOf<MatX, ChainJacobian, JointJacobian<3, 2>, SparseJacobian> {
 public:
  int rows() const;
  int cols() const;
  /// All entries, whatever the structure is.
  MatX dense() const;
};

/// out = G v.
void apply(const AnyJacobian& G, const VecX& v, VecX& out);
/// out = G^T lambda.
void apply_transposed(const AnyJacobian& G, const VecX& lambda, VecX& out);

/// As for matrices with entries, sparse ones too; the blocks of a structure are not looked at.
bool all_finite(const char* equation, const AnyJacobian& G, double t, std::string& failure);

}  // namespace daewave
