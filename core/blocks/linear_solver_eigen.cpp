// Eigen's supernodal SparseLU on the compressed columns, in natural order: the general sparse
// solver of builds without UMFPACK. (COLAMD can lose all accuracy on these matrices.)

#include <Eigen/SparseLU>
#include <limits>

#include "core/blocks/linear_solver.hpp"
#include "core/blocks/sparse_columns.hpp"
#include "core/error.hpp"

namespace daewave {
namespace {

class EigenLu final : public LinearSolver {
 public:
  const char* name() const override { return "eigen"; }

  void analyze(const BabdMatrix& matrix) override {
    analyze_pattern(matrix, columns_.assign(matrix));
  }

  FactorStatus factorize(const BabdMatrix& matrix) override {
    analyze_pattern(matrix, columns_.assign(matrix));
    std::copy(columns_.values.begin(), columns_.values.end(), matrix_.valuePtr());
    lu_.factorize(matrix_);
    if (lu_.info() != Eigen::Success) return {false, "Eigen SparseLU: " + lu_.lastErrorMessage()};
    return {};
  }

  void solve(const VecX& right, VecX& u) const override { u = lu_.solve(right); }

  double bytes() const override {
    return 12.0 * static_cast<double>(lu_.nnzL() + lu_.nnzU()) +
           24.0 * static_cast<double>(columns_.rows.size());
  }

 private:
  void analyze_pattern(const BabdMatrix& matrix, bool changed) {
    if (!changed && matrix_.rows() == matrix.rows()) return;
    if (columns_.rows.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      throw InvalidOption("linear_solver = \"eigen\": more than 2^31 entries; use block_lu");
    }
    matrix_.resize(matrix.rows(), matrix.rows());
    matrix_.resizeNonZeros(static_cast<Eigen::Index>(columns_.rows.size()));
    for (std::size_t j = 0; j < columns_.starts.size(); ++j) {
      matrix_.outerIndexPtr()[j] = static_cast<int>(columns_.starts[j]);
    }
    for (std::size_t k = 0; k < columns_.rows.size(); ++k) {
      matrix_.innerIndexPtr()[k] = static_cast<int>(columns_.rows[k]);
    }
    lu_.analyzePattern(matrix_);
  }

  SparseColumns columns_;
  Eigen::SparseMatrix<double> matrix_;
  mutable Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::NaturalOrdering<int>> lu_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_eigen_lu() { return std::make_unique<EigenLu>(); }

}  // namespace daewave
