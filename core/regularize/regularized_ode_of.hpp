#pragma once
// A regularized problem with the sizes of its type behind the seam, where sizes are known at run
// time only.

#include <memory>
#include <string>
#include <utility>

#include "core/regularize/regularized_ode.hpp"

namespace daewave {

/// @tparam R  RegularizedIndex2, RegularizedSingular3, ...: evaluate(x, t, before, slope, carried)
///            of maps of its own State and Carried, residuals(), form() and failure().
template <class R>
class RegularizedOdeOf : public RegularizedOde {
  using State = typename R::State;
  using Carried = typename R::Carried;

 public:
  RegularizedOdeOf(R ode, int size, int carried)
      : ode_(std::move(ode)), size_(size), carried_(carried) {}

  int size() const override { return size_; }
  int carried() const override { return carried_; }
  const Regularization& form() const override { return ode_.form(); }

  bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope, VecX& carried) override {
    slope.resize(size_);
    carried.resize(carried_);
    // Maps of fixed size are read and written in registers.
    const Eigen::Map<const State> at(x.data(), size_);
    const Eigen::Map<const Carried> given(before.data(), carried_);
    Eigen::Map<State> rate(slope.data(), size_);
    Eigen::Map<Carried> left(carried.data(), carried_);
    return ode_.evaluate(at, t, given, rate, left);
  }
  void residuals(double& position, double& velocity) override {
    ode_.residuals(position, velocity);
  }
  long guarded() const override {
    if constexpr (requires { ode_.guarded(); }) return ode_.guarded();
    return 0;
  }
  std::string failure() const override { return ode_.failure(); }

  std::unique_ptr<RegularizedOde> clone() const override {
    return std::make_unique<RegularizedOdeOf>(ode_, size_, carried_);
  }

 private:
  R ode_;
  int size_, carried_;
};

}  // namespace daewave
