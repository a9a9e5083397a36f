#include "ivp/estimate/second_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace daewave::ivp {
namespace {

/// Absolute tolerances of the largest values of the whole run: at the start of a piece all
/// velocities may be next to nothing.
std::vector<double> open_atol(double rtol, const Solution& solution) {
  constexpr double least = 0.01, most = 1e-9;
  const VecX size = solution.motion.least.cwiseAbs().cwiseMax(solution.motion.greatest.cwiseAbs());
  const Eigen::Index half = solution.second_order ? size.size() / 2 : size.size();
  std::vector<double> atol;
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    const Eigen::Index from = i < half ? 0 : half, count = i < half ? half : size.size() - half;
    const double kind = size.segment(from, count).maxCoeff();
    const double of = std::max(size[i], kind > 0 ? least * kind : 1);
    atol.push_back(std::max(std::min(most, 0.1 * rtol * of), 1e-300));
  }
  return atol;
}

/// Lets the caller see how far the second run is, of the whole interval.
std::function<bool(const RunProgress&)> progress_of(const Options& options, const Interval& span) {
  if (!options.progress) return {};
  return [&options, span](const RunProgress& piece) {
    RunProgress whole = piece;
    whole.begin = span.begin;
    whole.end = span.end;
    return options.progress(whole);
  };
}

Options options_of(const SecondMethod& second, const Repeated& run, const Solution& solution) {
  const Options& first = run.options;
  Options options;
  options.method = second.method;
  options.seek_way_out = false;
  options.rtol = second.rtol;
  constexpr double least = 1e-16;
  const double scale = second.rtol / first.rtol;
  if (!first.h && !first.atol_each.empty()) {
    for (const double atol : first.atol_each) {
      options.atol_each.push_back(std::max(least, scale * atol));
    }
  } else if (!first.h && first.atol) {
    options.atol = std::max(least, scale * *first.atol);
  } else {
    options.atol_each = open_atol(second.rtol, solution);
  }
  options.repair_start = first.repair_start;
  options.start_tolerance = first.start_tolerance;
  options.rank_tolerance = first.rank_tolerance;
  options.every = 0;
  options.multipliers = run.w.size() > 0;
  options.monitor = false;
  options.progress = progress_of(first, run.span);
  return options;
}

void add(Compared& result, double t, const VecX& gap) {
  result.times.push_back(t);
  result.errors.insert(result.errors.end(), gap.data(), gap.data() + gap.size());
}

bool fails(Compared& result, const Report& report) {
  result.failure = report.brief();
  result.stopped = report.termination == Termination::stopped;
  return false;
}

/// From sample to sample, each a run of its own: between the ends of steps stages interpolate less
/// well than steps end.
Compared in_pieces(Options options, const Repeated& run, const Samples& samples) {
  Compared result;
  const Interval& span = run.span;
  VecX z = run.start, unknowns = run.w;
  double t = span.begin;
  const double sign = span.end < span.begin ? -1 : 1;
  for (std::size_t i = 0; i < samples.count(); ++i) {
    const double to = samples.t(i);
    if (sign * (to - t) > 0) {
      const Solution piece = run.solve(z, unknowns, {t, to}, options);
      if (!piece.report.usable() || piece.t.back() != to) {
        fails(result, piece.report);
        return result;
      }
      z = piece.end();
      if (unknowns.size() > 0 && piece.ny == unknowns.size()) {
        unknowns = piece.multiplier(piece.count() - 1);
      }
      t = to;
      options.repair_start = true;
      options.first_step =
          std::min(piece.report.integration.largest_step, std::abs(span.end - span.begin));
    } else if (to != t) {
      continue;
    }
    add(result, to, samples.state(i) - z);
  }
  return result;
}

/// Events with a change, in their order in those of all.
struct Changes {
  std::vector<Event> events;
  std::vector<int> number;  ///< Of each event of all; -1 for the others.

  explicit Changes(const std::vector<Event>& all) {
    for (const Event& event : all) {
      number.push_back(event.change ? static_cast<int>(events.size()) : -1);
      if (event.change) events.push_back(event);
    }
  }
};

