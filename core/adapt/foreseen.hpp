#pragma once
// Terms that were evaluated for many points in one call, for evaluations that ask for them point by
// point.

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "core/problem/dae_problem.hpp"

namespace daewave {

/// All points of one call, and what was evaluated there.
struct ForeseenPoints {
  Ask what{};
  int count = 0;
  Sizes sizes{};
  bool has_v = false;
  std::vector<double> t, q, v;              ///< Entry i at point p is [i * count + p].
  std::vector<std::vector<double>> arrays;  ///< In the order of arrays_of(); the same layout.

  /// The point with t and q of a batch of one, from `first` on and around, and with its v where
  /// there is one; -1 where there is none.
  int find(const Points& at, int first) const;
  bool has_v_of(const Points& at, int point) const;
};

/// Those of one problem; may be used from several threads at once.
class Foreseen {
 public:
  void set(std::shared_ptr<const ForeseenPoints> points);
  void forget() { set(nullptr); }
  /// Null where there are none.
  std::shared_ptr<const ForeseenPoints> points() const;

 private:
  std::atomic<bool> any_{false};
  mutable std::mutex mutex_;
  std::shared_ptr<const ForeseenPoints> points_;
};

}  // namespace daewave
