#include "ivp/run/joined_solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/not_finite.hpp"
#include "ivp/run/dense_pieces.hpp"

namespace daewave::ivp {
namespace {

template <class Entry>
void append(std::vector<Entry>& all, const std::vector<Entry>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

VecX multiplier_of(const Solution& solution, int row) {
  return solution.ny > 0 ? solution.multiplier(row) : VecX();
}

/// A text with its numbers left out.
std::string without_numbers(const std::string& text) {
  std::string rest;
  bool number = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    number = digit || (number && std::string_view(".e+-").find(c) != std::string_view::npos);
    if (!number) rest += c;
  }
  return rest;
}

/// What is said for each piece is told once; numbers in it may differ.
void join_warnings(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& one : more) {
    const bool told = std::any_of(all.begin(), all.end(), [&](const std::string& before) {
      return without_numbers(before) == without_numbers(one);
    });
    if (!told) all.push_back(one);
  }
}

void join_choices(std::vector<Choice>& all, const std::vector<Choice>& more) {
  for (const Choice& one : more) {
    const bool told = std::any_of(all.begin(), all.end(), [&](const Choice& before) {
      return before.name == one.name && before.value == one.value;
    });
    if (!told) all.push_back(one);
  }
}

/// Of equal iterates the largest changes.
void join_history(std::vector<IterateReport>& all, const std::vector<IterateReport>& more) {
  for (std::size_t i = 0; i < more.size(); ++i) {
    if (i >= all.size()) {
      all.push_back(more[i]);
      continue;
    }
    if (!(more[i].change <= all[i].change)) {
      all[i].change = more[i].change;
      all[i].change_at = more[i].change_at;
    }
    all[i].drift = larger(all[i].drift, more[i].drift);
    all[i].residual = larger(all[i].residual, more[i].residual);
    all[i].refinements += more[i].refinements;
  }
}

void join_errors(ErrorEstimate& all, const ErrorEstimate& more) {
  if (!more.available) return;
  all.available = true;
  all.x = larger(all.x, more.x);
  all.By = larger(all.By, more.By);
  all.iterates = larger(all.iterates, more.iterates);
  all.tolerance = more.tolerance;
  all.how = more.how;
}

void join_integration(IntegrationReport& all, const IntegrationReport& more) {
  all.reached = more.reached;
  all.steps += more.steps;
  all.rejected += more.rejected;
  all.evaluations += more.evaluations;
  if (more.steps > 0) {
    all.smallest_step = all.smallest_step > 0 ? std::min(all.smallest_step, more.smallest_step)
                                              : more.smallest_step;
  }
  all.largest_step = std::max(all.largest_step, more.largest_step);
  all.drift_position = larger(all.drift_position, more.drift_position);
  all.drift_velocity = larger(all.drift_velocity, more.drift_velocity);
  all.guarded += more.guarded;
  if (more.pivot_ratio < all.pivot_ratio) {
    all.pivot_ratio = more.pivot_ratio;
    all.pivot_ratio_at = more.pivot_ratio_at;
  }
  all.parameter_choices += more.parameter_choices;
  all.energy_change = larger(all.energy_change, more.energy_change);
  all.events += more.events;
}

}  // namespace

void JoinedSolution::resume(const Checkpoint& from) {
  before_ = from.integration;
  all_.motion = from.motion;
  left_out_.skip(from.t);
}

IntegrationReport JoinedSolution::integration() const {
  if (before_.steps == 0) return all_.report.integration;
  IntegrationReport whole = before_;
  join_integration(whole, all_.report.integration);
  return whole;
}

void JoinedSolution::add(Solution piece, double begin, double end) {
  const bool to_its_end =
      piece.report.usable() && piece.report.integration.reached == piece.report.integration.end;
  if (to_its_end) {
    piece.report.integration.reached = end;
    if (piece.has_values()) piece.t.back() = end;
  }
  if (piece.dense) {
    begins_.push_back(begin);
    dense_.push_back(piece.dense);
  }
  if (first_) {
    std::swap(all_, piece);
    first_ = false;
    see(piece.motion);
    append_rows(take_rows());
    return;
  }
  if (!keep_ && piece.has_values()) take_rows();
  append_rows(piece);
  append(all_.occurrences, piece.occurrences);
  see(piece.motion);
  join(piece.report);
}

