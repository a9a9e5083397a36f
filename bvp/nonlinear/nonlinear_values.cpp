#include "bvp/nonlinear/nonlinear_values.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>

#include "bvp/statement/constraint_values.hpp"

namespace daewave::bvp {
namespace {

using Factors = Eigen::ColPivHouseholderQR<MatX>;

double smallest_pivot(const Factors& factors) {
  return factors.matrixQR().diagonal().cwiseAbs().minCoeff();
}

}  // namespace

NonlinearValues::NonlinearValues(DaeProblemPtr problem, CollocationCurve curve,
                                 const Regularization& form, int iterates, MeshShare share)
    : problem_(std::move(problem)),
      curve_(std::move(curve)),
      share_(std::move(share)),
      form_(form),
      iterates_(iterates) {
  if (!carries_By()) return;
  constexpr int samples = 200;
  ConstraintValues constraints(*problem_);
  const int intervals = curve_.mesh().intervals();
  const int all = share_.is_shared() ? share_.all : intervals;
  const int apart = std::max(1, all / samples);  // Nodes of the whole mesh.
  share_.together([&] {
    const int before = share_.first % apart;
    for (int i = before > 0 ? apart - before : 0; i <= intervals; i += apart) {
      const Factors factors(constraints.B(curve_.values().x.col(i), curve_.mesh().node(i)));
      B_reference_ = std::max(B_reference_, smallest_pivot(factors));
    }
  });
  B_reference_ = share_.largest(B_reference_);
}

bool NonlinearValues::is_constrained() const { return problem_->sizes().ny > 0; }

bool NonlinearValues::carries_By() const {
  return is_constrained() && daewave::carries_By(form_.variant);
}

Regularization NonlinearValues::regularization() const { return form_; }

VecX NonlinearValues::x(int i, double t) const {
  return curve_.x_in(i, (t - curve_.mesh().node(i)) / curve_.mesh().step(i));
}

VecX NonlinearValues::carried(int i, double t) const {
  return curve_.carried_in(i, (t - curve_.mesh().node(i)) / curve_.mesh().step(i));
}

VecX NonlinearValues::By(int i, double t) const {
  if (carries_By()) return carried(i, t);
  if (!is_constrained() || form_.variant == Variant::invariant_reduced) return VecX(0);
  return ConstraintValues(*problem_).B(x(i, t), t) * carried(i, t);
}

std::optional<VecX> NonlinearValues::y(int i, double t) const {
  if (!carries_By()) {
    if (is_constrained() && form_.variant == Variant::invariant_reduced) return {};
    return carried(i, t);
  }
  const Factors factors(ConstraintValues(*problem_).B(x(i, t), t));
  if (!(smallest_pivot(factors) > 1e-8 * B_reference_)) return {};
  return VecX(factors.solve(VecX(carried(i, t))));
}

VecX NonlinearValues::constraint_residual(int i, double t) const {
  ConstraintValues constraints(*problem_);
  if (problem_->sizes().nw > 0) return constraints.residual(x(i, t), carried(i, t), t);
  return constraints.residual(x(i, t), t);
}

Table NonlinearValues::table(const std::vector<double>& times) const {
  const int nx = static_cast<int>(curve_.values().x.rows());
  const int ny = static_cast<int>(curve_.values().carried.rows());
  const bool second_order = problem_->has_velocity();
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(nx + ny));
  for (const double t : times) {
    const VecX state = curve_.x(t), carried = curve_.carried(t);
    for (int j = 0; j < nx; ++j) columns[j].push_back(state[j]);
    for (int j = 0; j < ny; ++j) columns[nx + j].push_back(carried[j]);
  }
  Table table;
  table.add("t", times);
  const std::vector<std::string> own = problem_->state_names();
  const bool named = own.size() == static_cast<std::size_t>(nx);
  for (int j = 0; j < nx; ++j) {
    const int half = nx / 2;
    table.add(named           ? own[static_cast<std::size_t>(j)]
              : !second_order ? fmt::format("x{}", j + 1)
              : j < half      ? fmt::format("q{}", j + 1)
                              : fmt::format("v{}", j - half + 1),
              std::move(columns[j]));
  }
  const char* const name = carries_By() ? "By" : second_order ? "lambda" : "y";
  for (int j = 0; j < ny; ++j) {
    // A state may be called y1.
    table.add(free_name(table.names, fmt::format("{}{}", name, j + 1)), std::move(columns[nx + j]));
  }
  return table;
}

}  // namespace daewave::bvp
