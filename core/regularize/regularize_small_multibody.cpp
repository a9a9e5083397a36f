#include "core/kernels/small_kernels.hpp"
#include "core/regularize/regularize_kernel.hpp"

namespace daewave::detail {

// In sizes/.
extern template std::unique_ptr<RegularizedOde> regularize_as<SmallMultibody<2, 1>>(
    const DaeProblem&, const Regularization&);
extern template std::unique_ptr<RegularizedOde> regularize_as<SmallMultibody<3, 1>>(
    const DaeProblem&, const Regularization&);
extern template std::unique_ptr<RegularizedOde> regularize_as<SmallMultibody<4, 2>>(
    const DaeProblem&, const Regularization&);
extern template std::unique_ptr<RegularizedOde> regularize_as<SmallDiagonalMultibody<9, 2>>(
    const DaeProblem&, const Regularization&);
extern template std::unique_ptr<RegularizedOde> regularize_as<SmallMultibody<7, 6>>(
    const DaeProblem&, const Regularization&);
extern template std::unique_ptr<RegularizedOde> regularize_as<SmallDiagonalMultibody<6, 5>>(
    const DaeProblem&, const Regularization&);

std::unique_ptr<RegularizedOde> regularize_small_multibody(const DaeProblem& problem,
                                                           const Regularization& form) {
  return with_small_kernel<std::unique_ptr<RegularizedOde>>(
      problem, [&]<class Kernel>() { return regularize_as<Kernel>(problem, form); });
}

}  // namespace daewave::detail
