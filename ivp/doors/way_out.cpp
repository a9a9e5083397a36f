#include "ivp/doors/way_out.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/report/stopwatch.hpp"
#include "ivp/doors/run_again.hpp"
#include "ivp/options/over_ranks.hpp"
#include "ivp/run/thrown.hpp"

namespace daewave::ivp {
namespace {

/// Settings to try, in the words of the advice.
struct Way {
  std::string text;
  Options options;
  bool of_method = false;  ///< The method stays.
};

/// Other settings than those of the failed run; what they are about is asked for as it was.
Options as_asked(const Options& options) {
  Options other = options;
  other.every = 0;
  other.times.clear();
  other.dense = false;
  other.keep = true;
  other.multipliers = false;
  other.sink = nullptr;
  other.checkpoints = {};
  other.seek_way_out = false;
  if (auto* srm = std::get_if<Srm>(&other.method)) srm->loops = StepLocal{};
  return other;
}

std::string leave_open(const std::vector<std::string>& names) {
  return fmt::format("leave {} open", fmt::join(names, " and "));
}

/// All that is left to the solver, but for bounds of steps.
Options by_default(const Options& options) {
  Options other = as_asked(options);
  other.method = Automatic{};
  other.h.reset();
  other.control.reset();
  return other;
}

class Ways {
 public:
  Ways(const Options& options, const Interval& span, const Report& failed)
      : options_(options), span_(span), failed_(failed) {
    if (of_accuracy()) {
      more_accurate();
    } else {
      of_the_same();
    }
    of_others();
  }

  const std::vector<Way>& all() const { return ways_; }

 private:
  bool of_accuracy() const {
    return failed_.termination == Termination::tolerance_not_met && failed_.error.available;
  }

  bool of_windows() const {
    return std::any_of(failed_.choices.begin(), failed_.choices.end(), [](const Choice& one) {
      return one.name == "method" && one.value == GaussWindows::name;
    });
  }

  void add(std::string text, Options options, bool of_method = false) {
    ways_.push_back({std::move(text), std::move(options), of_method});
  }

  void with_h(double h) {
    Options other = as_asked(options_);
    other.h = h;
    add(fmt::format("h = {:.6g}", h), std::move(other), true);
    ways_.back().options.h = std::stod(fmt::format("{:.6g}", h));
  }

  void with_rtol(const std::string& before, Options other, double rtol, bool of_method) {
    const std::string text = fmt::format("{:.2g}", rtol);
    other.rtol = std::stod(text);
    add(before + "rtol = " + text, std::move(other), of_method);
  }

  void more_accurate() {
    constexpr double least = 1e-13;
    if (options_.h) {
      for (const double part : {4.0, 16.0}) with_h(*options_.h / part);
      return;
    }
    const double missed = options_.accuracy ? *options_.accuracy / failed_.error.x : 1e-2;
    for (const double part : {0.1, 1e-3}) {
      const double rtol = std::max(least, options_.rtol * std::min(1.0, missed) * part);
      if (rtol < options_.rtol) with_rtol("", as_asked(options_), rtol, true);
    }
  }

  void of_the_same() {
    if (failed_.termination == Termination::too_many_steps) more_steps();
    if (const auto* srm = std::get_if<Srm>(&options_.method)) of_srm(*srm);
    if (options_.first_step) {
      Options other = as_asked(options_);
      other.first_step.reset();
      add(leave_open({"first_step"}), std::move(other), true);
    }
    if (!options_.h && (options_.atol || !options_.atol_each.empty())) {
      Options other = as_asked(options_);
      other.atol.reset();
      other.atol_each.clear();
      add(leave_open({"atol"}), std::move(other), true);
    }
    if (options_.h) {
      for (const double part : {4.0, 16.0}) with_h(*options_.h / part);
    }
  }

  /// As many as the rest takes at the same rate, or more.
  void more_steps() {
    const IntegrationReport& went = failed_.integration;
    const double done = std::abs(went.reached - went.begin);
    const double rate = static_cast<double>(options_.most_steps) / done;
    for (const double more : {2.0, 20.0}) {
      const double needed = more * rate * std::abs(span_.length());
      if (!(needed < 1e7)) return;
      Options other = as_asked(options_);
      other.most_steps = static_cast<long>(needed) + 1;
      add(fmt::format("most_steps = {}", other.most_steps), std::move(other), true);
    }
  }

