#pragma once
// IDA on the stabilized index-2 system, with its dense solver or KLU.

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "bench/against_sundials/ggl_equations.hpp"
#include "bench/against_sundials/measurement.hpp"
#include "bench/against_sundials/sundials_handles.hpp"
#include "ivp/equations/multibody_equations.hpp"

namespace daewave::bench {

enum class IdaMatrix { dense, klu };

template <Multibody P>
class IdaSolver {
 public:
  /// @param newton  IDASetNonlinConvCoef.
  IdaSolver(const P& problem, IdaMatrix matrix, double newton = 0.33)
      : problem_(problem),
        matrix_kind_(matrix),
        newton_(newton),
        context_(make_context()),
        start_(problem.start()),
        nq_(static_cast<int>(start_.size() / 2)),
        nl_(static_cast<int>(problem.g(start_.head(nq_), problem.interval().begin).size())),
        equations_(problem, nq_, nl_) {
    if (matrix == IdaMatrix::klu) find_pattern();
  }

  Outcome run(double tolerance) {
    const int n = equations_.size();
    const Owner<N_Vector> y(N_VNew_Serial(n, context_.get())), slope(N_VClone(y.get())),
        differential(N_VClone(y.get())), atol(N_VClone(y.get()));
    consistent_start(N_VGetArrayPointer(y.get()), N_VGetArrayPointer(slope.get()));
    Eigen::Map<VecX> is_differential(N_VGetArrayPointer(differential.get()), n);
    is_differential.setZero();
    is_differential.head(equations_.differential()).setOnes();
    // Multipliers take no part in the error test, and must take none in the test of Newton's method
    // either: with the tolerance of q and v it fails on all cases but the pendulum.
    Eigen::Map<VecX> absolute(N_VGetArrayPointer(atol.get()), n);
    absolute.setConstant(loose);
    absolute.head(equations_.differential()).setConstant(tolerance);

    const IdaMemory ida(IDACreate(context_.get()));
    const auto [begin, end] = problem_.interval();
    must(IDASetErrHandlerFn(ida.get(), no_messages, nullptr), "IDASetErrHandlerFn");
    must(IDAInit(ida.get(), residual, begin, y.get(), slope.get()), "IDAInit");
    must(IDASVtolerances(ida.get(), tolerance, atol.get()), "IDASVtolerances");
    must(IDASetUserData(ida.get(), this), "IDASetUserData");
    must(IDASetId(ida.get(), differential.get()), "IDASetId");
    must(IDASetSuppressAlg(ida.get(), SUNTRUE), "IDASetSuppressAlg");
    must(IDASetMaxNumSteps(ida.get(), most_steps), "IDASetMaxNumSteps");
    must(IDASetStopTime(ida.get(), end), "IDASetStopTime");
    const Owner<SUNMatrix> matrix(make_matrix());
    const Owner<SUNLinearSolver> linear(
        matrix_kind_ == IdaMatrix::klu ? SUNLinSol_KLU(y.get(), matrix.get(), context_.get())
                                       : SUNLinSol_Dense(y.get(), matrix.get(), context_.get()));
    must(IDASetLinearSolver(ida.get(), linear.get(), matrix.get()), "IDASetLinearSolver");
    must(IDASetJacFn(ida.get(), jacobian), "IDASetJacFn");
    must(IDASetNonlinConvCoef(ida.get(), newton_), "IDASetNonlinConvCoef");

    double reached = begin;
    const int flag = IDASolve(ida.get(), end, &reached, y.get(), slope.get(), IDA_NORMAL);
    Outcome outcome;
    outcome.finished = flag >= 0;
    outcome.state = Eigen::Map<VecX>(N_VGetArrayPointer(y.get()), 2 * nq_);
    IDAGetNumResEvals(ida.get(), &outcome.evaluations);
    IDAGetNumJacEvals(ida.get(), &outcome.jacobians);
    IDAGetNumSteps(ida.get(), &outcome.steps);
    return outcome;
  }

 private:
  static constexpr double loose = 1e6;

