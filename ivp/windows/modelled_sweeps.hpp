#pragma once
// Sweeps over windows of problems of which a call is dear (core/problem/dear_calls.hpp). What the
// problem was in one sweep, and how that changes around it, is a model of it (term_model.hpp): the
// next sweep begins where sweeps of the model have come to. What a sweep changes is what the
// problem itself says, so that a window is as accurate as any other; fewer sweeps settle it.

#include <memory>

#include "ivp/windows/term_model.hpp"
#include "ivp/windows/window_sweeps.hpp"

namespace daewave::ivp {

class ModelledSweeps final : public WindowSweeps {
 public:
  /// @return null where calls are not dear, or lanes have no such kind, size or structure.
  static std::unique_ptr<ModelledSweeps> of(const DaeProblem& problem, double rank_tolerance);

  Sweep sweep(const WindowBegin& from, const double* weight, double* a) override;
  void extend(const double* series, const double* next, int nq, double begin, double ratio,
              double* a) const override {
    sweeps_->extend(series, next, nq, begin, ratio, a);
  }
  void expand(const double* a, int nq, double* series) const override {
    sweeps_->expand(a, nq, series);
  }

  /// By which sweeps of the model have contracted, in the window last swept over; those of the
  /// problem contract faster, as they begin with it.
  double rate() const { return rate_; }

 private:
  ModelledSweeps() = default;
  bool begins(const WindowBegin& from);
  void sweep_model(const WindowBegin& from, const double* weight, double* a);

  RememberedTerms* remembered_ = nullptr;  ///< Of sweeps_.
  std::unique_ptr<WindowSweeps> sweeps_, of_model_;
  bool known_ = false;
  double t_ = 0, h_ = 0, rate_ = 0;
  AlignedVector z_, before_;
};

}  // namespace daewave::ivp
