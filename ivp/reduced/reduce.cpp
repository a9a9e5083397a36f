#include "ivp/reduced/reduce.hpp"

#include "core/error.hpp"
#include "core/kernels/index_kernels.hpp"
#include "ivp/equations/second_order_equations.hpp"
#include "ivp/reduced/reduce_kernel.hpp"
#include "ivp/reduced/reduced_semi_explicit.hpp"

namespace daewave::ivp {

std::unique_ptr<ReducedOde> reduce(const DaeProblem& problem, const Reduction& how) {
  switch (problem.kind()) {
    case Kind::index_2:
      if (problem.sizes().nq == 2 && problem.sizes().ny == 1) {
        using Kernel = IndexTwoKernel<Vec<2>, Vec<1>>;
        return detail::reduce_by<ReducedSemiExplicit<Kernel>>(Kernel(problem), how);
      }
      return detail::reduce_by<ReducedSemiExplicit<AnyIndexTwo>>(AnyIndexTwo(problem), how);
    case Kind::second_order:
      return detail::reduce_by<ReducedSystem<SecondOrderEquations<SecondOrderKernel>>>(
          SecondOrderKernel(problem), how);
    case Kind::multibody:
      if (auto small = detail::reduce_small_multibody(problem, how)) return small;
      if (auto structured = detail::reduce_structured_multibody(problem, how)) return structured;
      return detail::reduce_any_multibody(problem, how);
    default:
      break;
  }
  throw InvalidProblem(std::string("a problem of kind \"") + name_of(problem.kind()) +
                       "\" has no constraints whose index could be reduced");
}

}  // namespace daewave::ivp
