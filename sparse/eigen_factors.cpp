// Where daewave is built without SuiteSparse: Eigen's factorizations, slower by the lack of dense
// blocks and of nested dissection.

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <type_traits>

#include "sparse/factors.hpp"
#include "sparse/pattern_memory.hpp"

namespace daewave::sparse {
namespace {

template <class Method>
class EigenFactors final : public Factors {
  static constexpr bool symmetric =
      std::is_same_v<Method, Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower>>;

 public:
  const char* name() const override { return symmetric ? "Eigen's Cholesky" : "Eigen's LU"; }

  std::string factorize(const SparseMatrix& matrix) override {
    if (pattern_.changes_to(matrix)) {
      method_.analyzePattern(matrix);
      ++analyses_;
    }
    method_.factorize(matrix);
    if (method_.info() == Eigen::Success) return {};
    return symmetric ? "Eigen: the matrix is not positive definite" : "Eigen: singular matrix";
  }
  void solve(const VecX& b, VecX& x) override { x = method_.solve(b); }

  double bytes() const override { return 12 * entries() + pattern_.bytes(); }
  double entries() const override {
    if constexpr (symmetric) {
      return static_cast<double>(method_.matrixL().nestedExpression().nonZeros());
    } else {
      return static_cast<double>(method_.nnzL() + method_.nnzU());
    }
  }

 private:
  Method method_;
  PatternMemory pattern_;
};

}  // namespace

std::unique_ptr<Factors> cholesky() {
  return std::make_unique<EigenFactors<Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower>>>();
}
std::unique_ptr<Factors> lu() {
  return std::make_unique<EigenFactors<Eigen::SparseLU<SparseMatrix>>>();
}

}  // namespace daewave::sparse
