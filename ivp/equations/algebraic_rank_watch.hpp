#pragma once
// Whether dr/dw of a DAE of index 1 was singular between two steps of a run: there roots of
//
//   0 = r(z, w, t)
//
// may meet, and Newton's method finds either of them behind it. From one step to the next the
// determinant has changed its sign.

#include "core/eigen_memory.hpp"

#include <Eigen/LU>

#include "core/kernels/index_kernels.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/report/report.hpp"

namespace daewave::ivp {

class AlgebraicRankWatch {
 public:
  /// @param problem  kept by reference; it has w.
  explicit AlgebraicRankWatch(const DaeProblem& problem) : problem_(problem) {}

  /// For as many unknowns: a determinant of more would take longer than a step does.
  static bool is_for(int nw) { return nw > 0 && nw <= 16; }

  /// The root w, at the begin of the run or at the end of a step.
  void see(double t, const VecX& z, const VecX& w);

  /// Warns where the sign has changed.
  void tell(Report& report) const;

 private:
  int sign_at(double t, const VecX& z, const VecX& w);

  InvariantKernel problem_;
  MatX J_;
  Eigen::PartialPivLU<MatX> lu_;
  double last_ = 0, from_ = 0, to_ = 0;
  int sign_ = 0;  ///< At last_; 0: not known.
  int changes_ = 0;
};

}  // namespace daewave::ivp
