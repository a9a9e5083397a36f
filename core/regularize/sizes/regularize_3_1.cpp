#include "core/kernels/multibody_kernel.hpp"
#include "core/regularize/regularize_kernel.hpp"

namespace daewave::detail {

template std::unique_ptr<RegularizedOde> regularize_as<SmallMultibody<3, 1>>(const DaeProblem&,
                                                                             const Regularization&);

}  // namespace daewave::detail
