#pragma once
// A problem with what has been seen in its mathematics, which was written down
// (core/adapt/recorded.hpp): derivatives of constraints as tapes in SIMD lanes of any instruction
// set, the pattern of G, a mass that is constant or diagonal. What was not written down, as it is
// no template or decides by values, is asked of the problem as it was stated.

#include <optional>
#include <vector>

#include "core/adapt/recorded.hpp"
#include "core/equations/equations.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave {

/// Writes a multibody problem down, term by term; of those that were decided by a value nothing is
/// kept.
class ProblemRecorder {
 public:
  /// Coordinates: what has less of them is faster as it was compiled.
  static constexpr int fewest = 2;

  /// @param state  (q, v), where the values are that something is decided by.
  ProblemRecorder(const Sizes& sizes, const VecX& state, double t);

  const std::vector<Recorded>& q() const { return q_; }
  const std::vector<Recorded>& v() const { return v_; }
  const Recorded& t() const { return t_; }

  void take_f(const Recorded* f, int size) { take(f, size, equations_.f); }
  void take_g(const Recorded* g, int size) { take(g, size, equations_.g); }
  void take_w(const Recorded* w, int size) { take(w, size, equations_.w); }
  /// nq entries of the diagonal, or all nq x nq.
  void take_M(const Recorded* M, int size);

  /// The problem with what has been seen; null where constraints were not. To be called once.
  DaeProblemPtr found(const DaeProblemPtr& stated);

 private:
  void take(const Recorded* values, int size, std::vector<expression::Ref>& to);

  Sizes sizes_;
  Recorder recorder_;
  Recorded t_;
  std::vector<Recorded> q_, v_;
  expression::Equations equations_;
};

}  // namespace daewave
