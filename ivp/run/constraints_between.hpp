#pragma once
// Constraints that are driven, between the ends of steps. What is integrated has their second
// derivatives, to which a drive that turns, jumps or moves within a step shows nothing; at its end
// the step is brought back to them as if nothing were amiss, and between its ends positions are
// off.

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/step.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

class ConstraintsBetween {
 public:
  /// @param problem  its evaluation is taken. @param start  of the run, which goes over `span`.
  /// @param options  with all absolute tolerances.
  ConstraintsBetween(const DaeProblem& problem, const VecX& start, const Interval& span,
                     const Options& options);

  /// How much of a step from `begin` to `end`, which was accepted, may be taken, 1 for all of it.
  /// Less where driven constraints are off inside of it, by more than at its ends and than a state
  /// is that is wrong by `many` tolerances. Steps of a given length are taken in any case, and so
  /// are those that are far shorter than others.
  double part_of_step(double begin, double end, Step& step, double many);

  struct Place {
    double t = 0, off = 0;
    double part = 0;  ///< Of what it may be off.
  };
  /// Where a driven constraint was off most inside of a step that was taken, of what a state is off
  /// that is wrong by `away`, nq.
  Place worst(const VecX& away);
  /// One tolerance, of positions as large as they were.
  VecX tolerances() const;
  /// Where the way back to the constraints has moved positions, other than velocities say; off
  /// 0: nowhere.
  const Place& moved() const { return moved_; }

 private:
  void find_driven(const std::function<double(int)>& time, int count, const VecX& state);
  const Terms& evaluate(int count);
  void make_room(int count);
  void put(int point, int count, double t, const double* q);
  void allow(double t, const VecX& state, const VecX& away);
  void look(double begin, double length, int count);
  void look_roughly(double begin, double length, Step& step);
  void look_closely(double begin, double length, Step& step);
  double largest_part(const std::vector<Place>& off) const;
  void see_moved(double end, double size, Step& step, double many);

  std::unique_ptr<Evaluation> evaluation_;
  Tolerance tolerance_;
  bool chooses_, looks_in_steps_ = false;
  int nq_, ny_;
  bool has_velocity_;
  std::vector<bool> is_driven_;    ///< Of each row of g;
  std::vector<int> driven_;        ///< those that are.
  std::vector<double> allowed_;    ///< Of each driven row, by one tolerance.
  std::vector<double> t_, q_, v_;  ///< Of points that are evaluated.
  VecX size_;  ///< The largest that each entry was: a drive passes zero as well as any other place.
  VecX inside_, shifted_, begin_, speed_;
  double longest_ = 0;                                        ///< Step that was taken.
  double refused_ = std::numeric_limits<double>::infinity();  ///< Step from the same begin.
  std::vector<Place> found_, largest_;  ///< Of each driven row: in the last step, and in all.
  Place moved_;
  double end_ = 0;
  VecX state_;  ///< At the end of the last step that was taken.
};

}  // namespace daewave::ivp
