#pragma once
// Explicit Runge-Kutta formulas as data:
//
//   k_i = f(t + c_i h, z + h sum_j a_ij k_j),   z(t + h) = z + h sum_i b_i k_i
//
// with what estimates the error and what interpolates. A formula is added here and nowhere else;
// the tests of order run over all of them.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "ivp/options/formula.hpp"
#include "ivp/run/step_control.hpp"

namespace daewave::ivp {

/// Most stages of a formula, those for dense output included.
inline constexpr int most_stages = 16;

/// sum_j a_j k_j, of the coefficients that are not zero.
struct Combination {
  int count = 0;
  std::array<std::uint8_t, most_stages> stage{};
  std::array<double, most_stages> coefficient{};

  Combination() = default;
  Combination(std::initializer_list<std::pair<int, double>> terms);
  /// The coefficient of k_j, zero where it is not listed.
  double of(int j) const;
};

struct ExplicitTableau {
  Stepper stepper = Stepper::forward_euler;
  int stages = 1;
  int order = 1;
  int error_order = 0;  ///< h^(error_order + 1) is the order of the estimate; 0 without one.
  /// The last stage is f(t + h, z(t + h)); otherwise that is evaluated as number `stages`.
  bool ends_with_slope = false;

  std::vector<double> c{};       ///< Of the stages, the slope at the end, and those behind it.
  std::vector<Combination> a{};  ///< Rows, as c; those from stages + 1 on are for dense output.
  Combination b{};
  /// Error per h: one estimate; of two, e and e3, |e|^2 / sqrt(|e|^2 + 0.01 |e3|^2) is taken.
  std::vector<Combination> error{};
  /// Beyond the cubic of Hermite: terms r_4 = h sum .., r_5 = h sum .., ... of
  /// z + theta (r_1 + (1 - theta) (r_2 + theta (r_3 + (1 - theta) (r_4 + theta (r_5 + ...))))).
  std::vector<Combination> dense{};
  int dense_order = 3;  ///< Error of the interpolant is O(h^{dense_order + 1}) in one step.
  Control control{};    ///< Recommended: few rejected steps.

  int end_stage() const { return ends_with_slope ? stages - 1 : stages; }
  int dense_degree() const { return 3 + static_cast<int>(dense.size()); }
  /// Stages that only the interpolant needs.
  bool has_dense_stages() const { return static_cast<int>(c.size()) > stages + 1; }
};

bool is_explicit(Stepper stepper);

/// @throws InvalidOption for a formula that is not explicit.
const ExplicitTableau& tableau(Stepper stepper);

/// All explicit formulas.
const std::vector<ExplicitTableau>& all_tableaux();

}  // namespace daewave::ivp
