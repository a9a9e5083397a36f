#include "sparse/sparse_dae.hpp"

namespace daewave::sparse {

void SparseDae::e(const VecX&, double, VecX& out) const { out.setZero(nx()); }

std::string SparseDae::advice(double) const { return {}; }

}  // namespace daewave::sparse
