#pragma once
// Doors of single methods for structs, which the tests state their problems as.

#include <memory>
#include <utility>

#include "core/adapt/problem_of.hpp"
#include "ivp/doors/solve_multistep.hpp"
#include "ivp/equations/consistent_invariant.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/equations/index_two_system_of.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/srm/srm_defaults.hpp"

namespace daewave::ivp {

/// What refers to a problem, and keeps it.
template <class T>
std::shared_ptr<T> with_problem(DaeProblemPtr problem, std::unique_ptr<T> of_problem) {
  struct Both {
    DaeProblemPtr problem;
    std::unique_ptr<T> of_problem;
  };
  const auto both = std::make_shared<Both>(Both{std::move(problem), std::move(of_problem)});
  return std::shared_ptr<T>(both, both->of_problem.get());
}

inline std::shared_ptr<DaeSystem> system_of(DaeProblemPtr problem, const VecX& z0, double t,
                                            MultiplierForm form = MultiplierForm::eliminated) {
  auto system = dae_system_of(*problem, z0, t, form);
  return with_problem(std::move(problem), std::move(system));
}

/// @param w0  algebraic unknowns near those of z0.
inline std::shared_ptr<DaeSystem> system_of(DaeProblemPtr problem, const VecX& z0, const VecX& w0,
                                            double t,
                                            MultiplierForm form = MultiplierForm::index_1) {
  auto system = dae_system_of(*problem, z0, w0, t, form);
  return with_problem(std::move(problem), std::move(system));
}

template <Dae P>
std::shared_ptr<DaeSystem> system_of(const P& problem, const VecX& z0, double t,
                                     MultiplierForm form = MultiplierForm::eliminated) {
  return system_of(problem_of(problem, z0, t), z0, t, form);
}

template <InvariantDae P>
std::shared_ptr<DaeSystem> system_of(const P& problem, const VecX& z0, const VecX& w0, double t,
                                     MultiplierForm form = MultiplierForm::index_1) {
  return system_of(problem_of(problem, z0, t), z0, w0, t, form);
}

template <Dae P>
std::shared_ptr<IndexTwoSystem> index_two_of(const P& problem, const VecX& start, double t) {
  DaeProblemPtr erased = problem_of(problem, start, t);
  auto system = index_two_system_of(*erased, start, t);
  return with_problem(std::move(erased), std::move(system));
}

template <HasStart P>
std::shared_ptr<IndexTwoSystem> index_two_of(const P& problem, double t) {
  return index_two_of(problem, VecX(problem.start()), t);
}

inline std::shared_ptr<ReducedOde> reduced(DaeProblemPtr problem, const Reduction& how) {
  auto system = reduce(*problem, how);
  return with_problem(std::move(problem), std::move(system));
}

template <Dae P>
SrmChoices choose_srm(const P& problem, const StateOf<P>& start, const Interval& span,
                      const Srm& asked, const Options& options, const SrmFormula& formula) {
  const VecX z = start;
  return choose_srm(*problem_of(problem, z, span.begin), z, span, asked, options, formula);
}

template <Dae P>
Solution solve_bdf(const P& problem, const StateOf<P>& start, const Interval& span,
                   const VariableBdf& method, const Options& options, const Monitors& monitors) {
  const VecX z = start;
  return solve_bdf(*problem_of(problem, z, span.begin), z, span, method, options, monitors);
}

/// @param w  near the algebraic unknowns of the start.
template <InvariantDae P>
Solution solve_bdf(const P& problem, const typename P::State& start, const typename P::Algebraic& w,
                   const Interval& span, const VariableBdf& method, const Options& options,
                   const Monitors& monitors) {
  const VecX z = start, unknowns = w;
  const auto erased = daewave::detail::problem_by_reference(problem, &z, span.begin,
                                                            static_cast<int>(unknowns.size()));
  const auto system = dae_system_of(*erased, z, unknowns, span.begin, form_of(method));
  return run_bdf(*system, z, span, method, options, monitors);
}

template <InvariantDae P>
InvariantStart consistent_invariant(const P& problem, const typename P::State& z,
                                    const typename P::Algebraic& w, double t,
                                    const Options& options, std::vector<std::string>& warnings) {
  const VecX state = z, unknowns = w;
  const auto erased =
      daewave::detail::problem_by_reference(problem, &state, t, static_cast<int>(unknowns.size()));
  return consistent_invariant(*erased, state, unknowns, t, options, warnings);
}

}  // namespace daewave::ivp
