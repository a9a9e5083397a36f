#include "core/kkt/any_jacobian.hpp"

#include "core/not_finite.hpp"
#include "core/problem/terms.hpp"

namespace daewave {

int AnyJacobian::rows() const {
  return visit([](const auto& G) { return static_cast<int>(G.rows()); });
}
int AnyJacobian::cols() const {
  return visit([](const auto& G) { return static_cast<int>(G.cols()); });
}

MatX AnyJacobian::dense() const {
  if (const MatX* const own = as<MatX>()) return *own;
  if (const SparseJacobian* const sparse = as<SparseJacobian>()) return sparse->dense();
  MatX all(rows(), cols());
  VecX unit = VecX::Zero(cols()), column;
  for (int j = 0; j < cols(); ++j) {
    unit[j] = 1;
    apply(*this, unit, column);
    unit[j] = 0;
    all.col(j) = column;
  }
  return all;
}

void apply(const AnyJacobian& G, const VecX& v, VecX& out) {
  G.visit([&](const auto& of_structure) { apply(of_structure, v, out); });
}
void apply_transposed(const AnyJacobian& G, const VecX& lambda, VecX& out) {
  G.visit([&](const auto& of_structure) { apply_transposed(of_structure, lambda, out); });
}

bool all_finite(const char* equation, const AnyJacobian& G, double t, std::string& failure) {
  if (const SparseJacobian* const sparse = G.as<SparseJacobian>()) {
    return all_finite(equation, *sparse, t, failure);
  }
  const MatX* const own = G.as<MatX>();
  return own == nullptr || all_finite(equation, *own, t, failure);
}

}  // namespace daewave
