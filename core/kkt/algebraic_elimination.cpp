#include "core/kkt/algebraic_elimination.hpp"

#include <cmath>

namespace daewave {

bool AlgebraicElimination::eliminate(const MatX& all, int nz, MatX& J) {
  const int nw = static_cast<int>(all.rows()) - nz;
  J = all.topLeftCorner(nz, nz);
  if (nw == 0) return std::isfinite(J.sum());
  r_w_ = all.bottomRightCorner(nw, nw);
  lu_.compute(r_w_);
  for (int j = 0; j < nz; ++j) {
    right_ = all.col(j).tail(nw);
    lu_.solve(right_, solved_);
    J.col(j).noalias() -= all.topRightCorner(nz, nw) * solved_;
  }
  return std::isfinite(J.sum());
}

}  // namespace daewave
