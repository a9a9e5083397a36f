#pragma once
// Writes down the functions of a struct that are templates on their scalar. What is compiled here
// for a struct are these functions for one more scalar, and no more.

#include <type_traits>
#include <utility>

#include "core/adapt/lane_terms.hpp"
#include "core/adapt/recorded_problem.hpp"
#include "core/derivatives/with_derivatives.hpp"

namespace daewave::detail {

/// What is smaller is not even compiled for one more scalar; nor is what would not compile, as
/// recorded numbers take twice the memory of others and Eigen puts a limit to matrices on the
/// stack.
template <class X>
inline constexpr bool worth_recording = rows<X> == Dynamic ||
                                        (rows<X> >= ProblemRecorder::fewest &&
                                         rows<X> * rows<X> * static_cast<int>(sizeof(Recorded)) <=
                                             EIGEN_STACK_ALLOCATION_LIMIT);

/// Its constraints are differentiated for it, so that nobody will miss what is not evaluated.
template <class P>
concept Recordable = Multibody<P> && requires {
  requires P::DerivativesFrom::of_any_scalar;
} && worth_recording<ConfigurationOf<P>> && !GivesG<Stated<P>> && !GivesGt<Stated<P>> &&
    !GivesCurvature<Stated<P>> &&
    StatesConstraint<Stated<P>, Rebind<ConfigurationOf<P>, Recorded>, Recorded> &&
    (!HasVelocityConstraint<P> ||
     (!GivesK<Stated<P>> && !Givesk<Stated<P>> && !GivesWCurvature<Stated<P>> &&
      StatesVelocity<Stated<P>, Rebind<ConfigurationOf<P>, Recorded>, Recorded>));

template <Recordable P>
void record(const Stated<P>& problem, ProblemRecorder& to) {
  using Q = Rebind<ConfigurationOf<P>, Recorded>;
  const Recorded& t = to.t();
  const int nq = static_cast<int>(to.q().size());
  const Q q = Eigen::Map<const Q>(to.q().data(), nq), v = Eigen::Map<const Q>(to.v().data(), nq);
  const Rebind<typename P::Multiplier, Recorded> g = problem.g(q, t);
  to.take_g(g.data(), static_cast<int>(g.size()));
  if constexpr (HasVelocityConstraint<P>) {
    const Rebind<typename P::VelocityMultiplier, Recorded> w = problem.w(q, v, t);
    to.take_w(w.data(), static_cast<int>(w.size()));
  }
  if constexpr (StatesForces<Stated<P>, Q, Recorded>) {
    const Q f = problem.f(q, v, t);
    to.take_f(f.data(), nq);
  }
  if constexpr (StatesMass<Stated<P>, Q, Recorded>) {
    if constexpr (is_diagonal_mass<std::decay_t<decltype(problem.M(q))>>) {
      const auto M = problem.M(q);
      to.take_M(M.diagonal().data(), nq);
    } else {
      const Eigen::Matrix<Recorded, Dynamic, Dynamic> M = problem.M(q);
      to.take_M(M.data(), static_cast<int>(M.size()));
    }
  }
}

/// The problem with what is seen in it; itself where that is nothing.
template <class P>
DaeProblemPtr with_what_is_seen([[maybe_unused]] const P& problem, DaeProblemPtr stated,
                                [[maybe_unused]] const VecX* state, [[maybe_unused]] double t) {
  if constexpr (Recordable<P>) {
    if (stated->sizes().nq < ProblemRecorder::fewest) return stated;
    ProblemRecorder recorder(stated->sizes(), state != nullptr ? *state : VecX(), t);
    try {
      record<P>(problem, recorder);
    } catch (...) {
      return stated;  // It will be thrown again where it belongs.
    }
    if (DaeProblemPtr found = recorder.found(stated)) return found;
  }
  return stated;
}

}  // namespace daewave::detail
