#pragma once
// The equations of collocation on a mesh, chunk by chunk of its intervals:
//
//   X_j = x_i + h sum_l a_jl K_l,   K_j = F(X_j, t_i + c_j h; y),   x_{i+1} = x_i + h sum_l b_l K_l
//
// with conditions at both ends: their residuals, their linearization, and the change that this
// makes of the residuals. The slopes K of an interval are eliminated, which leaves a bordered
// almost block diagonal system for the nodes (core/blocks/babd_matrix.hpp).

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bvp/equations/iterate_system.hpp"
#include "bvp/newton/chunk_worker.hpp"
#include "bvp/slopes/slope_elimination.hpp"
#include "bvp/slopes/stage_chunks.hpp"
#include "core/blocks/checked_solver.hpp"
#include "core/ranks/mesh_share.hpp"
#include "core/report/report.hpp"
#include "core/report/stopwatch.hpp"
#include "core/threads/executor.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// Unknowns, or a change of them.
struct CollocationUnknowns {
  MatX x;              ///< At nodes.
  UnsetVector slopes;  ///< At stages, in chunks.
  double size = 0;     ///< Of a change: as size() tells, by the weights of linearize().
};

/// Of a batch of a system: as many as stay in the cache, or, where a call costs far more than a
/// point, as there is memory for.
int points_of_chunk(const IterateSystem& system);

class CollocationEquations {
 public:
  /// All are kept by reference. @param executor  null: one thread.
  /// @param share  with whom the mesh is shared: intervals are then those that are here, and all
  ///               ranks call the same. What is found of all is told to all.
  CollocationEquations(IterateSystem& system, TwoPointConditions& conditions, const Mesh& mesh,
                       const Collocation& scheme, const std::string& solver,
                       const Executor* executor, MeshShare share = {});

  int nx() const { return n_; }
  int carried() const { return carried_count_; }
  const StageChunks& chunks() const { return chunks_; }
  const Mesh& mesh() const { return mesh_; }
  const MeshShare& share() const { return share_; }
  const Collocation& scheme() const { return scheme_; }
  double stage_time(int i, int j) const;

  /// y of the iterate before, at stages; and what was last found there of what is carried, for the
  /// next evaluation to start from.
  AlignedVector& before() { return before_; }
  AlignedVector& carried_values() { return carried_; }

  /// Residuals at `at`, and what it leaves.
  bool evaluate(const CollocationUnknowns& at, bool with_drift);
  /// The same where linearize() comes next, with the same `moved`: where calls are dear, what it
  /// needs is asked for in the same one.
  bool evaluate_first(const CollocationUnknowns& at, const VecX& moved);
  /// Whether that leaves nothing but residuals.
  bool leaves_residuals_alone() const { return system_.leaves_slopes_alone(); }
  /// The same at from + part d, which `at` becomes; with what linearize() needs there, where
  /// another call is dearer than it. @param next  gets what change(at, *next) begins with, while
  /// all that it takes is at hand; null: that is not called.
  bool evaluate(const CollocationUnknowns& from, double part, const CollocationUnknowns& d,
                const VecX& moved, CollocationUnknowns& at, CollocationUnknowns* next);
  /// Whether linearize() needs no further evaluation.
  bool has_jacobians() const { return has_jacobians_; }
  /// After evaluate() at the same values: eliminates the slopes, factorizes, and finds the change
  /// `d`. @param moved  by parts of it components are moved for differences, > 0. @param weight  of
  /// components, > 0: in units of these the linear equations are eliminated.
  bool linearize(const CollocationUnknowns& at, const VecX& moved, const VecX& weight,
                 CollocationUnknowns& d);
  /// From the next linearize() on equations are eliminated in units of components by themselves,
  /// `moved`, however small beside others: these may be no more than rounding, which is why it is
  /// not done everywhere. @param sizes  false, and nothing done, where these need no units.
  bool take_own_units(const VecX& sizes);
  void take_units_of_weights() { in_own_units_ = false; }
  bool are_own_units_taken() const { return in_own_units_; }
  /// The change that the linearization at hand makes of the residuals of the last evaluate(), which
  /// was at `at`.
  bool change(const CollocationUnknowns& at, CollocationUnknowns& d);

  /// Root mean square of the changes of nodes, and of slopes times steps, in units of the weights.
  double size(const CollocationUnknowns& d, const VecX& weight);
  /// The same of d - part e.
  double size_of_gap(const CollocationUnknowns& d, double part, const CollocationUnknowns& e,
                     const VecX& weight);
  /// The same of what rounding in the residuals at `at`, where linearize() was, makes of them; 0
  /// where that is not known. What was evaluated last is lost.
  double rounding(const CollocationUnknowns& at, const VecX& weight);

