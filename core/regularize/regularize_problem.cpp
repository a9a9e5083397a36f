#include "core/regularize/regularize_problem.hpp"

#include "core/error.hpp"
#include "core/kernels/index_kernels.hpp"
#include "core/regularize/regularize_index2.hpp"
#include "core/regularize/regularize_index3.hpp"
#include "core/regularize/regularize_kernel.hpp"

namespace daewave {

std::unique_ptr<RegularizedOde> regularize(const DaeProblem& problem, const RegularizedForm& form) {
  switch (problem.kind()) {
    case Kind::index_2:
      check_index_2(form);
      return detail::regularize_index_2(problem, form);
    case Kind::second_order:
      check_index_3(form, problem.structure().has_curvature);
      return detail::regularize_second_order(problem, form);
    case Kind::multibody:
      check_index_3(form, problem.structure().has_curvature);
      return detail::regularize_multibody(problem, form);
    default:
      break;
  }
  throw InvalidProblem(std::string("a problem of kind \"") + name_of(problem.kind()) +
                       "\" has no constraints to regularize");
}

namespace detail {

std::unique_ptr<RegularizedOde> regularize_index_2(const DaeProblem& problem,
                                                   const RegularizedForm& form) {
  if (carries_By(form.variant)) {
    return regularize_kernel<RegularizedSingular2<AnyIndexTwo>, AnyIndexTwo>(problem, form,
                                                                             problem.sizes().nq);
  }
  return regularize_kernel<RegularizedIndex2<AnyIndexTwo>, AnyIndexTwo>(problem, form,
                                                                        problem.sizes().ny);
}

std::unique_ptr<RegularizedOde> regularize_second_order(const DaeProblem& problem,
                                                        const RegularizedForm& form) {
  using Point = SecondOrderPoint<SecondOrderKernel>;
  const Sizes& n = problem.sizes();
  if (form.variant == Variant::singular) {
    return regularize_kernel<RegularizedSingular3<Point>, SecondOrderKernel>(problem, form, n.nq);
  }
  if (form.variant == Variant::invariant_reduced) {
    return regularize_kernel<RegularizedReduced<Point>, SecondOrderKernel>(problem, form, 2 * n.ny);
  }
  return regularize_kernel<RegularizedIndex3<Point>, SecondOrderKernel>(problem, form, n.ny);
}

}  // namespace detail

}  // namespace daewave
