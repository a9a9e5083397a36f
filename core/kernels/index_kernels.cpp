#include "core/kernels/index_kernels.hpp"

namespace daewave {

void SecondOrderKernel::terms(const VecX& x, const VecX& v, double t,
                              SecondOrderTerms<SecondOrderKernel>& at) const {
  const Ask all = Ask::f | Ask::B | Ask::G | Ask::g | Ask::g_t;
  fill(problem_->structure().has_curvature ? all | Ask::curvature : all, x, v, t, at);
}

SecondOrderTerms<SecondOrderKernel> SecondOrderKernel::at(Ask what, const VecX& x, const VecX& v,
                                                          double t) const {
  SecondOrderTerms<SecondOrderKernel> terms;
  fill(what, x, v, t, terms);
  return terms;
}

void SecondOrderKernel::fill(Ask what, const VecX& x, const VecX& v, double t,
                             SecondOrderTerms<SecondOrderKernel>& to) const {
  const Terms& from = to.own.at(*problem_, what, t, x.data(), v.data());
  const int nx = problem_->sizes().nq, ny = problem_->sizes().ny;
  if (asks(what, Ask::f)) to.f = Eigen::Map<const VecX>(from.f, nx);
  if (asks(what, Ask::B)) to.B = Eigen::Map<const MatX>(from.B, nx, ny);
  if (asks(what, Ask::G)) to.G = Eigen::Map<const MatX>(from.G, ny, nx);
  if (asks(what, Ask::g)) to.position = Eigen::Map<const VecX>(from.g, ny);
  if (asks(what, Ask::g_t)) to.g_t = Eigen::Map<const VecX>(from.g_t, ny);
  if (asks(what, Ask::curvature) && from.curvature != nullptr) {
    to.curvature = Eigen::Map<const VecX>(from.curvature, ny);
  }
}

void take_index_one_jacobian(const Terms& from, const Sizes& sizes, MatX& J) {
  const int nz = sizes.nq, nw = sizes.nw;
  J.resize(nz + nw, nz + nw);
  J.topLeftCorner(nz, nz) = Eigen::Map<const MatX>(from.f_q, nz, nz);
  if (nw == 0) return;
  J.topRightCorner(nz, nw) = Eigen::Map<const MatX>(from.f_w, nz, nw);
  J.bottomLeftCorner(nw, nz) = Eigen::Map<const MatX>(from.r_q, nw, nz);
  J.bottomRightCorner(nw, nw) = Eigen::Map<const MatX>(from.r_w, nw, nw);
}

bool InvariantKernel::jacobian(const VecX& z, const VecX& w, double t, MatX& J) const {
  if (!has_f_jacobian()) return false;
  take_index_one_jacobian(at(index_one_jacobian, z, w, t), problem_->sizes(), J);
  return true;
}

}  // namespace daewave
