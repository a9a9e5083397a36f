#include "ivp/run/legs.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"

namespace daewave::ivp {
namespace {

/// Of Leg, in IterateCheckpoint::kept.
enum Kept { next_step, until_output, kept_numbers };

void check_resume(const Checkpoint& from, const VecX& start, const Interval& span) {
  const double sign = span.end < span.begin ? -1 : 1;
  if (sign * (from.t - span.end) > 0 || sign * (from.t - span.begin) < 0) {
    throw InvalidOption(fmt::format(
        "checkpoints.resume: it stands at t = {}, this run ends at t = {}; ask for a later end",
        from.t, span.end));
  }
  const IterateCheckpoint& at = from.iterates.front();
  if (at.x.size() != start.size() || at.kept.size() != kept_numbers) {
    throw InvalidOption(fmt::format(
        "checkpoints.resume: its state has {} entries and {} kept numbers, that of this run {} and "
        "{}; start anew",
        at.x.size(), at.kept.size(), start.size(), static_cast<int>(kept_numbers)));
  }
}

}  // namespace

Legs::Legs(const Options& options, Settings settings, const VecX& start, const Interval& span)
    : asked_(options.checkpoints) {
  if (!uses_checkpoints(options)) return;
  checkpointer_ = std::make_unique<Checkpointer>(asked_, std::move(settings));
  if (!asked_.resume) return;
  check_resume(*asked_.resume, start, span);
  const VecX& kept = asked_.resume->iterates.front().kept;
  leg_.next_step = kept[next_step];
  leg_.until_output = static_cast<long>(kept[until_output]);
  const IntegrationReport& before = asked_.resume->integration;
  if (before.has_energy) leg_.energy_start = before.energy_start;
  goes_on_ = true;
}

Leg* Legs::next() {
  if (!checkpointer_) return nullptr;
  if (!goes_on_ && !leg_.ended) leg_ = {};
  goes_on_ = leg_.ended = false;
  leg_.steps = asked_.steps;
  return &leg_;
}

const Checkpoint* Legs::resumed() const { return asked_.resume.get(); }

void Legs::at_border(double t, const VecX& z, const VecX& multipliers,
                     const IntegrationReport& so_far, const Motion& motion) {
  if (!checkpointer_) return;
  IterateCheckpoint at;
  at.x = z;
  at.carried = multipliers;
  at.kept.resize(kept_numbers);
  at.kept[next_step] = leg_.ended ? leg_.next_step : 0;
  at.kept[until_output] = leg_.ended ? static_cast<double>(leg_.until_output) : 0;
  const long before = asked_.resume ? asked_.resume->integration.evaluations : 0;
  checkpointer_->at_border(so_far.steps, t, {at}, so_far.evaluations - before, so_far, motion);
}

void Legs::ended() {
  if (checkpointer_) checkpointer_->ended();
}

}  // namespace daewave::ivp
