#include "core/kernels/small_kernels.hpp"
#include "ivp/reduced/reduce_kernel.hpp"

namespace daewave::ivp::detail {

// In sizes/.
extern template std::unique_ptr<ReducedOde> reduce_as<SmallMultibody<2, 1>>(const DaeProblem&,
                                                                            const Reduction&);
extern template std::unique_ptr<ReducedOde> reduce_as<SmallMultibody<3, 1>>(const DaeProblem&,
                                                                            const Reduction&);
extern template std::unique_ptr<ReducedOde> reduce_as<SmallMultibody<4, 2>>(const DaeProblem&,
                                                                            const Reduction&);
extern template std::unique_ptr<ReducedOde> reduce_as<SmallDiagonalMultibody<9, 2>>(
    const DaeProblem&, const Reduction&);
extern template std::unique_ptr<ReducedOde> reduce_as<SmallMultibody<7, 6>>(const DaeProblem&,
                                                                            const Reduction&);
extern template std::unique_ptr<ReducedOde> reduce_as<SmallDiagonalMultibody<6, 5>>(
    const DaeProblem&, const Reduction&);

std::unique_ptr<ReducedOde> reduce_small_multibody(const DaeProblem& problem,
                                                   const Reduction& how) {
  return with_small_kernel<std::unique_ptr<ReducedOde>>(
      problem, [&]<class Kernel>() { return reduce_as<Kernel>(problem, how); });
}

}  // namespace daewave::ivp::detail
