#pragma once
// How a refinement ends: what the report of the last solution says, and advises.

#include <string>

#include "bvp/mesh/error_estimate.hpp"
#include "bvp/mesh/refinement.hpp"

namespace daewave::bvp {

class Endings {
 public:
  /// All are kept by reference.
  Endings(const MeshSolver& solver, const RefinementControl& control,
          const DifferenceEstimate& estimate)
      : solver_(solver), control_(control), estimate_(estimate) {}

  Solution accepted(Solution fine) const;
  /// The last mesh that was solved, told why the next one was not.
  static Solution ended(Solution last, const Report& next);
  /// The caller stops a look at it. @param phase  "looking between the stages".
  static Solution stopped(Solution last, const std::string& phase);
  /// Something was seen between the stages that no mesh has resolved, or it could not be looked.
  static Solution not_seen(Solution last, const Look& look);
  Solution not_finite(Solution last) const;
  /// Errors are small, the residual is `excess` times what it may be. @param why  it remains so.
  static Solution residual_remains(Solution last, double excess, const std::string& why);
  Solution too_many_meshes(Solution last, int meshes) const;
  /// @param beyond_memory  why memory does not hold the next mesh; empty: it is beyond what is
  ///                       allowed.
  Solution limit_reached(Solution last, const IntervalErrors& local,
                         const std::string& beyond_memory) const;
  /// Rounding alone is more than the tolerance.
  Solution rounding_amplified(Solution last) const;
  /// The same, or that conditions leave the solution open, where they had another influence
  /// on the mesh before.
  Solution amplified(const Report& before, Solution last) const;
  /// Of what is carried. @param at  where rounding is most.
  Solution carried_in_rounding(Solution last, double rounding, double at) const;
  /// Finer meshes are in vain. @param at_rounding  for rounding alone.
  Solution in_vain(Solution last, const IntervalErrors& local, bool at_rounding) const;

 private:
  Solution not_met(Solution last, const std::string& why, std::string advice) const;

  const MeshSolver& solver_;
  const RefinementControl& control_;
  const DifferenceEstimate& estimate_;
};

}  // namespace daewave::bvp
