// UMFPACK, which chooses its order and strategy by the pattern and, once, by the values.

#include <umfpack.h>

#include <string>

#include "sparse/factors.hpp"
#include "sparse/pattern_memory.hpp"

namespace daewave::sparse {
namespace {

class Umfpack final : public Factors {
 public:
  Umfpack() { umfpack_di_defaults(control_); }
  Umfpack(const Umfpack&) = delete;
  Umfpack& operator=(const Umfpack&) = delete;
  ~Umfpack() override {
    umfpack_di_free_numeric(&numeric_);
    umfpack_di_free_symbolic(&symbolic_);
  }

  const char* name() const override { return "UMFPACK"; }

  std::string factorize(const SparseMatrix& matrix) override {
    matrix_ = matrix;
    const int n = static_cast<int>(matrix_.rows());
    if (pattern_.changes_to(matrix_)) {
      umfpack_di_free_symbolic(&symbolic_);
      umfpack_di_symbolic(n, n, matrix_.outerIndexPtr(), matrix_.innerIndexPtr(),
                          matrix_.valuePtr(), &symbolic_, control_, nullptr);
      ++analyses_;
    }
    if (symbolic_ == nullptr) return "UMFPACK: symbolic analysis failed";
    umfpack_di_free_numeric(&numeric_);
    double info[UMFPACK_INFO] = {};
    const int status = umfpack_di_numeric(matrix_.outerIndexPtr(), matrix_.innerIndexPtr(),
                                          matrix_.valuePtr(), symbolic_, &numeric_, control_, info);
    bytes_ = info[UMFPACK_NUMERIC_SIZE] * info[UMFPACK_SIZE_OF_UNIT];
    entries_ = info[UMFPACK_LNZ] + info[UMFPACK_UNZ];
    work_index_.resize(static_cast<std::size_t>(n));
    work_.resize(static_cast<std::size_t>(5 * n));
    if (status == UMFPACK_WARNING_singular_matrix) return "UMFPACK: singular matrix";
    if (status != UMFPACK_OK) return "UMFPACK: factorization ended with " + std::to_string(status);
    return {};
  }

  void solve(const VecX& b, VecX& x) override {
    x.resize(b.size());
    umfpack_di_wsolve(UMFPACK_A, matrix_.outerIndexPtr(), matrix_.innerIndexPtr(),
                      matrix_.valuePtr(), x.data(), b.data(), numeric_, control_, nullptr,
                      work_index_.data(), work_.data());
  }

  double bytes() const override {
    return bytes_ + 12.0 * static_cast<double>(matrix_.nonZeros()) + pattern_.bytes() +
           44.0 * static_cast<double>(matrix_.rows());
  }
  double entries() const override { return entries_; }

 private:
  SparseMatrix matrix_;  ///< Solves refine with it.
  void* symbolic_ = nullptr;
  void* numeric_ = nullptr;
  double control_[UMFPACK_CONTROL] = {};
  double bytes_ = 0, entries_ = 0;
  std::vector<int> work_index_;
  std::vector<double> work_;
  PatternMemory pattern_;
};

}  // namespace

std::unique_ptr<Factors> lu() { return std::make_unique<Umfpack>(); }

}  // namespace daewave::sparse
