#pragma once
// A linear DAE with its type erased: what the solvers, compiled once, see of a problem.
//
// Types are erased per batch of points and never per point, so a problem with fixed sizes keeps
// its inlined mathematics.

#include <memory>
#include <string>
#include <vector>

#include "core/problem/boundary.hpp"
#include "core/problem/linear_problem.hpp"
#include "core/types.hpp"

namespace daewave {

/// Coefficients of x' = A x - B y + q, 0 = C x + r at a number of points, contiguous per point.
class CoefficientBatch {
 public:
  using MatrixView = Eigen::Map<const MatX>;
  using VectorView = Eigen::Map<const VecX>;

  CoefficientBatch(int nx, int ny, bool with_derivatives);

  void resize(int points);
  int points() const { return points_; }
  int stride() const { return stride_; }
  bool with_derivatives() const { return with_derivatives_; }

  MatrixView A(int i) const { return {at(i), nx_, nx_}; }
  MatrixView B(int i) const { return {at(i) + B_, nx_, ny_}; }
  VectorView q(int i) const { return {at(i) + q_, nx_}; }
  MatrixView C(int i) const { return {at(i) + C_, ny_, nx_}; }
  VectorView r(int i) const { return {at(i) + r_, ny_}; }
  MatrixView C_t(int i) const { return {at(i) + C_t_, ny_, nx_}; }
  VectorView r_t(int i) const { return {at(i) + r_t_, ny_}; }

  /// Writable memory of point i in the order A, B, q, C, r, C_t, r_t, each column-major.
  double* data(int i) { return values_.data() + static_cast<std::size_t>(i) * stride_; }

  /// @throws InvalidProblem naming function, entry and t of the first value that is not finite.
  void check_finite(const double* t) const;

 private:
  const double* at(int i) const { return values_.data() + static_cast<std::size_t>(i) * stride_; }

  int nx_, ny_, points_ = 0;
  int B_, q_, C_, r_, C_t_, r_t_, stride_;
  bool with_derivatives_;
  std::vector<double> values_;
};

/// A problem of the concept LinearBvDae behind one virtual call per batch.
class LinearDae {
 public:
  virtual ~LinearDae() = default;

  int nx() const { return nx_; }
  int ny() const { return ny_; }
  const Interval& interval() const { return interval_; }
  const Boundary& boundary() const { return boundary_; }
  const std::string& name() const { return name_; }
  bool has_constraint_derivatives() const { return has_constraint_derivatives_; }

  /// Fills the batch, resized to `count`, at t[0..count).
  /// @throws InvalidProblem for wrong shapes and for values that are not finite.
  void evaluate(const double* t, int count, CoefficientBatch& batch) const;

  /// C and r at one t. @throws InvalidProblem as above.
  void evaluate_constraint(double t, Eigen::Ref<MatX> C, Eigen::Ref<VecX> r) const;

 protected:
  virtual void fill(const double* t, int count, CoefficientBatch& batch) const = 0;
  virtual void fill_constraint(double t, double* C, double* r) const = 0;

  int nx_ = 0, ny_ = 0;
  Interval interval_;
  Boundary boundary_;
  std::string name_;
  bool has_constraint_derivatives_ = false;
};

namespace detail {

/// @throws InvalidProblem
[[noreturn]] void refuse_shape(const char* function, double t, long rows, long columns,
                               int expected_rows, int expected_columns);

/// Copies a returned matrix to `target` after checking its run-time shape.
template <class M>
void store(const char* function, double t, const M& value, int rows, int columns, double* target) {
  if (value.rows() != rows || value.cols() != columns) {
    refuse_shape(function, t, value.rows(), value.cols(), rows, columns);
  }
  using Plain = typename M::PlainObject;
  Eigen::Map<Plain>(target, value.rows(), value.cols()) = value;
}

template <LinearBvDae P>
class ErasedLinearDae final : public LinearDae {
 public:
  explicit ErasedLinearDae(P problem) : problem_(std::move(problem)) {
    interval_ = problem_.interval();
    boundary_ = problem_.boundary();
    const auto B = problem_.B(interval_.begin).eval();
    nx_ = static_cast<int>(B.rows());
    ny_ = static_cast<int>(B.cols());
    if constexpr (HasName<P>) name_ = problem_.name();
    has_constraint_derivatives_ = HasConstraintDerivatives<P>;
  }

 protected:
  void fill(const double* t, int count, CoefficientBatch& batch) const override {
    for (int i = 0; i < count; ++i) {
      double* out = batch.data(i);
      if constexpr (HasCoefficients<P>) {
        const auto all = problem_.coefficients(t[i]);
        out = put("A", t[i], all.A, nx_, nx_, out);
        out = put("B", t[i], all.B, nx_, ny_, out);
        out = put("q", t[i], all.q, nx_, 1, out);
        out = put("C", t[i], all.C, ny_, nx_, out);
        out = put("r", t[i], all.r, ny_, 1, out);
        if constexpr (HasFusedDerivatives<P>) {
          if (!batch.with_derivatives()) continue;
          out = put("C_t", t[i], all.C_t, ny_, nx_, out);
          put("r_t", t[i], all.r_t, ny_, 1, out);
          continue;
        }
      } else {
        out = put("A", t[i], problem_.A(t[i]), nx_, nx_, out);
        out = put("B", t[i], problem_.B(t[i]), nx_, ny_, out);
        out = put("q", t[i], problem_.q(t[i]), nx_, 1, out);
        out = put("C", t[i], problem_.C(t[i]), ny_, nx_, out);
        out = put("r", t[i], problem_.r(t[i]), ny_, 1, out);
      }
      if constexpr (HasConstraintDerivatives<P>) {
        if (batch.with_derivatives()) {
          out = put("C_t", t[i], problem_.C_t(t[i]), ny_, nx_, out);
          put("r_t", t[i], problem_.r_t(t[i]), ny_, 1, out);
        }
      }
    }
  }

  void fill_constraint(double t, double* C, double* r) const override {
    put("C", t, problem_.C(t), ny_, nx_, C);
    put("r", t, problem_.r(t), ny_, 1, r);
  }

 private:
  template <class M>
  static double* put(const char* function, double t, const M& value, int rows, int columns,
                     double* target) {
    store(function, t, value, rows, columns, target);
    return target + rows * columns;
  }

  P problem_;
};

}  // namespace detail

/// Copies the problem behind the interface of the solvers.
/// @throws InvalidProblem for an interval that is empty or not finite and for impossible sizes.
template <LinearBvDae P>
std::shared_ptr<const LinearDae> erase(P problem);

/// Checks interval and sizes. @throws InvalidProblem
void check_sizes(const LinearDae& problem);

template <LinearBvDae P>
std::shared_ptr<const LinearDae> erase(P problem) {
  auto erased = std::make_shared<const detail::ErasedLinearDae<P>>(std::move(problem));
  check_sizes(*erased);
  return erased;
}

}  // namespace daewave
