#pragma once
// The seam between regularization and discretization, with sizes known at run time only.

#include <memory>
#include <string>
#include <utility>

#include "core/regularize/form.hpp"
#include "core/types.hpp"

namespace daewave::erased {

/// What one iterate leaves for the next is carried: y, ny; or B y, nx, where y may be unbounded; or
/// zeta, 2 ny. An object holds the memory of an evaluation: one for each thread.
class RegularizedOde {
 public:
  virtual ~RegularizedOde() = default;

  virtual int size() const = 0;     ///< Entries of x.
  virtual int carried() const = 0;  ///< Entries of what is carried.
  virtual const RegularizedForm& form() const = 0;
  bool carries_By() const { return daewave::carries_By(form().variant); }

  /// x_s' and y_s at one point, which share their work; sized here, where they are not.
  /// @param before  y_{s-1}(t); may be `carried`.
  /// @return false where it cannot be evaluated; failure() tells why, and nothing is changed.
  virtual bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope,
                        VecX& carried) = 0;
  /// Largest |g|, and |G v + g_t| of index 3, at the state last evaluated.
  virtual void residuals(double& position, double& velocity) = 0;
  /// Evaluations in which the rank guard dropped a row of G.
  virtual long guarded() const = 0;
  virtual std::string failure() const = 0;

  /// The same problem and form, with a memory of its own, in which nothing is counted yet.
  virtual std::unique_ptr<RegularizedOde> clone() const = 0;
};

/// @tparam R  RegularizedIndex2, RegularizedSingular3, ...: evaluate(x, t, before, slope, carried)
///            of vectors of its own State and Carried, residuals(), form() and failure().
template <class R>
class RegularizedOdeOf final : public RegularizedOde {
  using State = typename R::State;
  using Carried = typename R::Carried;

 public:
  RegularizedOdeOf(R ode, int size, int carried)
      : ode_(std::move(ode)), size_(size), carried_(carried) {}

  int size() const override { return size_; }
  int carried() const override { return carried_; }
  const RegularizedForm& form() const override { return ode_.form(); }

  bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope, VecX& carried) override {
    // Maps of fixed size are copied in registers.
    x_ = Eigen::Map<const State>(x.data(), size_);
    before_ = Eigen::Map<const Carried>(before.data(), carried_);
    if (!ode_.evaluate(x_, t, before_, slope_, after_)) return false;
    slope.resize(size_);
    carried.resize(carried_);
    Eigen::Map<State>(slope.data(), size_) = slope_;
    Eigen::Map<Carried>(carried.data(), carried_) = after_;
    return true;
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
  State x_, slope_;
  Carried before_, after_;
};

}  // namespace daewave::erased
