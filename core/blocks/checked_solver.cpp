#include "core/blocks/checked_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/not_finite.hpp"

namespace daewave {

CheckedSolver::CheckedSolver(const std::string& name, const SolverSetting& setting,
                             LinearSolverMaker make)
    : setting_(setting), make_(std::move(make)) {
  check_linear_solver_name(name);
  check(setting);
  report_.asked = name;
}

const Executor& CheckedSolver::executor() const {
  return setting_.executor != nullptr ? *setting_.executor : serial_;
}

bool CheckedSolver::factorize(const BabdMatrix& matrix) {
  matrix_ = &matrix;
  doubtful_ = false;
  structure_ = {matrix.block_size(), matrix.intervals(), order_conditions(matrix.B0, matrix.B1)};
  queue_.clear();
  if (matrix.share.ranks != nullptr) {
    // Of others each rank would need the whole.
    queue_.push_back("parallel_block");
    return factorize_next("");
  }
  if (report_.asked == "auto") {
    const bool coupled = structure_.conditions.coupled;
    const bool threads_pay = setting_.executor != nullptr && large_enough_for_partitions(matrix);
    if (setting_.partitions > 0 || threads_pay) queue_.push_back("parallel_block");
    queue_.push_back(coupled ? "block_qr" : "block_lu");
  } else {
    queue_.push_back(report_.asked);
  }
  if (queue_.back() != "block_qr") {
    queue_.push_back("block_qr");
  } else if (report_.asked == "auto") {
    // Reflections lose a mode that grows beyond 1 / rounding from the left end; pivoting keeps it.
    queue_.push_back("block_lu");
  }
  return factorize_next("");
}

void CheckedSolver::prepare(const std::string& name) {
  used_ = 0;
  while (used_ < prepared_.size() && prepared_[used_].name != name) ++used_;
  const bool is_new = used_ == prepared_.size();
  if (is_new) prepared_.push_back({name, make_(name, setting_), {}});
  Prepared& prepared = prepared_[used_];
  if (!is_new && prepared.structure == structure_) return;
  prepared.solver->analyze(*matrix_);
  prepared.structure = structure_;
  ++report_.analyses;
}

double CheckedSolver::bytes() const {
  double sum = matrix_->bytes();
  for (const Prepared& prepared : prepared_) sum += prepared.solver->bytes();
  return sum;
}

bool CheckedSolver::factorize_next(const std::string& reason) {
  std::string why = reason;
  while (true) {
    if (!why.empty()) report_.tried.push_back(fmt::format("{}: {}", at_hand().name(), why));
    if (queue_.empty()) {
      failure_ = why;
      return false;
    }
    prepare(queue_.front());
    queue_.erase(queue_.begin());
    const FactorStatus status = prepared_[used_].solver->factorize(*matrix_);
    proven_ = false;
    proven_residual_ = 0;
    ++report_.factorizations;
    report_.used = at_hand().name();
    report_.bytes_per_interval = bytes() / matrix_->intervals();
    why = status.usable ? undetermined() : status.message;
    doubtful_ = doubtful_ || !why.empty();
    if (why.empty()) return true;
  }
}

std::string CheckedSolver::undetermined() {
  const int n = matrix_->block_size();
  VecX right = VecX::Zero(matrix_->rows()), seen = VecX::Zero(n);
  for (int i = 0; i < n; ++i) {
    const VecX entries = matrix_->B0.row(i).cwiseAbs().cwiseMax(matrix_->B1.row(i).cwiseAbs());
    // Of the size of the condition, whose units say nothing of what it determines.
    const double unit = entries.maxCoeff();
    right[right.size() - n + i] = unit / (1 + 0.37 * i);
    if (unit > 0) seen = seen.cwiseMax(entries / unit);
  }
  // Nor do those of a component: what conditions see little of moves far where they are changed.
  seen = (seen.array() > 0).select(seen, 1);
  // Where another solver met rounding in place of a pivot, one that passes over it finds something,
  // which is no solution.
  constexpr double solved = 1e-6;
  if (doubtful_ && !(residual_of(right) < solved)) {
    return "the boundary conditions depend on each other: there is no solution for others of the "
           "same form";
  }
  at_hand().solve(right, candidate_);
  const auto [first_node, last_node] = matrix_->ends_of(candidate_);
  const double first = first_node.cwiseProduct(seen).cwiseAbs().maxCoeff();
  const double last = last_node.cwiseProduct(seen).cwiseAbs().maxCoeff();
  if (std::min(first, last) < 1e14) return "";
  return fmt::format(
      "the boundary conditions do not determine the solution: a change of one in them moves both "
      "ends of it by {:.0e}",
      std::min(first, last));
}

double CheckedSolver::residual_of(const VecX& right) {
  const int n = matrix_->block_size();
  VecX u;
  refine(right, u);
  matrix_->residual(right, u, residual_, executor());
  const double size = matrix_->share.largest(u.cwiseAbs().maxCoeff());
  // A solution that decays from both ends is nothing but rounding where it is small.
  double worst = 0;
  const auto add = [&](Eigen::Index row, double unit) {
    const double here = std::abs(residual_[row]), scale = unit * size + std::abs(right[row]);
    if (!std::isnan(worst) && !(here <= worst * scale)) worst = here / scale;
  };
  for (int i = 0; i < matrix_->intervals(); ++i) {
    for (int r = 0; r < n; ++r) {
      double unit = 0;
      for (int c = 0; c < n; ++c) {
        const int entry = r * n + c;
        unit = std::max({unit, std::abs(matrix_->S(i)[entry]), std::abs(matrix_->R(i)[entry])});
      }
      add(static_cast<Eigen::Index>(i) * n + r, unit);
    }
  }
  for (int r = 0; r < n; ++r) add(right.size() - n + r, std::abs(right[right.size() - n + r]));
  return matrix_->share.largest(worst);
}

CheckedResult CheckedSolver::solve(const VecX& right, VecX& u) {
  while (true) {
    const CheckedResult result = refine(right, u);
    ++report_.solves;
    report_.refinements += result.refinements;
    proven_residual_ = std::max(proven_residual_, result.residual);
    const bool no_row_is_lost = result.row_error <= lost;
    proven_ = result.accepted && result.refinements == 0 && no_row_is_lost;
    // Where there is no other solver, what is lost may be nothing but rounding.
    if (result.accepted && (no_row_is_lost || queue_.empty())) {
      report_.worst_residual = std::max(report_.worst_residual, result.residual);
      return result;
    }
    const std::string why =
        result.accepted
            ? fmt::format("a row is off by {:.1e} of its terms", result.row_error)
            : fmt::format("backward error {:.1e} exceeds {:.0e}", result.residual, acceptable);
    if (!factorize_next(why)) {
      report_.worst_residual = std::max(report_.worst_residual, result.residual);
      return result;
    }
  }
}

CheckedResult CheckedSolver::solve_further(const VecX& right, VecX& u) {
  if (!proven_) return solve(right, u);
  at_hand().solve(right, u);
  ++report_.solves;
  return {.accepted = true, .residual = proven_residual_};
}

/// 0 where no row can be lost beside others: components are alike.
double CheckedSolver::row_error(const VecX& right, const VecX& u) const {
  constexpr double alike = 1e5;
  const VecX sizes = matrix_->sizes_of(u);
  const double largest = sizes.maxCoeff();
  const auto is_small = [&](double size) { return size > 0 && size * alike < largest; };
  if (!std::any_of(sizes.begin(), sizes.end(), is_small)) return 0;
  return matrix_->row_error(right, u, sizes, residual_, executor());
}

CheckedResult CheckedSolver::refine(const VecX& right, VecX& u) {
  constexpr double rounding_level = 4e-15, row_level = 1e-9;
  constexpr int most = 3;
  // Of both, in units in which rounding is 1.
  const auto size_of = [](const CheckedResult& result) {
    return larger(result.residual / rounding_level, result.row_error / row_level);
  };
  CheckedResult result;
  at_hand().solve(right, u);
  result.residual = matrix_->residual(right, u, residual_, executor());
  result.row_error = row_error(right, u);
  while (size_of(result) > 1 && result.refinements < most) {
    at_hand().solve(residual_, correction_);
    candidate_ = u + correction_;
    CheckedResult improved = result;
    improved.residual = matrix_->residual(right, candidate_, residual_, executor());
    improved.row_error = row_error(right, candidate_);
    ++result.refinements;
    improved.refinements = result.refinements;
    if (!(size_of(improved) < size_of(result))) break;
    const bool stalled = size_of(improved) > 0.5 * size_of(result);
    result = improved;
    u.swap(candidate_);
    if (stalled) break;
  }
  result.accepted = result.residual <= acceptable;
  return result;
}

}  // namespace daewave