  /// kappa_1 of the linearization at hand: what a change of each condition, by the weights of what
  /// it is about, does to x at nodes, in units of the sizes; of up to 8 random combinations where
  /// there are more conditions. 0 where nothing was linearized.
  double boundary_conditioning(const VecX& weight, const VecX& sizes);

  /// Of the same: what residuals in each row of x' = F do to x (bvp/residual/influences.hpp). Zero
  /// where nothing was linearized.
  VecX influences(const VecX& sizes);

  /// How far the stages evaluated last with_drift are off the constraints.
  double drift() const { return drift_; }
  const std::string& failure() const { return failure_; }
  const LinearSolveReport& linear_report() const { return solver_.report(); }
  /// Of all calls so far, by phase; no total.
  const Seconds& seconds() const { return seconds_; }

 private:
  class Borrowed;
  /// What came of a chunk.
  struct Outcome {
    std::string failure, unsolved;
    double drift = 0, sum = 0;
  };

  /// @param work  called as work(ChunkWorker&, int chunk, Outcome&), by any thread.
  template <class Work>
  void over_chunks(const Work& work) {
    over_all_chunks(std::cref(work));  // Of a reference no memory is made.
  }
  void over_all_chunks(const std::function<void(ChunkWorker&, int chunk, Outcome&)>& work);
  /// The same of what counts as that phase.
  template <class Work>
  void condense_chunks(const Work& work) {
    const TimeOf time(seconds_.condense);
    over_chunks(work);
  }
  bool all_well();
  std::unique_ptr<ChunkWorker> make_worker() const;
  IteratePoints stages_of(int chunk, ChunkWorker& worker);
  void fill_stages(const CollocationUnknowns& at, int chunk, ChunkWorker& worker);
  bool evaluate_ends(const CollocationUnknowns& at);
  /// x at the first node and at the last one of all ranks.
  const std::pair<VecX, VecX>& ends_of(const CollocationUnknowns& at);
  void evaluate_chunk(const CollocationUnknowns& at, int chunk, bool with_drift,
                      ChunkWorker& worker, Outcome& outcome);
  void linearize_chunk(const CollocationUnknowns& at, int chunk, const VecX& moved,
                       ChunkWorker& worker, Outcome& outcome);
  void eliminate(const CollocationUnknowns& at, int chunk, bool with_nodes, ChunkWorker& worker,
                 std::string& failure, CollocationUnknowns& d);
  bool solve_nodes(CollocationUnknowns& d, bool is_further);
  double squares(const CollocationUnknowns& d, double part, const CollocationUnknowns& e, int chunk,
                 const ChunkWorker& worker) const;
  double root_of_squares(const CollocationUnknowns& d, double part, const CollocationUnknowns& e);
  bool assemble(const CollocationUnknowns& at, const VecX& moved, bool known,
                CollocationUnknowns& d);
  bool factorize_and_solve(CollocationUnknowns& d);
  /// Whether they need no units.
  static bool are_alike(const VecX& sizes);
  void choose_units(const VecX& sizes);
  void put_in_units(int chunk, double* J);
  void condition_units();
  void find_noise(int chunk, ChunkWorker& worker);
  void limit_constants(VecX& sizes);

  IterateSystem& system_;
  TwoPointConditions& conditions_;
  const Mesh& mesh_;
  const Collocation& scheme_;
  const Executor* executor_;
  MeshShare share_;
  Serial serial_;
  int n_, k_, carried_count_;
  StageChunks chunks_;
  CheckedSolver solver_;
  BabdMatrix matrix_;
  SlopeElimination slopes_;
  std::vector<double> weights_of_stages_;  ///< By row.
  /// Of which the right sides and y are those of the last evaluate(); null: of none.
  const CollocationUnknowns* eliminated_ = nullptr;
  AlignedVector before_, carried_;
  UnsetVector rates_;             ///< F at stages.
  AlignedVector next_jacobians_;  ///< Where they came with an evaluation.
  AlignedVector node_residuals_;  ///< Rows of intervals.
  VecX condition_residuals_, right_, u_;
  VecX inverse_weight_, inverse_;  ///< Of linearize(); of changes that are measured.
  std::pair<VecX, VecX> ends_;
  /// Powers of two, of components and of conditions, in which the linear equations are eliminated
  /// where components are of very different size: pivots are chosen by size. Empty: one.
  VecX units_, units_of_conditions_;
  bool in_own_units_ = false;  ///< In those of components by themselves, not of weights.
  double drift_ = 0;
  bool has_jacobians_ = false;  ///< At the stages evaluated last.
  std::string failure_;
  Seconds seconds_;
  std::vector<Outcome> outcomes_;
  std::exception_ptr thrown_;  ///< By what was done last for chunks, where others are to know.
  std::mutex mutex_;
  std::vector<std::unique_ptr<ChunkWorker>> idle_;
  std::unique_ptr<IterateSystem> prototype_;  ///< Of those of other threads; never evaluated.
};

}  // namespace daewave::bvp
