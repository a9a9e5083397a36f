#include "bvp/nonlinear/range_of_B.hpp"

#include <Eigen/QR>
#include <limits>

#include "bvp/nonlinear/beside_guess.hpp"
#include "bvp/statement/constraint_values.hpp"

namespace daewave::bvp {
namespace {

constexpr double parts[] = {0.0, 0.1382, 0.5279, 0.8647, 1.0};

/// Whether columns of `other` leave the range of B; not known where either loses rank.
bool leaves_range(const MatX& B, const MatX& other) {
  constexpr double dependent = 1e-9, differences = 1e-6;
  Eigen::ColPivHouseholderQR<MatX> of(B), of_other(other);
  of.setThreshold(dependent);
  of_other.setThreshold(dependent);
  if (of.rank() < B.cols() || of_other.rank() < B.cols()) return false;
  MatX rest = of.householderQ().adjoint() * other;
  const double size = other.cwiseAbs().maxCoeff();
  return rest.bottomRows(rest.rows() - B.cols()).cwiseAbs().sum() > differences * size;
}

}  // namespace

bool has_constant_B(const DaeProblem& problem, const Interval& interval, const StateOfTime& guess) {
  constexpr double rounding = 1e-12;
  ConstraintValues constraints(problem);
  const MatX B = constraints.B(guess(interval.begin), interval.begin);
  for (const double part : parts) {
    const double t = interval.begin + part * interval.length();
    const VecX along = guess(t);
    for (const VecX& state : {along, beside(along)}) {
      const double off = (constraints.B(state, t) - B).cwiseAbs().maxCoeff();
      if (!(off <= rounding * B.cwiseAbs().maxCoeff())) return false;
    }
  }
  return true;
}

double range_of_B_turns_at(const DaeProblem& problem, const Interval& interval,
                           const StateOfTime& guess) {
  ConstraintValues constraints(problem);
  for (const double part : parts) {
    const double t = interval.begin + part * interval.length();
    const VecX along = guess(t);
    if (leaves_range(constraints.B(along, t), constraints.B(beside(along), t))) return t;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace daewave::bvp
