#include "large/flow/flow_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace daewave::flow {

using sparse::SparseMatrix;

FlowProblem::FlowProblem(FlowCase of, int columns, int rows, Convection convection)
    : case_(std::move(of)),
      grid_(columns, rows, case_.width, case_.height),
      convection_(convection),
      operators_(operators_of(grid_)) {
  const int n = grid_.unknowns();
  M_.resize(n, n);
  M_.setIdentity();
  G_ = -operators_.divergence.leftCols(n);
  viscous_ = case_.viscosity * operators_.laplacian.leftCols(n);
  if (convection_ == Convection::implicit) find_slots();
}

/// Entries of convection that nu L has not are put there as zeros.
void FlowProblem::find_slots() {
  std::vector<Eigen::Triplet<double>> places;
  const auto each = [&](const Flux& flux, auto function) {
    const int at[4] = {flux.a[0], flux.a[1], flux.b[0], flux.b[1]};
    for (int k = 0; k < 4; ++k) function(k, at[k]);
  };
  for (const Flux& flux : operators_.fluxes) {
    each(flux, [&](int, int column) {
      if (grid_.is_unknown(column)) places.emplace_back(flux.row, column, 0.0);
    });
  }
  SparseMatrix pattern(nx(), nx());
  pattern.setFromTriplets(places.begin(), places.end());
  viscous_ += pattern;
  viscous_.makeCompressed();
  for (const Flux& flux : operators_.fluxes) {
    std::array<int, 4> slots{-1, -1, -1, -1};
    each(flux, [&](int k, int column) {
      if (!grid_.is_unknown(column)) return;
      const int* const first = viscous_.innerIndexPtr() + viscous_.outerIndexPtr()[column];
      const int* const last = viscous_.innerIndexPtr() + viscous_.outerIndexPtr()[column + 1];
      slots[static_cast<std::size_t>(k)] =
          static_cast<int>(std::lower_bound(first, last, flux.row) - viscous_.innerIndexPtr());
    });
    slots_.push_back(slots);
  }
}

void FlowProblem::complete(const VecX& x, double t, VecX& z) const {
  z.resize(grid_.velocities());
  z.head(nx()) = x;
  for (int k = nx(); k < grid_.velocities(); ++k) {
    const StaggeredGrid::Place at = grid_.place(k);
    z[k] = at.is_u ? case_.u(at.x, at.y, t) : case_.v(at.x, at.y, t);
  }
}

VecX FlowProblem::start() const { return case_.exact ? exact_x(0) : VecX(VecX::Zero(nx())); }

VecX FlowProblem::exact_x(double t) const {
  VecX x(nx());
  for (int k = 0; k < nx(); ++k) {
    const StaggeredGrid::Place at = grid_.place(k);
    x[k] = at.is_u ? case_.u(at.x, at.y, t) : case_.v(at.x, at.y, t);
  }
  return x;
}

VecX FlowProblem::exact_y(double t) const {
  VecX y(ny());
  for (int j = 0; j < grid_.rows(); ++j) {
    for (int i = 0; i < grid_.columns(); ++i) {
      y[grid_.cell(i, j)] = case_.p((i + 0.5) * grid_.dx(), (j + 0.5) * grid_.dy(), t);
    }
  }
  return y.array() - y.mean();
}

double FlowProblem::default_h() const {
  return 0.5 * std::min(grid_.dx(), grid_.dy()) / case_.speed;
}

void FlowProblem::f(const VecX& x, double t, VecX& out) const {
  VecX z;
  complete(x, t, z);
  out = case_.viscosity * (operators_.laplacian * z);
  if (has_explicit()) return;
  VecX carried;
  flow::convection(operators_.fluxes, z, nx(), carried);
  out -= carried;
}

void FlowProblem::f_jacobian(const VecX& x, double t, SparseMatrix& out) const {
  out = viscous_;
  if (has_explicit()) return;
  VecX z;
  complete(x, t, z);
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const Flux& flux = operators_.fluxes[k];
    const double by_a = -flux.factor * (z[flux.b[0]] + z[flux.b[1]]);
    const double by_b = -flux.factor * (z[flux.a[0]] + z[flux.a[1]]);
    const double by[4] = {by_a, by_a, by_b, by_b};
    for (std::size_t n = 0; n < 4; ++n) {
      if (slots_[k][n] >= 0) out.valuePtr()[slots_[k][n]] += by[n];
    }
  }
}

void FlowProblem::e(const VecX& x, double t, VecX& out) const {
  if (!has_explicit()) {
    out.setZero(nx());
    return;
  }
  VecX z;
  complete(x, t, z);
  flow::convection(operators_.fluxes, z, nx(), out);
  out = -out;
}

void FlowProblem::g(const VecX& x, double t, VecX& out) const {
  VecX z;
  complete(x, t, z);
  out.noalias() = -(operators_.divergence * z);
}

void FlowProblem::G(const VecX&, double, SparseMatrix& out) const { out = G_; }

std::string FlowProblem::advice(double h) const {
  if (!has_explicit()) return fmt::format("take a shorter step than h = {:g}, or more cells", h);
  const double through_cell = 2 * default_h();
  if (h > through_cell) {
    return fmt::format(
        "extrapolated convection bears steps of about {:g}, the time through a cell; take h there, "
        "or implicit convection, of method srm",
        through_cell);
  }
  return fmt::format(
      "h = {:g} is no longer than {:g}, the time through a cell, and shorter steps hardly help; "
      "take implicit convection, of method srm, or more cells: what these do not resolve grows "
      "where viscosity is small",
      h, through_cell);
}

}  // namespace daewave::flow
