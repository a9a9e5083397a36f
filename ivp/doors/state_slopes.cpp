#include "ivp/doors/state_slopes.hpp"

#include <exception>
#include <memory>
#include <new>

#include "ivp/equations/dae_system_of.hpp"
#include "ivp/reduced/reduce.hpp"

namespace daewave::ivp {
namespace {

/// Empty where the problem throws: it may be looked at where no run comes.
template <class Evaluate>
EventChanges::Slope where_it_can(Evaluate evaluate) {
  return [evaluate](double t, const VecX& z) mutable -> VecX {
    try {
      return evaluate(t, z);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {
      return {};
    }
  };
}

}  // namespace

EventChanges::Slope slope_of_states(const DaeProblem& problem) {
  if (problem.kind() != Kind::index_2 && !problem.structure().has_curvature) return {};
  return where_it_can(
      [&problem, system = std::shared_ptr<ReducedOde>()](double t, const VecX& z) mutable -> VecX {
        if (!system) system = reduce(problem, {});
        VecX slope(z.size());
        return system->rhs(t, z, slope) ? slope : VecX();
      });
}

EventChanges::Slope slope_of_states(const DaeProblem& problem, const VecX& w) {
  return where_it_can([&problem, &w, system = std::shared_ptr<DaeSystem>()](
                          double t, const VecX& z) mutable -> VecX {
    if (!system) system = dae_system_of(problem, z, w, t);
    VecX unknowns = w, slope(z.size()), residual(w.size());
    const bool known = (w.size() == 0 || system->algebraic(t, z, unknowns)) &&
                       system->evaluate(t, z, unknowns, slope, residual);
    return known ? slope : VecX();
  });
}

}  // namespace daewave::ivp
