#pragma once
// What events do to the state at the time at which they happened: their changes, made consistent
// with the constraints, and whether the run can go on from there.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/report/report.hpp"
#include "ivp/options/options.hpp"

namespace daewave::ivp {

class EventChanges {
 public:
  /// Whether the run goes on from a state, or it is only looked at.
  enum class Use { goes_on, look };
  /// Brings a state to the constraints. @throws InvalidProblem where it cannot
  using MakeConsistent = std::function<void(VecX& z, double t, const Options& options, Use use)>;

  /// z' at a consistent state; empty where it is not known.
  using Slope = std::function<VecX(double t, const VecX& z)>;

  /// Why the run ends at the event.
  struct Failure {
    Termination termination;
    std::string message;
    const char* advice;
  };

  /// A time, and what is rounding of it.
  struct Place {
    double t, rounding;
  };

  /// All are kept by reference. @param second_order  the state is (q, v). @param slope  may be
  /// none.
  EventChanges(const MakeConsistent& make_consistent, bool second_order, const Slope& slope,
               const Options& options)
      : make_consistent_(make_consistent),
        second_order_(second_order),
        slope_(slope),
        options_(options) {}

  bool any_changes(const std::vector<Occurrence>& found) const;
  /// The first of them that ends the run; null: none does.
  const Event* end_among(const std::vector<Occurrence>& found) const;
  const Event& event_of(const Occurrence& one) const {
    return options_.events[static_cast<std::size_t>(one.event)];
  }

  /// The state after what was found at t, in the order of Options::events.
  /// @param found  of different events, in that order. @param z  changed where nothing fails.
  std::optional<Failure> apply(double t, const std::vector<Occurrence>& found, VecX& z);
  /// Whether a change takes velocity away and gives none back: what has come to rest at an event
  /// goes through it.
  /// @param at_begin  they were found where the piece began: what rests there has none to be taken.
  std::optional<Failure> stuck(const Place& at, const std::vector<Occurrence>& found,
                               const VecX& before, const VecX& after, bool at_begin) const;

  /// Sets `passed` of an event to 0 where the changes have left its function off zero by more than
  /// what is rounding: it has a sign from there on, and may come back to zero in the next step. So
  /// where it went away from zero, and the change of another one sends it back.
  /// @param passed  of all events: 1 rising, -1 falling, 0 not.
  std::optional<Failure> leave_zero(const Place& at, const std::vector<Occurrence>& found,
                                    const VecX& before, const VecX& after,
                                    std::vector<int>& passed) const;

  /// As Piece::rounding. @param event  as of Occurrence.
  double rounding_of(int event, const Place& at, const VecX& z) const;

  /// Adds what happens from t0 to t1, between which the state does not move, as happening at t; but
  /// for events that were found already.
  std::optional<Failure> pass_gap(double t0, double t1, double t, const VecX& z,
                                  std::vector<Occurrence>& found) const;

  /// The state behind a time at which constraints are driven another way, as by impulses of the
  /// multipliers; empty where they are not, or where that is not known. Of states (q, v).
  /// @param t  that time. @param beside  how far before and behind it they are looked at, of the
  ///           sign of the run: more than rounding of t, and next to nothing.
  std::optional<VecX> beyond_turn(double t, double beside, const VecX& z);

  /// "event "ground" at t = 0.5", as a run that stops there says.
  static std::string happened(const Event& event, double t);
  /// What a run that ends at one that ends runs says.
  static void tell_end(const Event& event, double t, Report& report);
  /// "event "ground" at t = 0.5: ..."
  static std::string told(const Event& event, double t, const std::string& what);
  /// That a change left the constraints, or that these are driven another way, each once in a run;
  /// empty from then on, and before.
  std::string take_warning();

 private:
  /// Of the function of an event, in time, and what rounding leaves open of it.
  struct Rate {
    double value, rounding;
  };

  VecX on_constraints(double t, const VecX& given, Use use) const;
  VecX change_across(double t, double beside, const VecX& z, VecX& behind) const;
  VecX made_consistent(const Event& event, double t, const VecX& given);
  VecX size_of(const VecX& before, const VecX& after) const;
  VecX slope_at(double t, const VecX& z) const;
  std::optional<Rate> rate_of(const Event& event, const Place& at, const VecX& z) const;
  bool goes_on(const Event& event, const Place& at, double passing, const VecX& after) const;
  bool sticks(const Place& at, const Occurrence& one, const VecX& before, const VecX& after) const;
  bool rests(const Place& at, const Event& event, const VecX& state) const;
  bool turns_back(const Place& at, const Event& event, int passing, const VecX& before,
                  const VecX& after) const;
  bool leaves_zero(const Place& at, const Event& event, const VecX& before,
                   const VecX& after) const;

  const MakeConsistent& make_consistent_;
  const bool second_order_;
  const Slope& slope_;
  const Options& options_;
  std::string warning_;
  bool told_moved_ = false, told_turn_ = false;
};

}  // namespace daewave::ivp
