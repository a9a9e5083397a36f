#include "core/regularize/regularize_problem.hpp"

#include "core/error.hpp"
#include "core/kernels/index_kernels.hpp"
#include "core/regularize/regularize_index2.hpp"
#include "core/regularize/regularize_kernel.hpp"
#include "core/regularize/second_order_point.hpp"

namespace daewave {
namespace {

template <class Kernel>
std::unique_ptr<RegularizedOde> in_index_2(const Kernel& kernel, const Regularization& form) {
  const Sizes& n = kernel.erased().sizes();
  if (carries_By(form.variant)) {
    return detail::regularize_by<RegularizedSingular2<Kernel>>(kernel, form, n.nq);
  }
  return detail::regularize_by<RegularizedIndex2<Kernel>>(kernel, form, n.ny);
}

}  // namespace

std::unique_ptr<RegularizedOde> regularize(const DaeProblem& problem, const Regularization& form) {
  switch (problem.kind()) {
    case Kind::index_2:
      check_index_2(form);
      if (problem.sizes().nq == 2 && problem.sizes().ny == 1) {
        return in_index_2(IndexTwoKernel<Vec<2>, Vec<1>>(problem), form);
      }
      return in_index_2(AnyIndexTwo(problem), form);
    case Kind::second_order:
      check_index_3(form, problem.structure().has_curvature);
      return detail::regularize_index_3<SecondOrderPoint<SecondOrderKernel>>(
          SecondOrderKernel(problem), form);
    case Kind::multibody:
      check_index_3(form, problem.structure().has_curvature);
      if (auto small = detail::regularize_small_multibody(problem, form)) return small;
      if (auto structured = detail::regularize_structured_multibody(problem, form)) {
        return structured;
      }
      return detail::regularize_any_multibody(problem, form);
    default:
      break;
  }
  throw InvalidProblem(std::string("a problem of kind \"") + name_of(problem.kind()) +
                       "\" has no constraints to regularize");
}

}  // namespace daewave
