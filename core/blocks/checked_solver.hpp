#pragma once
// A linear solver that is not believed: every solve is checked, refined and, if need be, repeated
// with the next solver; what happened stands in the report.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/blocks/linear_solver.hpp"
#include "core/report/report.hpp"

namespace daewave {

/// What one checked solve found.
struct CheckedResult {
  bool accepted = false;
  double residual = 0;  ///< Backward error of the worst block row, as BabdMatrix::residual.
  /// BabdMatrix::row_error() where components are of very different sizes, else 0.
  double row_error = 0;
  int refinements = 0;
};

/// As make_linear_solver(), and that where nothing else is given.
using LinearSolverMaker =
    std::function<std::unique_ptr<LinearSolver>(const std::string&, const SolverSetting&)>;

class CheckedSolver {
 public:
  /// Block-row backward error up to which an answer is accepted.
  static constexpr double acceptable = 1e-12;
  /// Of a row by itself, up to which another solver is not asked.
  static constexpr double lost = 1e-6;

  /// @param name  a solver name or "auto": block_lu for separated conditions, block_qr for coupled,
  ///             each with the other next in line; a solver asked for has block_qr next in line.
  ///             Before these, "auto" takes parallel_block where partitions are given, and where an
  ///             executor is and the matrix is large_enough_for_partitions(). Of a matrix that
  ///             ranks share it is parallel_block alone.
  /// @throws InvalidOption for an unknown name, or a negative number of partitions.
  explicit CheckedSolver(const std::string& name, const SolverSetting& setting = {},
                         LinearSolverMaker make = make_linear_solver);

  /// Factorizes, with the next solver in line where one fails. The matrix must outlive the solver.
  /// Each solver analyzes the first matrix of a structure only: of its block size and intervals,
  /// and of which conditions act at which end.
  /// @return false when none of them could.
  bool factorize(const BabdMatrix& matrix);

  /// Solves, refining until the residual is at rounding level or stops improving; falls back to the
  /// next solver when it stays above `acceptable`.
  CheckedResult solve(const VecX& right, VecX& u);

  /// The same for a further right side, for who would see a wrong solution by other means: where
  /// the factors at hand have needed no refinement so far, nothing is checked, and the residual is
  /// the worst that was met with them.
  CheckedResult solve_further(const VecX& right, VecX& u);

  /// One solve with the factors at hand, unchecked and uncounted, for estimates.
  void probe(const VecX& right, VecX& u) const { at_hand().solve(right, u); }
  /// The same of conditions alone: LinearSolver::sizes_by_conditions().
  MatX probe_conditions(const MatX& conditions) const {
    return at_hand().sizes_by_conditions(conditions, matrix_->rows());
  }

  const LinearSolveReport& report() const { return report_; }
  /// Why the last solver in line was given up; empty when it was not.
  const std::string& failure() const { return failure_; }

 private:
  struct Structure {
    int block_size = 0, intervals = 0;
    ConditionOrder conditions;
    bool operator==(const Structure&) const = default;
  };
  /// A solver, and what it is ready for.
  struct Prepared {
    std::string name;
    std::unique_ptr<LinearSolver> solver;
    Structure structure;
  };

  const LinearSolver& at_hand() const { return *prepared_[used_].solver; }
  /// The solver of that name, ready for the structure at hand.
  void prepare(const std::string& name);
  double bytes() const;
  bool factorize_next(const std::string& reason);
  /// Why the factors cannot be used although no pivot vanished; empty when they can. A singular
  /// matrix has answers of small residual to consistent right sides, which are as good as any; a
  /// mode that merely grows moves one end of the solution only.
  std::string undetermined();
  /// Of the factors at hand: what their solution is off, in units of its largest entry.
  double residual_of(const VecX& right);
  double row_error(const VecX& right, const VecX& u) const;
  CheckedResult refine(const VecX& right, VecX& u);

  const Executor& executor() const;

  SolverSetting setting_;
  LinearSolverMaker make_;
  Serial serial_;
  const BabdMatrix* matrix_ = nullptr;
  Structure structure_;  ///< Of matrix_.
  std::vector<std::string> queue_;
  // Also those that were given up: the next matrix begins with the first of the line again.
  std::vector<Prepared> prepared_;
  std::size_t used_ = 0;
  LinearSolveReport report_;
  std::string failure_;
  VecX residual_, correction_, candidate_;
  bool proven_ = false;  ///< The factors at hand have solved, without refinement.
  double proven_residual_ = 0;
  bool doubtful_ = false;  ///< A solver was given up that met no pivot, or hardly one.
};

}  // namespace daewave
