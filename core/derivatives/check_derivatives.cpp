#include "core/derivatives/check_derivatives.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/eigenvalues.hpp"
#include "core/error.hpp"

namespace daewave {
namespace {

double largest(const MatX& A) { return A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0.0; }

std::string place(const DerivativeCheck& check) {
  return check.column > 0 ? fmt::format("row {}, column {}", check.row, check.column)
                          : fmt::format("row {}", check.row);
}

/// The reason g cannot be compared at all, the way out for a derivative, or that for a value.
std::string advice(const DerivativeCheck& check) {
  if (!std::isfinite(check.expected)) {
    return "g or w must be finite and smooth about the state; choose another state";
  }
  if (check.quantity.find("linear") != std::string::npos) {
    return "velocity constraints are w = K(q, t) v + k(q, t); differentiate a nonlinear one once "
           "and give it as an equation of motion";
  }
  if (check.quantity.find("terms()") != std::string::npos) {
    return "correct terms(), or leave it out: the pieces are then evaluated one by one";
  }
  return "correct it, or leave it out and use with_autodiff(problem)";
}

/// The entry that is off most relative to its row, or the first that is not finite.
DerivativeCheck worst_entry(const MatX& given, const MatX& expected, double least) {
  DerivativeCheck worst;
  // Rows have units of their own; one that vanishes is measured by the others.
  const double floor =
      std::max({least, 1e-3 * largest(expected), std::numeric_limits<double>::min()});
  double most = -1;
  for (int i = 0; i < given.rows(); ++i) {
    const double scale = std::max({floor, largest(given.row(i)), largest(expected.row(i))});
    for (int j = 0; j < given.cols(); ++j) {
      const bool finite = std::isfinite(given(i, j)) && std::isfinite(expected(i, j));
      const double off = std::abs(given(i, j) - expected(i, j)) / scale;
      if (finite && !(off > most)) continue;
      most = off;
      worst.row = i + 1;
      worst.column = given.cols() > 1 ? j + 1 : 0;
      worst.given = given(i, j);
      worst.expected = expected(i, j);
      worst.scale = scale;
      if (!finite) return worst;
    }
  }
  return worst;
}

}  // namespace

bool DerivativeReport::ok() const {
  return std::all_of(checks.begin(), checks.end(), [](const auto& check) { return check.ok; });
}

std::string DerivativeReport::text() const {
  std::string lines;
  for (const DerivativeCheck& check : checks) {
    if (!check.ok) lines += check.text + "\n";
  }
  return lines;
}

void DerivativeReport::compare(const std::string& quantity, const MatX& given, const MatX& expected,
                               double least) {
  if (given.rows() != expected.rows() || given.cols() != expected.cols()) {
    throw InvalidProblem(
        fmt::format("{} is {} x {}, must be {} x {}: its rows follow g and w, its "
                    "columns the state; correct the sizes of the problem",
                    quantity, given.rows(), given.cols(), expected.rows(), expected.cols()));
  }
  DerivativeCheck worst = worst_entry(given, expected, least);
  worst.quantity = quantity;
  worst.ok = worst.row == 0 || (std::isfinite(worst.given) && std::isfinite(worst.expected) &&
                                std::abs(worst.given - worst.expected) <= tolerance * worst.scale);
  if (!worst.ok) {
    worst.text = fmt::format(
        "{} {} at t = {:.10g}: given {:.10g}, differences give {:.10g}, off by more "
        "than {:.1e}; {}",
        quantity, place(worst), t, worst.given, worst.expected, tolerance * worst.scale,
        advice(worst));
  }
  checks.push_back(std::move(worst));
}

void DerivativeReport::compare_mass(const MatX& M, int nq) {
  if (M.rows() != nq || M.cols() != nq) {
    throw InvalidProblem(fmt::format("M is {} x {}, must be {} x {}: one row per coordinate",
                                     M.rows(), M.cols(), nq, nq));
  }
  // Rounding of a matrix that was computed symmetric, and of its eigenvalues.
  const double rounding = 1e-12 * largest(M);
  DerivativeCheck worst;
  worst.quantity = "M";
  worst.scale = largest(M);
  for (int i = 0; i < nq; ++i) {
    for (int j = 0; j < i; ++j) {
      if (std::abs(M(i, j) - M(j, i)) <= rounding || !worst.ok) continue;
      worst.ok = false;
      worst.row = i + 1;
      worst.column = j + 1;
      worst.given = M(i, j);
      worst.expected = M(j, i);
      worst.text = fmt::format(
          "M row {}, column {} at t = {:.10g}: given {:.10g}, its mirror image "
          "is {:.10g}; M must be symmetric",
          i + 1, j + 1, t, M(i, j), M(j, i));
    }
  }
  if (worst.ok && nq > 0) {
    const Eigenvectors eigen = eigenvectors(M);
    int least = 0;
    for (int i = 1; i < nq; ++i) {
      if (eigen.values[i].real() < eigen.values[least].real()) least = i;
    }
    worst.given = eigen.values[least].real();
    if (!(worst.given >= -rounding)) {
      eigen.vectors.col(least).cwiseAbs().maxCoeff(&worst.row);
      worst.row += 1;
      worst.ok = false;
      worst.text = fmt::format(
          "M at t = {:.10g} has the negative eigenvalue {:.10g}, in the "
          "direction of coordinate {} most; M must be positive semidefinite",
          t, worst.given, worst.row);
    }
  }
  checks.push_back(std::move(worst));
}

void detail::check_state_size(int given, int expected) {
  if (given != expected) {
    throw InvalidProblem(
        fmt::format("the state has {} entries, must have {}: positions, then as "
                    "many velocities",
                    given, expected));
  }
}

void require_ok(const DerivativeReport& report) {
  if (!report.ok()) throw InvalidProblem(report.text());
}

}  // namespace daewave
