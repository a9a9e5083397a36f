#pragma once
// Sweeps over windows of open chains with the nodes in SIMD lanes, for files that are compiled for
// one instruction set. Any number of bodies; time and memory are linear in it.

#include <limits>
#include <memory>

#include "core/lanes/lane_chain.hpp"
#include "core/problem/dae_problem.hpp"
#include "ivp/windows/compiled_windows.hpp"
#include "ivp/windows/lane_windows.hpp"

namespace daewave::ivp {

/// @tparam T  Lanes, as many as nodes.
template <class T>
class LaneChainSweeps final : public LaneWindows<T> {
 public:
  LaneChainSweeps(Evaluation* evaluation, const WindowTask& task)
      : evaluation_(evaluation),
        mass_constant_(task.mass_constant),
        chain_(task.sizes.nq / 3),
        q_(task.sizes.nq),
        v_(task.sizes.nq),
        new_(task.sizes.nq) {}
  LaneChainSweeps(const LaneChainSweeps&) = delete;
  LaneChainSweeps& operator=(const LaneChainSweeps&) = delete;

  DAEWAVE_FLATTEN Sweep sweep(const WindowBegin& from, const double* weight, double* a) override {
    this->states(from, a, q_.data(), v_.data());
    const Terms& at = terms(this->times(from));
    Sweep result;
    if (at.stride != T::width || chain_.solve(at.f, at.G, at.curvature, new_.data()).any()) {
      result.evaluated = false;
      return result;
    }
    result.pivot = std::numeric_limits<double>::infinity();  // Rows of a chain never depend.
    result.change = this->take(new_.data(), weight, from.nq, a);
    return result;
  }

 private:
  const Terms& terms(const T& t) {
    constexpr int W = T::width;
    constexpr Ask always = Ask::f | Ask::G | Ask::curvature;
    const bool with_mass = !(mass_constant_ && weighed_);
    const Terms& at =
        evaluation_->evaluate(with_mass ? always | Ask::M : always,
                              Points{W, W, reinterpret_cast<const double*>(&t),
                                     reinterpret_cast<const double*>(q_.data()),
                                     reinterpret_cast<const double*>(v_.data()), nullptr});
    if (with_mass && at.stride == W) {
      chain_.set_mass(at.M);
      weighed_ = true;
    }
    return at;
  }

  std::unique_ptr<Evaluation> evaluation_;
  bool mass_constant_, weighed_ = false;
  LaneChain<T> chain_;
  LaneArray<T> q_, v_, new_;
};

}  // namespace daewave::ivp
