#pragma once
// One step of one iterate of a sequential regularization, by an explicit Runge-Kutta formula:
//
//   k_i = F(x + h sum_j a_ij k_j, t + c_i h; y_{s-1}(t + c_i h)),   x(t + h) = x + h sum_i b_i k_i,
//
// and then one evaluation at the end, which is the first slope of the next step and y_s(t + h). The
// y_{s-1} of a stage at the end is that of the accepted x_{s-1}. Where the formula has stages
// inside of the step, y_s there is formed by iterate s itself, at x_s interpolated.   [AL2] section
// 6

#include <array>
#include <vector>

#include "ivp/one_step/tableaux.hpp"
#include "ivp/srm/srm_iterate.hpp"

namespace daewave::ivp {

/// Where in a step y_{s-1} is needed, in units of h: inside, as the formula comes to them, and at
/// the end.
std::vector<double> points_of(const ExplicitTableau& formula);

class ExplicitIterate final : public SrmIterate {
 public:
  /// Both are kept by reference. @param estimate  false saves the estimation of errors.
  ExplicitIterate(RegularizedOde& ode, const ExplicitTableau& formula, const Tolerance& tolerance,
                  bool estimate);

  bool start(double t, const VecX& x, const VecX& before, IterateState& at) override;
  bool advance(const IterateStep& step, IterateState& to, VecX* after) override;
  /// Two estimates e, e3 are taken together as |e|^2 / sqrt(|e|^2 + 0.01 |e3|^2).
  double error(const IterateStep& step, const IterateState& to) override;

  /// Where the formula brings no dense output, or its stages cannot be evaluated, the cubic of
  /// Hermite.
  void interpolate(const IterateStep& taken, const IterateState& to, double theta,
                   VecX& out) override;
  int dense_degree() const override { return 5; }
  /// Formed at x, as at the ends. An unknown y_{s-1} there is that of a polynomial through the ends
  /// and up to two points inside: O(h^2) where the formula has none, O(h^4) for dopri5 and dop853,
  /// and what interpolation of x leaves, divided by epsilon.
  bool carried_at(const IterateStep& taken, const IterateState& to, double t, const VecX& x,
                  const VecX* before, VecX& carried) override;

  int error_order() const override { return estimates_ ? formula_->error_order : 0; }
  Control control() const override { return formula_->control; }

 private:
  void choose_nodes();
  void ready(const IterateStep& step, const IterateState& to);
  bool between(const IterateStep& step, const IterateState& to, VecX* after);

  const ExplicitTableau* formula_;
  bool estimates_;
  std::array<int, most_stages> slot_{};  ///< Of the points, that of each stage.
  std::array<VecX, most_stages> k_;
  std::array<const double*, most_stages> at_{};  ///< k_, or the slope at an end of the step.
  std::vector<double> dense_;                    ///< Rows of the polynomial of the step.
  int degree_ = 3;
  bool ready_ = false;              ///< The rows are those of the step last advanced.
  std::vector<double> nodes_;       ///< Of the polynomial of y_{s-1}.
  std::vector<std::size_t> slots_;  ///< Of its nodes but the first, among the points.
  VecX between_;
};

}  // namespace daewave::ivp
