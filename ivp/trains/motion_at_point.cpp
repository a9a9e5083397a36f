#include "ivp/trains/motion_at_point.hpp"

namespace daewave::ivp {

bool MotionAtPoint::factorize(const KnownTerms& at, double rank_tolerance) {
  const int nq = at.nq, nl = at.nl;
  G_ = Eigen::Map<const MatX>(at.G.data(), nl, nq);
  diagonal_ = at.mass_entries() == nq;
  carried_.resize(nq, nl);
  if (diagonal_) {
    M_ = Eigen::Map<const MatX>(at.M.data(), nq, 1);
    if (!(M_.minCoeff() > 0)) return false;
    for (int j = 0; j < nl; ++j) {
      for (int i = 0; i < nq; ++i) carried_(i, j) = G_(j, i) / M_(i, 0);
    }
  } else {
    M_ = Eigen::Map<const MatX>(at.M.data(), nq, nq);
    if (!of_M_.compute(M_)) return false;
    for (int j = 0; j < nl; ++j) {
      force_ = G_.row(j);
      of_M_.solve(force_);
      carried_.col(j) = force_;
    }
  }
  S_.resize(nl, nl);
  double largest = 0;
  for (int i = 0; i < nl; ++i) {
    for (int j = 0; j < nl; ++j) {
      double sum = 0;
      for (int k = 0; k < nq; ++k) sum += G_(i, k) * carried_(k, j);
      S_(i, j) = sum;
    }
    largest = S_(i, i) > largest ? S_(i, i) : largest;
  }
  // What is dependent to that tolerance is so squared here.
  const double least = rank_tolerance * rank_tolerance * largest;
  for (int i = 0; i < nl; ++i) {
    if (!(S_(i, i) > least)) return false;
  }
  return of_S_.compute(S_);
}

void MotionAtPoint::multiplier(const KnownTerms& at, VecX& lambda) {
  const int nl = at.nl;
  lambda.resize(nl);
  for (int i = 0; i < nl; ++i) {
    double sum = at.curvature[static_cast<std::size_t>(i)];
    for (int k = 0; k < at.nq; ++k) sum += carried_(k, i) * at.f[static_cast<std::size_t>(k)];
    lambda[i] = sum;
  }
  of_S_.solve(lambda);
}

void MotionAtPoint::acceleration(const KnownTerms& at, VecX& a) {
  multiplier(at, mu_);
  a = Eigen::Map<const VecX>(at.f.data(), at.nq);
  if (diagonal_) {
    a.array() /= M_.col(0).array();
  } else {
    of_M_.solve(a);
  }
  for (int j = 0; j < at.nl; ++j) a -= mu_[j] * carried_.col(j);
}

void MotionAtPoint::correction(const VecX& residual, VecX& move) {
  mu_ = residual;
  of_S_.solve(mu_);
  move.setZero(carried_.rows());
  for (int j = 0; j < mu_.size(); ++j) move += mu_[j] * carried_.col(j);
}

void residuals_of(const KnownTerms& at, VecX& position, VecX& velocity) {
  const int nl = at.nl;
  position.resize(nl);
  velocity.resize(nl);
  for (int i = 0; i < nl; ++i) {
    const auto row = static_cast<std::size_t>(i);
    double sum = at.g_t[row];
    for (int j = 0; j < at.nq; ++j) sum += at.G[i + j * nl] * at.v[j];
    position[i] = at.g[row];
    velocity[i] = sum;
  }
}

}  // namespace daewave::ivp
