#pragma once
// Solving with a bordered almost block diagonal matrix: one interface, several factorizations.

#include <memory>
#include <string>
#include <vector>

#include "core/babd_matrix.hpp"
#include "core/types.hpp"

namespace daewave {

/// How a factorization went; `usable` is false at a pivot that is zero or not finite.
struct FactorStatus {
  bool usable = true;
  std::string message;
};

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

  /// Memory of the factors in bytes.
  virtual double bytes() const = 0;
};

/// Names in order of preference; "umfpack" only where the library was built with it.
const std::vector<std::string>& linear_solver_names();

/// @param name  one of linear_solver_names().
/// @throws InvalidOption naming the known solvers.
std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name);

/// @throws InvalidOption unless `name` is known or "auto".
void check_linear_solver_name(const std::string& name);

std::unique_ptr<LinearSolver> make_block_lu();
std::unique_ptr<LinearSolver> make_block_qr();
std::unique_ptr<LinearSolver> make_eigen_lu();
std::unique_ptr<LinearSolver> make_umfpack();

}  // namespace daewave