/// Where the one run is past an event and the other is not, nothing can be compared.
class BetweenEvents {
 public:
  explicit BetweenEvents(double end) : end_(end) {}

  /// False where the two runs pass other events.
  bool match(const Solution& first, const Changes& changes, const Solution& second) {
    std::size_t next = 0;
    for (const Occurrence& one : first.occurrences) {
      const int number = changes.number[static_cast<std::size_t>(one.event)];
      if (number < 0) continue;
      if (next == second.occurrences.size()) {
        if (!at_end(one.t)) return false;
        between_.push_back({one.t, end_});
        continue;
      }
      const Occurrence& other = second.occurrences[next++];
      // Those of one time may be found in any order.
      const bool together =
          next < second.occurrences.size() && near(second.occurrences[next].t, other.t);
      const bool follows = next > 1 && near(second.occurrences[next - 2].t, other.t);
      if (other.event != number && !together && !follows) return false;
      apart_ = std::max(apart_, std::abs(one.t - other.t));
      between_.push_back({one.t, other.t});
    }
    for (; next < second.occurrences.size(); ++next) {
      if (!at_end(second.occurrences[next].t)) return false;
      between_.push_back({second.occurrences[next].t, end_});
    }
    return true;
  }
  bool has(double t) const {
    return std::any_of(between_.begin(), between_.end(), [t](const Interval& one) {
      const double low = std::min(one.begin, one.end), high = std::max(one.begin, one.end);
      const double margin = high - low + 1e-12 * (1 + std::abs(t));
      return t >= low - margin && t <= high + margin;
    });
  }
  double apart() const { return apart_; }

 private:
  static bool near(double one, double other) {
    return std::abs(one - other) <= 1e-9 * (1 + std::abs(one));
  }
  /// So near that one of the two runs may end before it.
  bool at_end(double t) const { return std::abs(t - end_) <= 1e-6 * (1 + std::abs(end_)); }

  double end_;
  std::vector<Interval> between_;
  double apart_ = 0;
};

/// One run over all, which starts anew where the first one did.
Compared through_restarts(Options options, const Repeated& run, const Samples& samples,
                          const Solution& solution) {
  Compared result;
  const Interval span{run.span.begin, solution.t.back()};
  const double low = std::min(span.begin, span.end), high = std::max(span.begin, span.end);
  const Changes changes(run.options.events);
  options.events = changes.events;
  options.reset = run.options.reset;
  options.largest_step = run.options.largest_step;
  for (const double time : run.options.restart_times) {
    if (time >= low && time <= high) options.restart_times.push_back(time);
  }
  for (std::size_t i = 0; i < samples.count(); ++i) options.times.push_back(samples.t(i));
  std::sort(options.times.begin(), options.times.end());
  options.times.erase(std::unique(options.times.begin(), options.times.end()), options.times.end());
  const Solution second = run.solve(run.start, run.w, span, options);
  if (!second.report.usable() || second.report.integration.reached != span.end) {
    fails(result, second.report);
    return result;
  }
  BetweenEvents between(span.end);
  if (!between.match(solution, changes, second)) {
    result.other_events = true;
    result.failure = "it passes other events, or in another order";
    return result;
  }
  result.events_apart = between.apart();
  std::unordered_map<double, int> rows;
  for (int i = 0; i < second.count(); ++i) rows[second.t[static_cast<std::size_t>(i)]] = i;
  for (std::size_t i = 0; i < samples.count(); ++i) {
    const auto row = rows.find(samples.t(i));
    if (row == rows.end() || between.has(samples.t(i))) continue;
    add(result, samples.t(i), samples.state(i) - second.state(row->second));
  }
  return result;
}

}  // namespace

Compared compare(const SecondMethod& second, const Repeated& run, const Samples& samples,
                 const Solution& solution) {
  const Options options = options_of(second, run, solution);
  return starts_anew(run.options) ? through_restarts(options, run, samples, solution)
                                  : in_pieces(options, run, samples);
}

}  // namespace daewave::ivp
