#include "ivp/one_step/tableaux.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/rooted_trees.hpp"

namespace daewave::ivp {
namespace {

VecX row_of(const Combination& combination, int stages) {
  VecX row(stages);
  for (int j = 0; j < stages; ++j) row[j] = combination.of(j);
  return row;
}

/// All stages of a formula: of the step, of the slope at its end, for dense output.
struct Stages {
  explicit Stages(const ExplicitTableau& formula)
      : count(std::max(static_cast<int>(formula.c.size()), formula.end_stage() + 1)),
        A(MatX::Zero(count, count)),
        b(row_of(formula.b, count)) {
    for (int i = 0; i < static_cast<int>(formula.a.size()); ++i)
      A.row(i) = row_of(formula.a[i], count);
    A.row(formula.end_stage()) = b;
  }

  int count;
  MatX A;
  VecX b;
};

/// Weights of stages, and the sizes of the terms they were summed from: what rounding goes by.
struct Weights {
  explicit Weights(const VecX& weights) : value(weights), size(weights.cwiseAbs()) {}

  void nest(double factor, const VecX& term) {
    value = factor * (term + value);
    size = factor * (term.cwiseAbs() + size);
  }

  VecX value, size;
};

/// The weights of the interpolant at theta: z(theta) = z + h sum_i w_i k_i.
Weights interpolant_weights(const ExplicitTableau& formula, const Stages& stages, double theta) {
  const VecX first = VecX::Unit(stages.count, 0);
  const VecX last = VecX::Unit(stages.count, formula.end_stage());
  std::vector<VecX> r{stages.b, first - stages.b, stages.b - last - (first - stages.b)};
  for (const Combination& term : formula.dense) r.push_back(row_of(term, stages.count));
  Weights sum(VecX::Zero(stages.count));
  for (std::size_t i = r.size(); i-- > 0;) sum.nest(i % 2 == 0 ? theta : 1 - theta, r[i]);
  return sum;
}

/// The largest order up to which `weights` meet all conditions, `target` being theta, or zero for
/// an estimate of the error. Rounding is judged by the sum of absolute values.
int order_met(const Weights& weights, double target, const Stages& stages,
              const std::vector<RootedTree>& trees) {
  const MatX phi = elementary_weights(stages.A, trees);
  const MatX size = elementary_weights(stages.A.cwiseAbs(), trees);
  const double rounding = 32 * std::numeric_limits<double>::epsilon();
  int met = trees.back().order;
  for (int tree = 0; tree < phi.cols(); ++tree) {
    const double wanted = std::pow(target, trees[tree].order) / trees[tree].gamma;
    const double scale = weights.size.dot(size.col(tree));
    if (std::abs(weights.value.dot(phi.col(tree)) - wanted) > rounding * scale) {
      met = std::min(met, trees[tree].order - 1);
    }
  }
  return met;
}

}  // namespace

TEST_CASE("rooted trees are as many as are known", "[steppers]") {
  CHECK(rooted_trees(1).size() == 1);
  CHECK(rooted_trees(4).size() == 8);
  CHECK(rooted_trees(9).size() == 486);
}

TEST_CASE("every explicit formula has its order and no more", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    const Stages stages(formula);
    CHECK(order_met(Weights(stages.b), 1, stages, rooted_trees(formula.order + 1)) ==
          formula.order);
  }
}

TEST_CASE("the rows of every explicit formula sum to its nodes", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    REQUIRE(formula.a.size() == formula.c.size());
    const Stages stages(formula);
    for (int i = 0; i < static_cast<int>(formula.c.size()); ++i) {
      CAPTURE(i);
      const double scale = stages.A.row(i).cwiseAbs().sum();
      CHECK(std::abs(stages.A.row(i).sum() - formula.c[i]) <= 1e-15 * (1 + scale));
      for (int j = i; j < stages.count; ++j) CHECK(stages.A(i, j) == 0);
    }
    if (formula.ends_with_slope) CHECK(formula.c[formula.end_stage()] == 1);
  }
}

TEST_CASE("error estimates compare with formulas of the order that is claimed", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    const Stages stages(formula);
    std::vector<int> orders;
    for (const Combination& estimate : formula.error) {
      orders.push_back(order_met(Weights(row_of(estimate, stages.count)), 0, stages,
                                 rooted_trees(formula.order)));
    }
    if (orders.empty()) CHECK(formula.error_order == 0);
    if (orders.size() == 1) CHECK(orders[0] == formula.error_order);
    // |e|^2 / |e3|: twice the exponent of the one less that of the other.
    if (orders.size() == 2) CHECK(2 * (orders[0] + 1) - (orders[1] + 1) == formula.error_order + 1);
  }
}

TEST_CASE("dense output has its order at every theta", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    const Stages stages(formula);
    // Of a formula of order p the cubic of Hermite gives min(p, 3).
    const int order = std::min(formula.order, formula.dense_order);
    for (double theta : {0.1, 0.25, 0.5, 0.8}) {
      CAPTURE(theta);
      const Weights weights = interpolant_weights(formula, stages, theta);
      CHECK(order_met(weights, theta, stages, rooted_trees(order + 1)) == order);
    }
    CHECK(interpolant_weights(formula, stages, 0).value.norm() == 0);
    CHECK((interpolant_weights(formula, stages, 1).value - stages.b).norm() <= 1e-15);
  }
}

TEST_CASE("formulas that are not explicit have no tableau", "[steppers]") {
  CHECK(is_explicit(Stepper::dop853));
  CHECK_FALSE(is_explicit(Stepper::radau));
  CHECK_THROWS_WITH(tableau(Stepper::gauss), contains_text("gauss") && contains_text("dop853"));
}

}  // namespace daewave::ivp
