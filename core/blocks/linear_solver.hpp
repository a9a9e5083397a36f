#pragma once
// Solving with a bordered almost block diagonal matrix: one interface, several factorizations.

#include <memory>
#include <string>
#include <vector>

#include "core/blocks/babd_matrix.hpp"
#include "core/threads/executor.hpp"
#include "core/types.hpp"

namespace daewave {

/// How a factorization went; `usable` is false at a pivot that is zero or not finite.
struct FactorStatus {
  bool usable = true;
  std::string message{};
  int interval = -1;  ///< Of the pivot where it belongs to one, else -1.
};

/// What solvers that work in parallel go by; the others do without.
struct SolverSetting {
  const Executor* executor = nullptr;  ///< Null: serial. Not owned.
  /// Parts of parallel_block, each eliminated by itself; 0: as many as serve the matrix. More than
  /// its intervals are taken for as many.
  int partitions = 0;
};

/// @throws InvalidOption unless partitions >= 0.
void check(const SolverSetting& setting);

/// Whether eliminating in partitions on two threads takes less time than on one without.
bool large_enough_for_partitions(const BabdMatrix& matrix);

/// One way to factorize. Analyze once per mesh, factorize once per matrix, solve at will.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual const char* name() const = 0;

  /// Prepares memory (and symbolic structure, where there is one).
  virtual void analyze(const BabdMatrix& matrix) = 0;
  virtual FactorStatus factorize(const BabdMatrix& matrix) = 0;
  /// @param right  as in BabdMatrix::residual. @param u  resized to the rows of the matrix.
  virtual void solve(const VecX& right, VecX& u) const = 0;

  /// The largest size of each of the n entries of nodes, of those that are here, where nothing but
  /// conditions has a right side: n x the columns of `conditions`, each of which is one. Where a
  /// solver can, all of them in one pass over its factors.
  /// @param rows  of the matrix.
  virtual MatX sizes_by_conditions(const MatX& conditions, int rows) const;

  /// Memory of the factors in bytes.
  virtual double bytes() const = 0;
};

/// Names in order of preference; "umfpack" only where the library was built with it.
const std::vector<std::string>& linear_solver_names();

/// @param name  one of linear_solver_names().
/// @throws InvalidOption naming the known solvers, or for a negative number of partitions.
std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name,
                                                 const SolverSetting& setting = {});

/// @throws InvalidOption unless `name` is known or "auto".
void check_linear_solver_name(const std::string& name);

std::unique_ptr<LinearSolver> make_block_lu();
std::unique_ptr<LinearSolver> make_block_qr();
std::unique_ptr<LinearSolver> make_parallel_block(const SolverSetting& setting);
std::unique_ptr<LinearSolver> make_eigen_lu();
std::unique_ptr<LinearSolver> make_umfpack();

}  // namespace daewave
