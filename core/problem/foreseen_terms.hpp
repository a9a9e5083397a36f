#pragma once
// Terms of many points that will be asked for one by one, of a problem whose calls are dear: known
// as long as this lives. Of others it does nothing.

#include "core/problem/dear_calls.hpp"

namespace daewave {

class ForeseenTerms {
 public:
  /// @param terms  of these points.
  ForeseenTerms(const DaeProblem& problem, Ask what, const Points& at, const Terms& terms)
      : calls_(dear_calls_of(problem)) {
    if (calls_ != nullptr) calls_->know(what, at, terms);
  }
  ~ForeseenTerms() {
    if (calls_ != nullptr) calls_->foresee(Ask{}, Points{0});
  }
  ForeseenTerms(const ForeseenTerms&) = delete;
  ForeseenTerms& operator=(const ForeseenTerms&) = delete;

 private:
  const DearCalls* calls_;
};

}  // namespace daewave
