#include "core/problem/linear_dae.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace daewave {

CoefficientBatch::CoefficientBatch(int nx, int ny, bool with_derivatives)
    : nx_(nx), ny_(ny), with_derivatives_(with_derivatives) {
  B_ = nx * nx;
  q_ = B_ + nx * ny;
  C_ = q_ + nx;
  r_ = C_ + ny * nx;
  C_t_ = r_ + ny;
  r_t_ = C_t_ + ny * nx;
  stride_ = with_derivatives ? r_t_ + ny : C_t_;
}

void CoefficientBatch::resize(int points) {
  points_ = points;
  const std::size_t size = static_cast<std::size_t>(points) * stride_;
  if (values_.size() < size) values_.resize(size);
}

void CoefficientBatch::check_finite(const double* t) const {
  // Of several sums, none waits for the other.
  const auto finite = [&](int from, int points) {
    const Eigen::Index count = static_cast<Eigen::Index>(points) * stride_;
    return (Eigen::Map<const Eigen::ArrayXd>(at(from), count) * 0.0).sum() == 0;
  };
  if (finite(0, points_)) return;
  for (int i = 0; i < points_; ++i) {
    if (finite(i, 1)) continue;
    struct Part {
      const char* name;
      int offset, rows, columns;
    };
    for (const Part& part : {Part{"A", 0, nx_, nx_}, Part{"B", B_, nx_, ny_}, Part{"q", q_, nx_, 1},
                             Part{"C", C_, ny_, nx_}, Part{"r", r_, ny_, 1},
                             Part{"C_t", C_t_, ny_, nx_}, Part{"r_t", r_t_, ny_, 1}}) {
      if (part.offset >= stride_) break;
      for (int k = 0; k < part.rows * part.columns; ++k) {
        const double value = at(i)[part.offset + k];
        if (std::isfinite(value)) continue;
        throw InvalidProblem(fmt::format(
            "{}({}) has entry ({}, {}) = {}: coefficients must be finite on the whole interval; "
            "divide the constraint by what vanishes there, or end the interval before",
            part.name, t[i], k % part.rows, k / part.rows, value));
      }
    }
  }
}

void LinearDae::evaluate(const double* t, int count, CoefficientBatch& batch) const {
  batch.resize(count);
  fill(t, count, batch);
  batch.check_finite(t);
}

void LinearDae::evaluate_constraint(double t, Eigen::Ref<MatX> C, Eigen::Ref<VecX> r) const {
  fill_constraint(t, C.data(), r.data());
  if (!C.allFinite() || !r.allFinite()) {
    throw InvalidProblem(
        fmt::format("C({0}) or r({0}) has an entry that is not finite: coefficients must be finite "
                    "on the whole interval",
                    t));
  }
}

void detail::refuse_shape(const char* function, double t, long rows, long columns,
                          int expected_rows, int expected_columns) {
  throw InvalidProblem(
      fmt::format("{}({}) is {} x {}: must be {} x {} (nx and ny are read off B at the begin of "
                  "the interval)",
                  function, t, rows, columns, expected_rows, expected_columns));
}

void check_sizes(const LinearDae& problem) {
  const Interval& interval = problem.interval();
  if (!std::isfinite(interval.begin) || !std::isfinite(interval.end) ||
      !(interval.begin < interval.end)) {
    throw InvalidProblem(fmt::format("interval [{}, {}]: must be finite with begin < end",
                                     interval.begin, interval.end));
  }
  if (problem.nx() < 1 || problem.ny() < 1 || problem.ny() > problem.nx()) {
    throw InvalidProblem(
        fmt::format("B is {} x {}: there must be 1 <= ny <= nx multipliers; a "
                    "problem without constraints has neither B nor C nor r",
                    problem.nx(), problem.ny()));
  }
}

}  // namespace daewave