  static int residual(double t, N_Vector y, N_Vector slope, N_Vector out, void* self) {
    static_cast<IdaSolver*>(self)->equations_.residual(
        t, N_VGetArrayPointer(y), N_VGetArrayPointer(slope), N_VGetArrayPointer(out));
    return 0;
  }

  static int jacobian(double t, double cj, N_Vector y, N_Vector slope, N_Vector, SUNMatrix matrix,
                      void* data, N_Vector, N_Vector, N_Vector) {
    auto& self = *static_cast<IdaSolver*>(data);
    const double* const at = N_VGetArrayPointer(y);
    const double* const rate = N_VGetArrayPointer(slope);
    if (self.matrix_kind_ == IdaMatrix::klu) {
      self.write_pattern(matrix);
      double* const values = SUNSparseMatrix_Data(matrix);
      std::fill(values, values + self.rows_.size(), 0.0);
      const int* place = self.places_.data();
      self.equations_.jacobian(t, cj, at, rate,
                               [&](int, int, double value) { values[*place++] += value; });
    } else {
      Eigen::Map<MatX> dense(SUNDenseMatrix_Data(matrix), self.equations_.size(),
                             self.equations_.size());
      dense.setZero();
      self.equations_.jacobian(t, cj, at, rate,
                               [&](int i, int j, double value) { dense(i, j) += value; });
    }
    return 0;
  }

  SUNMatrix make_matrix() const {
    const int n = equations_.size();
    if (matrix_kind_ != IdaMatrix::klu) return SUNDenseMatrix(n, n, context_.get());
    SUNMatrix matrix =
        SUNSparseMatrix(n, n, static_cast<sunindextype>(rows_.size()), CSC_MAT, context_.get());
    write_pattern(matrix);
    return matrix;
  }

  void write_pattern(SUNMatrix matrix) const {
    std::copy(columns_.begin(), columns_.end(), SUNSparseMatrix_IndexPointers(matrix));
    std::copy(rows_.begin(), rows_.end(), SUNSparseMatrix_IndexValues(matrix));
  }

  /// Compressed columns from the entries in the order they are given, and the place of each.
  void find_pattern() {
    const int n = equations_.size();
    VecX y = VecX::Zero(n), slope = VecX::Zero(n);
    consistent_start(y.data(), slope.data());
    std::vector<std::pair<int, int>> given;
    equations_.jacobian(problem_.interval().begin, 1, y.data(), slope.data(),
                        [&](int i, int j, double) { given.emplace_back(j, i); });
    std::vector<std::pair<int, int>> sorted = given;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    columns_.assign(n + 1, 0);
    for (const auto& [column, row] : sorted) {
      ++columns_[column + 1];
      rows_.push_back(row);
    }
    for (int j = 0; j < n; ++j) columns_[j + 1] += columns_[j];
    for (const auto& entry : given) {
      const auto found = std::lower_bound(sorted.begin(), sorted.end(), entry);
      places_.push_back(static_cast<int>(found - sorted.begin()));
    }
  }

  void consistent_start(double* y, double* slope) const {
    Eigen::Map<VecX> at(y, equations_.size()), rate(slope, equations_.size());
    at.setZero();
    rate.setZero();
    ivp::MultibodyEquations<P> equations(problem_, 1e-12);
    const typename P::Position q = start_.head(nq_), v = start_.tail(nq_);
    equations.evaluate(q, v, problem_.interval().begin);
    typename P::Position acceleration;
    MultiplierOf<P> lambda;
    equations.solve(-equations.terms().curvature, acceleration, lambda);
    at.head(2 * nq_) = start_;
    at.tail(nl_) = lambda;
    rate.head(nq_) = v;
    rate.segment(nq_, nq_) = acceleration;
  }

  const P& problem_;
  IdaMatrix matrix_kind_;
  double newton_;
  Owner<SUNContext> context_;
  VecX start_;
  int nq_, nl_;
  GglEquations<P> equations_;
  std::vector<sunindextype> columns_, rows_;
  std::vector<int> places_;
};

}  // namespace daewave::bench
