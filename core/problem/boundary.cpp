#include "core/problem/boundary.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <string>

#include "core/error.hpp"

namespace daewave {
namespace {

void check_shape(const char* name, const MatX& matrix, int rows, int columns) {
  if (matrix.rows() != rows || matrix.cols() != columns) {
    throw InvalidProblem(
        fmt::format("boundary {} is {} x {}: must be {} x {} (nx - ny conditions on nx components)",
                    name, matrix.rows(), matrix.cols(), rows, columns));
  }
  if (!matrix.allFinite()) {
    throw InvalidProblem(fmt::format("boundary {} has an entry that is not finite", name));
  }
}

int rank_of(const MatX& rows) {
  if (rows.rows() == 0) return 0;
  // Each condition is scaled to length one first: a condition in other units is no weaker for it.
  MatX scaled = rows;
  for (int i = 0; i < rows.rows(); ++i) {
    const double length = rows.row(i).norm();
    if (length > 0) scaled.row(i) /= length;
  }
  Eigen::ColPivHouseholderQR<MatX> qr(scaled.transpose());
  qr.setThreshold(1e-12);
  return static_cast<int>(qr.rank());
}

MatX stacked(const MatX& upper, const MatX& lower) {
  MatX both(upper.rows() + lower.rows(), upper.cols());
  both << upper, lower;
  return both;
}

}  // namespace

ConditionSide side_of(const Boundary& boundary, int row) {
  if (boundary.B1.row(row).isZero(0)) return ConditionSide::left;
  if (boundary.B0.row(row).isZero(0)) return ConditionSide::right;
  return ConditionSide::coupled;
}

void check_boundary(const Boundary& boundary, const MatX& C0, double begin) {
  const int nx = static_cast<int>(C0.cols()), ny = static_cast<int>(C0.rows());
  const int conditions = nx - ny;
  const int given = static_cast<int>(boundary.beta.size());
  if (given != conditions) {
    const std::string others =
        ny > 0 ? fmt::format("; the constraint at t = {} gives the other {}", begin, ny) : "";
    throw InvalidProblem(fmt::format(
        "boundary gives {} condition(s): too {}, there must be nx - ny = {} - {} = {}{}", given,
        given < conditions ? "few" : "many", nx, ny, conditions, others));
  }
  check_shape("B0", boundary.B0, conditions, nx);
  check_shape("B1", boundary.B1, conditions, nx);
  if (!boundary.beta.allFinite()) {
    throw InvalidProblem("boundary beta has an entry that is not finite");
  }
  MatX both(conditions, 2 * nx);
  both << boundary.B0, boundary.B1;
  if (const int rank = rank_of(both); rank < conditions) {
    throw InvalidProblem(
        fmt::format("boundary conditions (B0 B1) have rank {} of {}: they depend on each other; "
                    "replace the repeated ones",
                    rank, conditions));
  }
  if (const int rank = rank_of(C0); rank < ny) {
    throw InvalidProblem(fmt::format(
        "constraint at t = {} has rank {} of {}: the initial point must not be singular; start "
        "the interval a little earlier or later, or remove the redundant constraint",
        begin, rank, ny));
  }
  MatX left = C0;
  for (int i = 0; i < conditions; ++i) {
    if (side_of(boundary, i) == ConditionSide::left) left = stacked(left, boundary.B0.row(i));
  }
  if (const int rank = rank_of(left); rank < left.rows()) {
    throw InvalidProblem(
        fmt::format("conditions at t = {} together with the constraint there have rank {} of {}: "
                    "a condition repeats what the constraint says; give one that does not follow "
                    "from 0 = C x + r",
                    begin, rank, left.rows()));
  }
}

}  // namespace daewave
