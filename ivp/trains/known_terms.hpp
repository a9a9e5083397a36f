#pragma once
// Terms of a motion with constraints at several points side by side, of which a window has one for
// each of its nodes: as they were evaluated, or as a model has them.

#include "core/machine/aligned.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/types.hpp"

namespace daewave::ivp {

/// Entry i at point p is [i * width + p], and of a matrix with n rows entry (i, j) is
/// [(i + j n) * width + p].
struct KnownTerms {
  KnownTerms() = default;
  KnownTerms(const Sizes& sizes, Structure::Mass mass, int points);

  int width = 0, nq = 0, nl = 0;
  AlignedVector t, q, v;                     ///< Where.
  AlignedVector f, M, G, curvature, g, g_t;  ///< M: dense, or the diagonal alone.

  /// Entries of M.
  int mass_entries() const { return static_cast<int>(M.size()) / width; }
  /// Where points from `first` on are, and of an evaluation of them `what` it was asked for.
  void take(Ask what, const Terms& from, const Points& at, int first);
  /// Point p, at all points of the result.
  KnownTerms spread(int p, int points) const;
  /// Point p of this one becomes point `from` of the other.
  void copy_point(int p, const KnownTerms& other, int from);
  bool finite() const;
};

}  // namespace daewave::ivp
