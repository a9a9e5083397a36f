#pragma once
// The seam between regularization and discretization: iterate s of a sequential regularization is
// an ordinary problem
//
//   x_s' = F(x_s, t; y_{s-1}(t)),   y_s(t) = Y(x_s, t; y_{s-1}(t)),
//
// whatever E, epsilon, alpha and the index are. Schedules and steppers see nothing else.

#include <concepts>
#include <string>

namespace daewave {

/// `Carried` is what one iterate leaves for the next: y (ny), or B y (nx) where y may be unbounded.
///
/// evaluate() gives x_s' and y_s at one point, which share their work; false, with failure()
/// telling why, where it cannot. An object holds the memory of an evaluation: one for each thread.
template <class R>
concept RegularizedOde = requires(R& ode, const R& same, const typename R::State& x, double t,
                                  const typename R::Carried& before, typename R::State& slope,
                                  typename R::Carried& carried) {
  { ode.evaluate(x, t, before, slope, carried) } -> std::same_as<bool>;
  { same.failure() } -> std::convertible_to<std::string>;
};

}  // namespace daewave
