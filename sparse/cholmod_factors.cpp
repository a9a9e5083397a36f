// CHOLMOD: supernodal where that pays, orders by AMD or METIS, whichever has less fill.

#include <cholmod.h>

#include <utility>

#include "sparse/factors.hpp"
#include "sparse/pattern_memory.hpp"

namespace daewave::sparse {
namespace {

class Cholmod final : public Factors {
 public:
  Cholmod() {
    cholmod_start(&common_);
    common_.print = 0;
    // What is not positive definite is told, not shown.
    common_.error_handler = nullptr;
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;
  ~Cholmod() override {
    cholmod_free_dense(&solution_, &common_);
    cholmod_free_dense(&first_work_, &common_);
    cholmod_free_dense(&second_work_, &common_);
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }

  const char* name() const override { return "CHOLMOD"; }

  std::string factorize(const SparseMatrix& matrix) override {
    cholmod_sparse view = view_of(matrix);
    if (pattern_.changes_to(matrix)) {
      cholmod_free_factor(&factor_, &common_);
      factor_ = cholmod_analyze(&view, &common_);
      ++analyses_;
    }
    if (factor_ == nullptr) return "CHOLMOD: out of memory";
    cholmod_factorize(&view, factor_, &common_);
    if (common_.status == CHOLMOD_NOT_POSDEF) return "CHOLMOD: the matrix is not positive definite";
    if (common_.status < CHOLMOD_OK) return "CHOLMOD: out of memory";
    return {};
  }

  void solve(const VecX& b, VecX& x) override {
    cholmod_dense right{};
    right.nrow = right.nzmax = right.d = static_cast<std::size_t>(b.size());
    right.ncol = 1;
    right.x = const_cast<double*>(b.data());
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    cholmod_solve2(CHOLMOD_A, factor_, &right, nullptr, &solution_, nullptr, &first_work_,
                   &second_work_, &common_);
    x = Eigen::Map<const VecX>(static_cast<const double*>(solution_->x), b.size());
  }

  double bytes() const override {
    return static_cast<double>(common_.memory_inuse) + pattern_.bytes();
  }
  double entries() const override { return common_.lnz; }

 private:
  static cholmod_sparse view_of(const SparseMatrix& matrix) {
    cholmod_sparse view{};
    view.nrow = static_cast<std::size_t>(matrix.rows());
    view.ncol = static_cast<std::size_t>(matrix.cols());
    view.nzmax = static_cast<std::size_t>(matrix.nonZeros());
    view.p = const_cast<int*>(matrix.outerIndexPtr());
    view.i = const_cast<int*>(matrix.innerIndexPtr());
    view.x = const_cast<double*>(matrix.valuePtr());
    view.stype = -1;  // The lower triangle.
    view.itype = CHOLMOD_INT;
    view.xtype = CHOLMOD_REAL;
    view.dtype = CHOLMOD_DOUBLE;
    view.sorted = 1;
    view.packed = 1;
    return view;
  }

  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense* solution_ = nullptr;
  cholmod_dense* first_work_ = nullptr;
  cholmod_dense* second_work_ = nullptr;
  PatternMemory pattern_;
};

}  // namespace

std::unique_ptr<Factors> cholesky() { return std::make_unique<Cholmod>(); }

}  // namespace daewave::sparse