  void of_srm(const Srm& srm) {
    std::vector<std::string> given;
    if (srm.variant) given.emplace_back("variant");
    if (srm.weight) given.emplace_back("weight");
    if (srm.epsilon) given.emplace_back("epsilon");
    if (srm.iterates) given.emplace_back("iterates");
    if (srm.alpha1) given.emplace_back("alpha1");
    if (!given.empty()) open_srm(srm, given);
    if (failed_.termination == Termination::iterates_exhausted) more_iterates();
  }

  void open_srm(const Srm& srm, const std::vector<std::string>& given) {
    Options other = as_asked(options_);
    other.method = Srm{.alpha2 = srm.alpha2,
                       .alpha3 = srm.alpha3,
                       .exact_start = srm.exact_start,
                       .formula = srm.formula};
    add(leave_open(given), std::move(other), true);
  }

  /// What the last of them still changed, the next may not.
  void more_iterates() {
    const auto used = std::find_if(failed_.choices.begin(), failed_.choices.end(),
                                   [](const Choice& one) { return one.name == "iterates"; });
    if (used == failed_.choices.end()) return;
    for (const int more : {1, 3}) {
      Options other = as_asked(options_);
      std::get<Srm>(other.method).iterates = std::stoi(used->value) + more;
      add(fmt::format("iterates = {}", *std::get<Srm>(other.method).iterates), std::move(other),
          true);
    }
  }

  void of_others() {
    std::vector<std::string> given;
    const auto* open = std::get_if<Automatic>(&options_.method);
    if (open == nullptr) given.emplace_back("method");
    if (open != nullptr && open->formula.stepper) given.emplace_back("stepper");
    if (open != nullptr && open->formula.stages) given.emplace_back("stages");
    if (options_.h) given.emplace_back("h");
    if (options_.control) given.emplace_back("control");
    const Options plain = by_default(options_);
    const std::string left = given.empty() ? "" : leave_open(given);
    if (!given.empty()) add(left, plain);
    constexpr double least = 1e-12, most = 1e-3;
    const std::string before = given.empty() ? "" : left + " with ";
    if (options_.rtol > 100 * least) with_rtol(before, plain, options_.rtol / 100, given.empty());
    if (options_.rtol < most / 100) with_rtol(before, plain, options_.rtol * 100, given.empty());
    const std::string and_h = options_.h ? " without h" : "";
    Options other = plain;
    other.method = ProjectEachStep{.formula = {Stepper::radau, {}}};
    add("method = projection with stepper = radau" + and_h, other);
    if (of_windows()) {
      // Steps of explicit formulas are taken where windows are not, and cost less than the others.
      other.method = ProjectEachStep{};
      add("method = projection" + and_h, other);
      other.method = LocalStateSpace{};
      add("method = local-state-space" + and_h, other);
    }
    other.method = BdfProjection{};
    add("method = bdf-projection" + and_h, other);
    other.estimate_error = true;
    add("method = bdf-projection with estimate_error = true" + and_h, other);
    constexpr double loose = 1e-6;
    if (options_.rtol < loose / 10) {
      with_rtol("method = bdf-projection with estimate_error = true with ", other, loose, false);
      ways_.back().text += and_h;
    }
    other = plain;
    other.method = Srm{};
    add("method = srm" + and_h, other);
    constexpr double steps = 20'000;
    other.h = std::stod(fmt::format("{:.3g}", std::abs(span_.length()) / steps));
    other.estimate_error = true;
    add(fmt::format("method = srm with h = {:g} with estimate_error = true", *other.h), other);
  }

  const Options& options_;
  const Interval span_;
  const Report& failed_;
  std::vector<Way> ways_;
};

/// Runs them, as long as that is worth it. Counted is the time of the processor: what else the
/// machine does takes none of it. Of a model that waits rather than computes, the time that passes
/// is counted too.
class Trials {
 public:
  Trials(const Options& options, const Interval& span, const SolveWith& solve, const Report& failed)
      : options_(options), span_(span), solve_(solve) {
    constexpr double least = 0.6;
    seconds_ = least + 2 * failed.seconds.total;
    steps_ = std::clamp(10 * (failed.integration.steps + failed.integration.rejected), 10'000L,
                        2'000'000L);
  }

  bool ends() const { return stopped_ || spent() > seconds_; }
  /// Half of the time is for other methods.
  bool ends_for(const Way& way) const {
    return way.of_method && spent() > part_of_method * seconds_;
  }
  int tried() const { return tried_; }

