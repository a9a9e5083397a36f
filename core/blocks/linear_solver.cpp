#include "core/blocks/linear_solver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/not_finite.hpp"

namespace daewave {

MatX LinearSolver::sizes_by_conditions(const MatX& conditions, int rows) const {
  const Eigen::Index n = conditions.rows();
  MatX sizes(n, conditions.cols());
  VecX right = VecX::Zero(rows), u;
  for (Eigen::Index c = 0; c < conditions.cols(); ++c) {
    right.tail(n) = conditions.col(c);
    solve(right, u);
    const Eigen::Map<const MatX> nodes(u.data(), n, u.size() / n);
    for (Eigen::Index r = 0; r < n; ++r) sizes(r, c) = largest_size(nodes.row(r));
  }
  return sizes;
}

const std::vector<std::string>& linear_solver_names() {
  static const std::vector<std::string> names{"block_lu", "block_qr", "parallel_block",
#ifdef DAEWAVE_WITH_UMFPACK
                                              "umfpack",
#endif
                                              "eigen"};
  return names;
}

void check_linear_solver_name(const std::string& name) {
  const auto& names = linear_solver_names();
  if (name == "auto" || std::find(names.begin(), names.end(), name) != names.end()) return;
  throw InvalidOption(fmt::format("linear_solver = \"{}\"; known: auto, {}{}", name,
                                  fmt::join(names, ", "),
                                  name == "umfpack" ? " (this build is without UMFPACK)" : ""));
}

void check(const SolverSetting& setting) {
  if (setting.partitions >= 0) return;
  throw InvalidOption(fmt::format(
      "partitions = {}: must be >= 1, or 0 for as many as serve the matrix", setting.partitions));
}

bool large_enough_for_partitions(const BabdMatrix& matrix) {
  // Multiplications, about; see bench/parallel_block.cpp.
  constexpr double enough = 2e6;
  const double n = matrix.block_size();
  return matrix.intervals() * (1.5 * n + 8) * n * n >= enough;
}

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name,
                                                 const SolverSetting& setting) {
  check_linear_solver_name(name);
  check(setting);
  if (name == "parallel_block") return make_parallel_block(setting);
  if (name == "block_qr") return make_block_qr();
  if (name == "eigen") return make_eigen_lu();
#ifdef DAEWAVE_WITH_UMFPACK
  if (name == "umfpack") return make_umfpack();
#endif
  return make_block_lu();
}

}  // namespace daewave
