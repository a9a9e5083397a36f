#include "bvp/equations/problem_conditions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <vector>

#include "bvp/statement/forward_differences.hpp"
#include "core/error.hpp"
#include "core/problem/dear_calls.hpp"

namespace daewave::bvp {

ProblemConditions::ProblemConditions(const BoundaryProblem& problem, const VecX& state, bool at_end)
    : problem_(problem),
      constraints_(*problem.equations),
      at_end_(at_end),
      is_asked_elsewhere_(!daewave::calls_are_dear(*problem.equations)) {
  if (problem.conditions) own_ = static_cast<int>(problem.conditions(state, state).size());
}

void ProblemConditions::evaluate(const VecX& left, const VecX& right, VecX& r) {
  VecX conditions = problem_.conditions ? problem_.conditions(left, right) : VecX(0);
  if (conditions.size() != own_) {
    throw InvalidProblem(fmt::format("conditions: {} at one pair of states, {} at another", own_,
                                     conditions.size()));
  }
  if (constraints_.count() == 0) {
    r.swap(conditions);
    return;
  }
  r.resize(count());
  r.head(own_) = conditions;
  r.tail(constraints_.count()) = at_end_ ? constraints_.residual(right, problem_.interval.end)
                                         : constraints_.residual(left, problem_.interval.begin);
}

void ProblemConditions::jacobians(const VecX& left, const VecX& right, const VecX& weight, MatX& B0,
                                  MatX& B1) {
  constexpr int further = 4;  // They are few, and one that is lost is one that does not count.
  VecX at(count());
  evaluate(left, right, at);
  if (linear_ && linear_->foresees(left, right, at)) {
    B0 = linear_->B0;
    B1 = linear_->B1;
    return;
  }
  const auto foreseen = at_end_ ? nullptr : foresee_moves(left, weight);
  B0.resize(count(), left.size());
  B1.resize(count(), left.size());
  const auto of = [&](const VecX& l, const VecX& r, VecX& out) {
    evaluate(l, r, out);
    return true;
  };
  forward_differences([&](const VecX& x, VecX& out) { return of(x, right, out); }, left, at, weight,
                      B0, further);
  forward_differences([&](const VecX& x, VecX& out) { return of(left, x, out); }, right, at, weight,
                      B1, further);
  linear_.reset();
  if (is_asked_elsewhere_ && is_linear(left, right, weight, at, B0, B1))
    linear_ = {left, right, at, B0, B1};
}

/// Constraints at the states that are moved for differences by a little, where calls are dear.
std::unique_ptr<ForeseenTerms> ProblemConditions::foresee_moves(const VecX& left,
                                                                const VecX& weight) {
  constexpr int further = 1;  // Farther out, derivatives of g by lines are of another accuracy.
  const int nq = problem_.equations->sizes().nq;
  if (constraints_.count() == 0 || !constraints_.calls_are_dear()) return nullptr;
  std::vector<VecX> states{left};
  for (int j = 0; j < nq; ++j) {
    for (const double unit : weights_of_moves(weight, j, further)) {
      states.push_back(left);
      states.back()[j] += difference_step(left[j], unit);
    }
  }
  MatX all(left.size(), static_cast<Eigen::Index>(states.size()));
  for (std::size_t i = 0; i < states.size(); ++i) all.col(static_cast<Eigen::Index>(i)) = states[i];
  return constraints_.foresee_residuals(all, VecX::Constant(all.cols(), problem_.interval.begin));
}

/// Whether conditions are what they would be, were they linear. Slopes are known to half of the
/// digits.
bool ProblemConditions::Linear::foresees(const VecX& to_left, const VecX& to_right,
                                         const VecX& found) const {
  constexpr double foreseen_to = 1e-6, rounding = 1e-14;
  const VecX by_left = to_left - left, by_right = to_right - right;
  const VecX foreseen = at + B0 * by_left + B1 * by_right;
  const VecX moved = B0.cwiseAbs() * by_left.cwiseAbs() + B1.cwiseAbs() * by_right.cwiseAbs();
  // Not either where one of them is no number.
  return ((found - foreseen).cwiseAbs().array() <=
          foreseen_to * moved.array() + rounding * at.cwiseAbs().array())
      .all();
}

/// By a move of all entries at once, in no direction of their own, and one twice as long: nothing
/// but rounding is between what they make of conditions that are linear.
bool ProblemConditions::is_linear(const VecX& left, const VecX& right, const VecX& weight,
                                  const VecX& at, const MatX& B0, const MatX& B1) {
  constexpr double moved = 1e-3, rounding = 1e-10, golden = 0.6180339887498949;
  const auto part = [](double number) {
    return 0.5 + number * golden - std::floor(number * golden);
  };
  const VecX unit = weight.cwiseMax(left.cwiseAbs()).cwiseMax(right.cwiseAbs());
  // Away from zero, beyond which roots and logarithms are not known.
  const auto away = [](double x) { return x < 0 ? -moved : moved; };
  VecX of_left(unit.size()), of_right(unit.size()), once, twice;
  for (Eigen::Index j = 0; j < unit.size(); ++j) {
    of_left[j] = away(left[j]) * unit[j] * part(static_cast<double>(2 * j + 1));
    of_right[j] = away(right[j]) * unit[j] * part(static_cast<double>(2 * j + 2));
  }
  is_asked_elsewhere_ = false;
  try {
    evaluate(left + of_left, right + of_right, once);
    evaluate(left + 2 * of_left, right + 2 * of_right, twice);
  } catch (const std::exception&) {
    return false;  // They were not asked for there: whoever does is told.
  }
  const VecX size = B0.cwiseAbs() * of_left.cwiseAbs() + B1.cwiseAbs() * of_right.cwiseAbs();
  is_asked_elsewhere_ =
      ((twice - 2 * once + at).cwiseAbs().array() <= rounding * size.array()).all();
  return is_asked_elsewhere_;
}

void ReversedConditions::evaluate(const VecX& left, const VecX& right, VecX& r) {
  conditions_.evaluate(turned_(right), turned_(left), r);
}

void ReversedConditions::jacobians(const VecX& left, const VecX& right, const VecX& weight,
                                   MatX& B0, MatX& B1) {
  conditions_.jacobians(turned_(right), turned_(left), weight, B1, B0);
  for (MatX* const B : {&B0, &B1}) {
    for (int i = 0; i < B->rows(); ++i) {
      B->row(i) = turned_(B->row(i).transpose()).transpose();
    }
  }
}

}  // namespace daewave::bvp