  bool comes_through(const Way& way) {
    Options options = way.options;
    if (options.h && std::abs(span_.length()) / *options.h > static_cast<double>(steps_)) {
      return false;
    }
    options.most_steps = std::min(options.most_steps, steps_);
    options.progress = [this, until = end_of(way)](const RunProgress& where) {
      const auto goes_on = [&] { return options_.progress(where); };
      if (options_.progress && !of_caller_.call(goes_on)) stopped_ = true;
      return !stopped_ && spent() <= until;
    };
    if (options_.reset) {
      options.reset = [this] { of_caller_.call(options_.reset); };
    }
    try {
      const Solution solution = solve_(options);
      ++tried_;
      const bool there =
          solution.report.integration.reached == span_.end || !solution.occurrences.empty();
      const Report& report = solution.report;
      const bool known = !options.estimate_error || report.error.available;
      // The time here may end while an estimate that is there is improved.
      const bool holds = report.usable() || (report.termination == Termination::stopped &&
                                             report.error.available && !stopped_);
      return holds && there && known;
    } catch (const Error&) {
      of_caller_.rethrow();
      return false;  // Refused: no way out.
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {
      of_caller_.rethrow();
      ++tried_;  // Of the problem.
      return false;
    }
  }

 private:
  /// The part of the time in which the method stays.
  static constexpr double part_of_method = 0.5;

  /// One that does not come through leaves time for others.
  double end_of(const Way& way) const {
    const double all = (way.of_method ? part_of_method : 1) * seconds_;
    return std::min(all, spent() + (way.of_method ? 0.3 : 0.4) * seconds_);
  }

  double spent() const {
    constexpr double waiting = 0.05;
    return std::max(computed_.seconds(), waiting * passed_.seconds());
  }

  const Options& options_;
  const Interval span_;
  const SolveWith& solve_;
  ThreadStopwatch computed_;
  Stopwatch passed_;
  double seconds_;
  long steps_;
  int tried_ = 0;
  bool stopped_ = false;
  KeptOfCaller of_caller_;
};

/// The settings may be right, and the problem not.
bool is_of_settings(const Report& report) {
  switch (report.termination) {
    case Termination::tolerance_not_met:
    case Termination::iterates_exhausted:
    case Termination::singular_constraint:
    case Termination::diverged:
    case Termination::step_too_small:
    case Termination::too_many_steps:
      return true;
    default:
      return false;
  }
}

/// What is said of the problem, beside settings.
std::string of_problem(const Report& report, const Options& options, bool found) {
  const IntegrationReport& went = report.integration;
  switch (report.termination) {
    case Termination::tolerance_not_met:
      return found ? "" : "a shorter run, where the problem enlarges errors beyond any tolerance";
    case Termination::singular_constraint:
      return went.reached == went.end ? "" : report.advice;
    case Termination::diverged:
      return options.events.empty() ? "" : report.advice;
    case Termination::too_many_steps:
      return found || report.advice.find("where f has") == std::string::npos ? "" : report.advice;
    case Termination::step_too_small:
      return report.advice;
    default:
      return "";
  }
}

}  // namespace

void seek_way_out(const Options& options, const Interval& span, const SolveWith& solve,
                  Solution& failed) {
  Report& report = failed.report;
  // One rank alone would try another way.
  if (!options.seek_way_out || ranks_of(options) != nullptr) return;
  if (!is_of_settings(report) || !may_run_again(options)) return;
  const Ways ways(options, span, report);
  Trials trials(options, span, solve, report);
  std::vector<std::string> found;
  bool same = false, other = false;
  for (const Way& way : ways.all()) {
    if (trials.ends() || other) break;
    if ((way.of_method && same) || trials.ends_for(way)) continue;
    if (!trials.comes_through(way)) continue;
    found.push_back(way.text);
    (way.of_method ? same : other) = true;
  }
  std::string text;
  if (!found.empty()) {
    text = fmt::format("tried, and {} through: {}", found.size() > 1 ? "come" : "comes",
                       fmt::join(found, "; "));
  } else if (trials.tried() > 0) {
    text = trials.tried() == 1
               ? "one other setting was tried, and did not come through"
               : fmt::format("{} other settings and methods were tried, and none came through",
                             trials.tried());
  }
  const std::string problem = of_problem(report, options, !found.empty());
  if (text.empty()) {
    if (report.termination != Termination::iterates_exhausted) report.advice = problem;
    return;
  }
  report.advice = problem.empty() ? text : text + "; " + problem;
}

}  // namespace daewave::ivp
