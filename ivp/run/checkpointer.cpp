#include "ivp/run/checkpointer.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace daewave::ivp {

Checkpointer::Checkpointer(const Checkpoints& asked, Settings settings) : asked_(asked) {
  latest_.settings = std::move(settings);
  if (!asked.resume) return;
  const std::string difference = difference_of(*asked.resume, latest_.settings);
  if (!difference.empty()) {
    throw InvalidOption(fmt::format(
        "checkpoints.resume: {}; take the settings of the run that was stopped, or start anew",
        difference));
  }
  before_ = asked.resume->integration.evaluations;
}

void Checkpointer::at_border(long step, double t, const std::vector<IterateCheckpoint>& iterates,
                             long evaluations, const IntegrationReport& so_far,
                             const Motion& motion) {
  if (!saves()) return;
  latest_.step = step;
  latest_.t = t;
  latest_.integration = so_far;
  latest_.integration.evaluations = before_ + evaluations;
  latest_.iterates = iterates;
  latest_.motion = motion;
  unsaved_ = true;
  if (due()) save();
}

void Checkpointer::ended() {
  if (asked_.save && unsaved_) save();
}

bool Checkpointer::due() const { return since_saved_.seconds() >= asked_.seconds; }

void Checkpointer::save() {
  asked_.save(latest_);
  unsaved_ = false;
  since_saved_.restart();
}

void check_resume(const Checkpoint& from, const FixedSteps& nodes, int iterates, int nx,
                  int carried, int kept) {
  if (from.step < 0 || from.step > nodes.count()) {
    throw InvalidOption(fmt::format(
        "checkpoints.resume: it was taken after {} steps, this run has {}; ask for a later end",
        from.step, nodes.count()));
  }
  if (!nodes.passes(from.step, from.t)) {
    throw InvalidOption(fmt::format(
        "checkpoints.resume: it stands at t = {} after {} steps, where this run is at t = {}: its "
        "last step was cut short by the end of its run, and what follows would have other bits "
        "than a run in one go; take the end t = {}, or start anew",
        from.t, from.step, nodes.node(from.step), from.t));
  }
  bool fits = static_cast<int>(from.iterates.size()) == iterates;
  for (const IterateCheckpoint& at : from.iterates) {
    fits = fits && at.x.size() == nx && at.slope.size() == nx && at.carried.size() == carried &&
           at.kept.size() == kept;
  }
  if (!fits) {
    throw InvalidOption(
        fmt::format("checkpoints.resume: its states are not {} of {} entries with {} carried and "
                    "{} kept; the file was changed, start anew",
                    iterates, nx, carried, kept));
  }
}

std::string exactly(double number) { return fmt::format("{:a}", number); }

std::string exactly(std::span<const double> numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : " ") + exactly(number);
  return text;
}

Settings settings_of_start(const std::string& problem, const std::string& mark, const VecX& start,
                           double begin) {
  return {{"problem", problem},
          {"mark", mark},
          {"begin", exactly(begin)},
          {"start", exactly({start.data(), static_cast<std::size_t>(start.size())})}};
}

Settings settings_of(const std::string& problem, const VecX& start, double begin, double h,
                     const Srm& asked, const Regularization& form, int iterates,
                     const std::string& formula) {
  const Checkpoints* const checkpoints = checkpoints_of(asked.loops);
  Settings settings =
      settings_of_start(problem, checkpoints ? checkpoints->mark : "", start, begin);
  settings.emplace_back("h", exactly(h));
  settings.emplace_back("stepper", formula);
  settings.emplace_back("variant", name_of(form.variant));
  settings.emplace_back("weight", name_of(form.weight));
  settings.emplace_back("epsilon", exactly(form.epsilon));
  settings.emplace_back("alpha1", exactly(form.alpha1));
  settings.emplace_back("alpha2", exactly(form.alpha2));
  settings.emplace_back("alpha3", exactly(form.alpha3));
  settings.emplace_back("iterates", fmt::format("{}", iterates));
  settings.emplace_back("exact_start", fmt::format("{}", asked.exact_start.value_or(-1)));
  return settings;
}

void check_checkpoints(const Checkpoints& checkpoints, bool fixed) {
  if (!(checkpoints.seconds >= 0)) {
    throw InvalidOption(fmt::format("checkpoints.seconds = {}: must be >= 0", checkpoints.seconds));
  }
  if (!checkpoints.save && !checkpoints.resume) return;
  if (!fixed) throw InvalidOption("checkpoints: need a fixed h; give h");
  if (checkpoints.resume && checkpoints.resume->iterates.empty()) {
    throw InvalidOption("checkpoints: the one to resume from is empty");
  }
}

}  // namespace daewave::ivp
