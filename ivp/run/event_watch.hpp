#pragma once
// Sign changes of event functions over a step, and where they happen in it.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ivp/options/event.hpp"

namespace daewave::ivp {

/// Looks at the functions at the ends of steps, and into steps in which values and slopes at both
/// ends let a function turn toward zero: at seven places and where it turns between them; what
/// changes its sign there is located. So are long steps, all of them, and the first and some of the
/// others: what was not foreseen there is told, as it may be missed in others. A zero at the end of
/// a step belongs to that step; one at the start is none, but for events that are told to be looked
/// at there.
class EventWatch {
 public:
  /// State inside a step, theta in [0, 1].
  using Interpolant = std::function<void(double theta, VecX& state)>;
  /// The same, as exact as ends of steps are; false where it is not known.
  using Solved = std::function<bool(double theta, VecX& state)>;
  /// What it makes of the function of an event.
  using Rounding = std::function<double(int event, double t, const VecX& state)>;

  /// `events` is kept by reference.
  explicit EventWatch(const std::vector<Event>& events);

  bool watches() const { return !events_.empty(); }

  /// @param passed  of a run that starts anew, as Piece::passed: the function of such an event is
  ///                zero but for rounding, and its sign is that which it takes in the first step.
  /// @param rounding  as Piece::rounding: such an event happens at the start where the first step
  ///                takes its function the way of its direction.
  /// @return  false where a function is not a number, as after step(): failure() tells which.
  bool start(double t, const VecX& state, const std::vector<int>& passed = {},
             const Rounding& rounding = {});
  const std::string& failure() const { return failure_; }
  /// Of a step that is tried once more, shorter: from its begin. False as of start().
  bool go_back(double t, const VecX& state);

  /// Asked before step() about the first one: how much of it may be taken, 1 for all. Less where
  /// the state is thrown back from an event that was passed at the start, and comes back and goes
  /// through within the step without being seen to: beyond such a step the event would not be
  /// seen any more.
  double part_of_first(double t0, double t1, const VecX& end, const Interpolant& at);
  /// The last one that let part_of_first() ask for less.
  std::size_t returning() const { return returning_; }

  /// What happened in the step from t0 to t1, in its order, up to the first event that ends the
  /// run or the piece, and those of the same time but for rounding.
  /// Rising is meant in the direction of integration.
  /// @param is_long  as Step::is_long().
  /// @param solved   where what was found by `at` is to be, and its state; empty: as `at` has it.
  const std::vector<Occurrence>& step(double t0, double t1, const VecX& end, const Interpolant& at,
                                      bool is_long = false, const Solved& solved = {});

  /// Events that changed their sign more than once in a step, one sentence each; none in most runs.
  std::vector<std::string> overlooked() const;

  /// The event of an occurrence stops the run, or changes the state.
  bool ends(const Occurrence& occurrence) const;

 private:
  /// Where a step is looked into, as parts of it,
  static constexpr double places_[] = {0.11, 0.23, 0.36, 0.5, 0.64, 0.77, 0.89};
  /// and where the sign behind a zero at its begin is looked for first.
  static constexpr double nearest_to_start_ = 0x1p-20;
  /// Inside of a step, so small a part of the largest value so far has no sign but that of
  /// rounding.
  static constexpr double rounding_part_ = 1e-13;

  /// Where in a step a function was seen to have a sign.
  struct Seen {
    double theta = 0, value = 0;
  };

  /// What comes back after an event was passed at the start.
  struct Return {
    double back = 0, from = 0;  ///< The most that it is back on this side of zero, and where.
    double away = 0;            ///< Where it was last seen nearer to this side than at the start;
                                ///< 0: it does not go there from the start.
    bool seen = false;          ///< It is back by more than rounding.
  };

  double value(std::size_t event, double t, const VecX& state);
  double value_in(std::size_t event, double t, const VecX& state) const {
    return events_[event].function(t, state) - level_[event];
  }
  bool may_turn(std::size_t event, double length);
  void foresee_turns(double t0, double t1, const VecX& end, const Interpolant& at, bool is_long);
  void look_inside(double t0, double t1, const VecX& end, const Interpolant& at, bool all);
  void look_at_turns(std::size_t event, double t0, double t1, const VecX& end,
                     const Interpolant& at);
  void take_signs(std::size_t event, bool is_long);
  void find_zero(std::size_t event, const Seen& from, const Seen& to, double t0, double t1,
                 const VecX& end, const Interpolant& at);
  Return return_of(std::size_t event, double t0, double t1, const VecX& end, double after,
                   const Interpolant& at) const;
  void leave_passed(std::size_t event, double t0, double t1, const VecX& end,
                    const Interpolant& at);
  double rounding_at_start(std::size_t event, double t0) const;
  void level_out(std::size_t event);
  bool may_start(std::size_t event) const;
  void leave_start(std::size_t event, double t0, double t1, const VecX& end, const Interpolant& at);
  void leave_zero(std::size_t event, double begin, double rounding, double t0, double t1,
                  const VecX& end, const Interpolant& at);
  Occurrence locate(int event, const Seen& from, const Seen& to, double t0, double t1,
                    const VecX& end, const Interpolant& at);
  /// A zero, and the state there.
  struct Located {
    double theta = 0;
    VecX state;
  };
  Located solved_at(std::size_t event, const Located& by_interpolant, const Seen& from,
                    const Seen& to, double t0, double t1, const Interpolant& at);
  bool solve_for_zero(std::size_t event, Located& zero, const Seen& from, const Seen& to, double t0,
                      double t1, const Interpolant& at);

  const std::vector<Event>& events_;
  std::vector<double> before_, after_;
  std::vector<double> from_;  ///< theta where before_ was found, 0 but behind a zero.
  std::vector<int> passed_;   ///< Of the first step.
  Rounding rounding_;
  VecX start_;
  std::vector<double> noise_;  ///< What the functions of passed events are at the start.
  /// What counts as zero: of an event that was passed and whose state, thrown back, begins beyond
  /// zero but for what its location is off by, that, until it has come back to this side.
  std::vector<double> level_;
  std::size_t returning_ = 0;
  /// Steps in which an event changed its sign more than once unforeseen, or in long ones and those
  /// that it turns in so often that it may have changed it between the places too.
  std::vector<long> overlooked_;
  long steps_ = 0, looks_ = 0;
  double last_length_ = 1;                ///< Of the step before,
  std::vector<double> last_change_;       ///< and what each function changed by in it.
  std::vector<std::vector<Seen>> turns_;  ///< Of each event in a step, as foreseen.
  std::vector<std::vector<Seen>>
      seen_;  ///< Of each event in a step that was looked into, in order.
  std::vector<std::vector<Seen>> near_start_;  ///< The same, of what is zero at the begin of it.
  std::vector<double> largest_;     ///< Of each event, inside of steps and at their ends.
  const Solved* solved_ = nullptr;  ///< In step().
  /// Of the step, zeros of the interpolant, and as they were solved for.
  std::vector<std::pair<double, Located>> located_;
  std::vector<Occurrence> found_;
  std::string failure_;
};

}  // namespace daewave::ivp