void JoinedSolution::add_row(double t, const VecX& state, const VecX& multiplier) {
  if (!keep_) take_rows();
  if (keep_) before_row(t, state, multiplier);
  append_row(t, state, multiplier);
}

/// What was given out until now is given back.
Solution JoinedSolution::take_rows() {
  Solution rows;
  rows.nz = all_.nz;
  rows.ny = all_.ny;
  std::swap(rows.t, all_.t);
  std::swap(rows.states, all_.states);
  std::swap(rows.multipliers, all_.multipliers);
  return rows;
}

void JoinedSolution::append_rows(const Solution& piece) {
  if (!keep_ || left_out_.none()) {
    append(all_.t, piece.t);
    append(all_.states, piece.states);
    append(all_.multipliers, piece.multipliers);
    return;
  }
  for (int row = 0; row < piece.count(); ++row) {
    add_row(piece.t[static_cast<std::size_t>(row)], piece.state(row), multiplier_of(piece, row));
  }
}

/// Times that pieces have left out before a row: with the nearest state that is given out.
void JoinedSolution::before_row(double at, const VecX& state, const VecX& multiplier) {
  const int last = all_.count() - 1;
  const double before = last >= 0 ? all_.t.back() : at;
  left_out_.pass(at, [&](double t) {
    if (last >= 0 && std::abs(t - before) < std::abs(at - t)) {
      append_row(t, all_.state(last), multiplier_of(all_, last));
    } else {
      append_row(t, state, multiplier);
    }
    return true;
  });
}

void JoinedSolution::append_row(double t, const VecX& state, const VecX& multiplier) {
  all_.t.push_back(t);
  all_.states.insert(all_.states.end(), state.data(), state.data() + state.size());
  all_.multipliers.insert(all_.multipliers.end(), multiplier.data(),
                          multiplier.data() + multiplier.size());
}

void JoinedSolution::see(const Motion& motion) {
  if (motion.least.size() == 0) return;
  all_.motion.see(motion.least.data(), all_.nz);
  all_.motion.see(motion.greatest.data(), all_.nz);
}

void JoinedSolution::join(const Report& piece) {
  Report& all = all_.report;
  all.termination = piece.termination;
  all.message = piece.message;
  all.advice = piece.advice;
  join_integration(all.integration, piece.integration);
  all.smallest_step = all.integration.smallest_step;
  all.largest_step = all.integration.largest_step;
  join_choices(all.choices, piece.choices);
  join_history(all.history, piece.history);
  append(all.singular_points, piece.singular_points);
  join_warnings(all.warnings, piece.warnings);
  join_errors(all.error, piece.error);
  all.seconds.total += piece.seconds.total;
}

void JoinedSolution::fails(Termination termination, std::string message, std::string advice) {
  all_.report.termination = termination;
  all_.report.message = std::move(message);
  all_.report.advice = std::move(advice);
}

Solution JoinedSolution::end() {
  IntegrationReport& went = all_.report.integration;
  went = integration();
  went.begin = span_.begin;
  went.end = span_.end;
  went.restarts = before_.restarts + restarts_;
  all_.report.smallest_step = went.smallest_step;
  all_.report.largest_step = went.largest_step;
  if (all_.report.usable() && went.reached == span_.end) {
    all_.report.message = fmt::format("reached t = {:.10g} in {} steps", went.reached, went.steps);
    if (went.restarts > 0) all_.report.message += fmt::format(", {} restarts", went.restarts);
  }
  if (!dense_.empty()) {
    all_.dense = std::make_shared<DensePieces>(std::move(begins_), std::move(dense_),
                                               span_.end < span_.begin ? -1.0 : 1.0);
  }
  return std::move(all_);
}

}  // namespace daewave::ivp
