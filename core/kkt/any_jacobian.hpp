#pragma once
// The Jacobian of constraints whose structure is known at run time: dense, of a chain, or of bodies
// and joints. Memory and products are those of the structure.

#include <string>
#include <variant>

#include "core/kkt/chain_jacobian.hpp"
#include "core/kkt/joint_jacobian.hpp"
#include "core/types.hpp"

namespace daewave {

/// nl x nq.
class AnyJacobian {
 public:
  /// To write its entries: of the structure asked for, which takes memory where it was another.
  /// @tparam Form  MatX, ChainJacobian or JointJacobian<3, 2>.
  template <class Form>
  Form& become() {
    Form* const own = std::get_if<Form>(&form_);
    return own != nullptr ? *own : form_.template emplace<Form>();
  }
  /// function(G), with G in the type of its structure.
  template <class Function>
  auto visit(Function function) const {
    return std::visit(function, form_);
  }

  int rows() const;
  int cols() const;
  /// The matrix itself where it is dense, else null.
  const MatX* entries() const { return std::get_if<MatX>(&form_); }
  /// All entries, whatever the structure is.
  MatX dense() const;

 private:
  std::variant<MatX, ChainJacobian, JointJacobian<3, 2>> form_;
};

/// out = G v.
void apply(const AnyJacobian& G, const VecX& v, VecX& out);
/// out = G^T lambda.
void apply_transposed(const AnyJacobian& G, const VecX& lambda, VecX& out);

/// As for matrices with entries; the blocks of a structure are not looked at.
bool all_finite(const char* equation, const AnyJacobian& G, double t, std::string& failure);

}  // namespace daewave
