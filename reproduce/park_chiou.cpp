#include "reproduce/park_chiou.hpp"

#include <Eigen/LU>

namespace daewave::reproduce {

void park_chiou(const LinearDae& problem, const Mesh& mesh, double epsilon, const VecX& x0,
                const VecX& y0, const ParkChiouObserver& observer) {
  const int nx = problem.nx(), ny = problem.ny();
  CoefficientBatch at(nx, ny, true);
  VecX x = x0, y = y0, right(nx + ny);
  MatX matrix(nx + ny, nx + ny);
  for (int i = 0; i < mesh.intervals(); ++i) {
    const double t = mesh.node(i + 1), h = mesh.step(i);
    problem.evaluate(&t, 1, at);
    const MatX C = at.C(0), A = at.A(0);
    matrix.topLeftCorner(nx, nx) = MatX::Identity(nx, nx) - h * A;
    matrix.topRightCorner(nx, ny) = h * C.transpose();
    matrix.bottomLeftCorner(ny, nx) = -h * (C * A + at.C_t(0));
    matrix.bottomRightCorner(ny, ny) = epsilon * MatX::Identity(ny, ny) + h * C * C.transpose();
    right.head(nx) = x + h * at.q(0);
    right.tail(ny) = epsilon * y + h * (C * at.q(0) + at.r_t(0));
    const VecX solved = matrix.partialPivLu().solve(right);
    x = solved.head(nx);
    y = solved.tail(ny);
    observer(t, x, C.transpose() * y);
  }
}

}  // namespace daewave::reproduce
