#pragma once
// A kernel of the library in a form: what regularize() compiles for each.

#include <memory>
#include <string>
#include <utility>

#include "core/regularize/regularize_problem.hpp"
#include "core/regularize/regularized_ode_of.hpp"

namespace daewave::detail {

/// Keeps the kernel that the equations refer to; kernels know nothing of threads, and copies share
/// it.
class WithKernel final : public RegularizedOde {
 public:
  WithKernel(std::shared_ptr<const void> kernel, std::unique_ptr<RegularizedOde> ode)
      : kernel_(std::move(kernel)), ode_(std::move(ode)) {}

  int size() const override { return ode_->size(); }
  int carried() const override { return ode_->carried(); }
  const RegularizedForm& form() const override { return ode_->form(); }
  bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope, VecX& carried) override {
    return ode_->evaluate(x, t, before, slope, carried);
  }
  void residuals(double& position, double& velocity) override {
    ode_->residuals(position, velocity);
  }
  long guarded() const override { return ode_->guarded(); }
  std::string failure() const override { return ode_->failure(); }
  std::unique_ptr<RegularizedOde> clone() const override {
    return std::make_unique<WithKernel>(kernel_, ode_->clone());
  }

 private:
  std::shared_ptr<const void> kernel_;
  std::unique_ptr<RegularizedOde> ode_;
};

/// @tparam R  of a kernel. @param carried  entries of what it carries.
template <class R, class Kernel>
std::unique_ptr<RegularizedOde> regularize_kernel(const DaeProblem& problem,
                                                  const RegularizedForm& form, int carried) {
  auto kernel = std::make_shared<const Kernel>(problem);
  auto ode = std::make_unique<RegularizedOdeOf<R>>(R(*kernel, form), problem.state_size(), carried);
  return std::make_unique<WithKernel>(std::move(kernel), std::move(ode));
}

}  // namespace daewave::detail
