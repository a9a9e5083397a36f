#include "core/kernels/multibody_kernel.hpp"
#include "ivp/reduced/reduce_kernel.hpp"

namespace daewave::ivp::detail {

template std::unique_ptr<ReducedOde> reduce_as<SmallDiagonalMultibody<9, 2>>(const DaeProblem&,
                                                                             const Reduction&);

}  // namespace daewave::ivp::detail
