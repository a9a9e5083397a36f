#pragma once
// A kernel in a regularized form, which keeps it.

#include <memory>

#include "core/kernels/own_evaluation.hpp"
#include "core/regularize/regularize_multibody.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "core/regularize/regularized_ode_of.hpp"

namespace daewave::detail {

/// A form that refers to its kernel, which clones share: it holds nothing of an evaluation.
template <class R, class Kernel>
class RegularizedKernel final : public RegularizedOdeOf<R> {
 public:
  RegularizedKernel(std::shared_ptr<const Kernel> kernel, const Regularization& form, int size,
                    int carried)
      : RegularizedOdeOf<R>(R(*kernel, form), size, carried), kernel_(kernel) {}

  std::unique_ptr<RegularizedOde> clone() const override {
    return std::make_unique<RegularizedKernel>(kernel_, this->form(), this->size(),
                                               this->carried());
  }

 private:
  std::shared_ptr<const Kernel> kernel_;
};

template <class R, class Kernel>
std::unique_ptr<RegularizedOde> regularize_by(const Kernel& kernel, const Regularization& form,
                                              int carried) {
  return std::make_unique<RegularizedKernel<R, Kernel>>(
      std::make_shared<const Kernel>(kernel), form, kernel.erased().state_size(), carried);
}

/// Of index 3. @tparam Point  SecondOrderPoint or MultibodyPoint of the kernel.
template <class Point, class Kernel>
std::unique_ptr<RegularizedOde> regularize_index_3(const Kernel& kernel,
                                                   const Regularization& form) {
  const Sizes& n = kernel.erased().sizes();
  if (form.variant == Variant::singular) {
    return regularize_by<RegularizedSingular3<Point>>(kernel, form, n.nq);
  }
  if (form.variant == Variant::invariant_reduced) {
    return regularize_by<RegularizedReduced<Point>>(kernel, form, 2 * n.nl());
  }
  return regularize_by<RegularizedIndex3<Point>>(kernel, form, n.nl());
}

/// Of a kernel of multibody systems, made here.
template <class Kernel>
std::unique_ptr<RegularizedOde> regularize_as(const DaeProblem& problem,
                                              const Regularization& form) {
  return regularize_index_3<MultibodyPoint<Kernel>>(Kernel(problem), form);
}

}  // namespace daewave::detail
