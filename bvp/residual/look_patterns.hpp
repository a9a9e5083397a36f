#pragma once
// Where in an interval a solution is looked at: between its stages, the more often the longer the
// interval is.

#include <memory>
#include <vector>

#include "bvp/residual/places.hpp"
#include "core/time/collocation_scheme.hpp"

namespace daewave::bvp {

/// Jumps are told at once, from one look at each interval, where no more is wanted.
enum class LookFor { jumps, everything };

/// Points in [0, 1], and the part of smooth right sides there.
struct LookPattern {
  std::vector<double> theta;      ///< Increasing.
  VecX gaps;                      ///< Between points, and to both ends; one more than points.
  VecX parts;                     ///< Of the interval that points stand for.
  MatX smooth, fit;               ///< points x 2, both.
  PolynomialsAt at, with_stages;  ///< The latter at the stages first.
};

/// Those of the intervals of a mesh. What was made once serves all meshes with the same stages,
/// also those of other solutions, on any thread.
class LookPatterns {
 public:
  /// Both are kept by reference.
  /// @param per_time  points in a unit of time, at the least.
  LookPatterns(const Collocation& scheme, const StagePolynomials& polynomials, double per_time,
               LookFor wanted);

  /// For an interval of length h; it lives as long as this.
  const LookPattern& of(double h);

 private:
  int least_in(int gap) const;
  LookPattern made() const;

  const Collocation& scheme_;
  const StagePolynomials& polynomials_;
  double per_time_;
  LookFor wanted_;
  std::vector<double> stage_ends_;  ///< 0, stages between, and 1.
  std::vector<double> least_;       ///< Points between two of them.
  /// How many points there are between two of them, where keys differ first; and stages, by whose
  /// number it is clear where those begin.
  std::vector<double> key_;
  struct Used {
    std::vector<double> counts;  ///< Points between two stages.
    std::shared_ptr<const LookPattern> pattern;
  };
  std::vector<Used> used_;
  const LookPattern* least_of_all_ = nullptr;  ///< That of short intervals.
};

}  // namespace daewave::bvp
