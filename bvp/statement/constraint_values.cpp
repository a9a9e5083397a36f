#include "bvp/statement/constraint_values.hpp"

#include <Eigen/LU>

#include "core/kernels/multibody_kernel.hpp"

namespace daewave::bvp {

int ConstraintValues::count() const {
  return problem_.has_velocity() ? 2 * problem_.sizes().ny : problem_.sizes().ny;
}

VecX ConstraintValues::residual(const VecX& x, double t) {
  const int ny = problem_.sizes().ny, nq = problem_.sizes().nq;
  if (!problem_.has_velocity()) {
    if (ny == 0) return VecX(0);
    return Eigen::Map<const VecX>(at(Ask::g, x, t).g, ny);
  }
  const Terms& terms = at(Ask::g | Ask::G | Ask::g_t, x, t);
  VecX both(2 * ny);
  // Unknown parameters may follow the state.
  both << Eigen::Map<const VecX>(terms.g, ny), rate(terms, x.segment(nq, nq));
  return both;
}

VecX ConstraintValues::residual(const VecX& x, const VecX& w, double t) {
  const Terms& terms = evaluation_->evaluate(Ask::r, Points{1, 1, &t, x.data(), nullptr, w.data()});
  return Eigen::Map<const VecX>(terms.r, problem_.sizes().nw);
}

MatX ConstraintValues::GB(const VecX& state, double t) {
  // Terms last until the next evaluation.
  const MatX range = B(state, t);
  return transposed_jacobian(at(Ask::G, state, t)).transpose() * range;
}

MatX ConstraintValues::G(const VecX& state, double t) {
  return transposed_jacobian(at(Ask::G, state, t)).transpose();
}

MatX ConstraintValues::B(const VecX& state, double t) {
  const Sizes& n = problem_.sizes();
  if (!is_multibody()) {
    return Eigen::Map<const MatX>(at(Ask::B, state, t).B, n.nq, n.ny);
  }
  const Terms& terms = at(Ask::M | Ask::G, state, t);
  MatX M;
  detail::take_mass(terms, problem_, M);
  return M.partialPivLu().solve(transposed_jacobian(terms));
}

std::unique_ptr<ForeseenTerms> ConstraintValues::foresee_residuals(const MatX& states,
                                                                   const VecX& times) {
  return foresee(problem_.has_velocity() ? Ask::g | Ask::G | Ask::g_t : Ask::g, states, times);
}

std::unique_ptr<ForeseenTerms> ConstraintValues::foresee_GB(const MatX& states, const VecX& times) {
  return foresee(is_multibody() ? Ask::M | Ask::G : Ask::B | Ask::G, states, times);
}

std::unique_ptr<ForeseenTerms> ConstraintValues::foresee(Ask what, const MatX& states,
                                                         const VecX& times) {
  if (states.cols() < 2 || !calls_are_dear()) return nullptr;
  if (!ahead_) ahead_ = problem_.evaluation();
  const int count = static_cast<int>(states.cols());
  const MatX by_entries = states.transpose();
  const double* const q = by_entries.data();
  const double* const v = problem_.has_velocity()
                              ? q + static_cast<std::ptrdiff_t>(problem_.sizes().nq) * count
                              : nullptr;
  const Points points{count, count, times.data(), q, v, nullptr};
  return std::make_unique<ForeseenTerms>(problem_, what, points, ahead_->evaluate(what, points));
}

const Terms& ConstraintValues::at(Ask what, const VecX& state, double t) {
  const double* const v = problem_.has_velocity() ? state.data() + problem_.sizes().nq : nullptr;
  return evaluation_->evaluate(what, Points{1, 1, &t, state.data(), v, nullptr});
}

/// G v + g_t.
VecX ConstraintValues::rate(const Terms& terms, const VecX& v) const {
  const Sizes& n = problem_.sizes();
  VecX rate(n.nl());
  if (terms.chain != nullptr) {
    apply(*terms.chain, v, rate);
  } else if (terms.joints != nullptr) {
    apply(*terms.joints, v, rate);
  } else if (terms.sparse != nullptr) {
    apply(*terms.sparse, v, rate);
  } else {
    rate.noalias() = Eigen::Map<const MatX>(terms.G, n.nl(), n.nq) * v;
  }
  return rate + Eigen::Map<const VecX>(terms.g_t, n.nl());
}

/// nq x nl.
MatX ConstraintValues::transposed_jacobian(const Terms& terms) const {
  const Sizes& n = problem_.sizes();
  if (terms.G != nullptr) return Eigen::Map<const MatX>(terms.G, n.nl(), n.nq).transpose();
  if (terms.sparse != nullptr) return terms.sparse->dense().transpose();
  MatX transposed(n.nq, n.nl());
  VecX column(n.nq);
  for (int j = 0; j < n.nl(); ++j) {
    const VecX unit = VecX::Unit(n.nl(), j);
    if (terms.chain != nullptr) {
      apply_transposed(*terms.chain, unit, column);
    } else {
      apply_transposed(*terms.joints, unit, column);
    }
    transposed.col(j) = column;
  }
  return transposed;
}

}  // namespace daewave::bvp
