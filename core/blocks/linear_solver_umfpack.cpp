// UMFPACK on the compressed columns: the reference among the solvers.
//
// The unsymmetric strategy with the natural column order suits a matrix that is nearly banded
// already; the symbolic analysis is kept for as long as the pattern stays the same.

#include <umfpack.h>

#include <Eigen/Core>

#include "core/blocks/linear_solver.hpp"
#include "core/blocks/sparse_columns.hpp"

namespace daewave {
namespace {

class Umfpack final : public LinearSolver {
 public:
  Umfpack() = default;
  Umfpack(const Umfpack&) = delete;
  Umfpack& operator=(const Umfpack&) = delete;
  ~Umfpack() override {
    umfpack_dl_free_numeric(&numeric_);
    umfpack_dl_free_symbolic(&symbolic_);
  }

  const char* name() const override { return "umfpack"; }

  void analyze(const BabdMatrix& matrix) override {
    umfpack_dl_defaults(control_);
    control_[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC;
    control_[UMFPACK_FIXQ] = 1;
    columns_.assign(matrix);
    analyze_pattern();
  }

  FactorStatus factorize(const BabdMatrix& matrix) override {
    if (columns_.assign(matrix)) analyze_pattern();
    if (symbolic_ == nullptr) return {false, "UMFPACK: symbolic analysis failed"};
    umfpack_dl_free_numeric(&numeric_);
    double info[UMFPACK_INFO];
    const auto status = umfpack_dl_numeric(starts(), rows(), columns_.values.data(), symbolic_,
                                           &numeric_, control_, info);
    bytes_ = info[UMFPACK_NUMERIC_SIZE] * info[UMFPACK_SIZE_OF_UNIT];
    if (status == UMFPACK_WARNING_singular_matrix) return {false, "UMFPACK: singular matrix"};
    if (status != UMFPACK_OK) {
      return {false, "UMFPACK: numeric factorization failed with status " + std::to_string(status)};
    }
    return {};
  }

  void solve(const VecX& right, VecX& u) const override {
    u.resize(right.size());
    umfpack_dl_solve(UMFPACK_A, starts(), rows(), columns_.values.data(), u.data(), right.data(),
                     numeric_, control_, nullptr);
  }

  double bytes() const override {
    return bytes_ + 16.0 * static_cast<double>(columns_.rows.size());
  }

 private:
  const SuiteSparse_long* starts() const {
    return reinterpret_cast<const SuiteSparse_long*>(columns_.starts.data());
  }
  const SuiteSparse_long* rows() const {
    return reinterpret_cast<const SuiteSparse_long*>(columns_.rows.data());
  }

  void analyze_pattern() {
    umfpack_dl_free_symbolic(&symbolic_);
    const auto size = static_cast<SuiteSparse_long>(columns_.starts.size()) - 1;
    std::vector<SuiteSparse_long> natural(static_cast<std::size_t>(size));
    for (SuiteSparse_long j = 0; j < size; ++j) natural[static_cast<std::size_t>(j)] = j;
    const auto status = umfpack_dl_qsymbolic(size, size, starts(), rows(), columns_.values.data(),
                                             natural.data(), &symbolic_, control_, nullptr);
    if (status != UMFPACK_OK) symbolic_ = nullptr;
  }

  static_assert(sizeof(SuiteSparse_long) == sizeof(std::int64_t));

  SparseColumns columns_;
  void* symbolic_ = nullptr;
  void* numeric_ = nullptr;
  double control_[UMFPACK_CONTROL] = {};
  double bytes_ = 0;
};

}  // namespace

std::unique_ptr<LinearSolver> make_umfpack() { return std::make_unique<Umfpack>(); }

}  // namespace daewave
