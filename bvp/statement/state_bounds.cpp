#include "bvp/statement/state_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"

namespace daewave::bvp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

VecX given_or(const VecX& given, double open, int size, const char* name) {
  if (given.size() == 0) return VecX::Constant(size, open);
  if (given.size() == size) return given;
  throw InvalidProblem(fmt::format("{}: has {} entries, x has {}", name, given.size(), size));
}

}  // namespace

StateBounds::StateBounds(const VecX& lower, const VecX& upper, int size)
    : lower_(given_or(lower, -infinity, size, "lower")),
      upper_(given_or(upper, infinity, size, "upper")),
      width_of_lower_(VecX::Ones(size)),
      width_of_upper_(VecX::Ones(size)),
      beyond_(static_cast<std::size_t>(2 * size)) {
  for (int j = 0; j < size; ++j) {
    if (lower_[j] < upper_[j]) continue;
    throw InvalidProblem(fmt::format("lower[{0}] = {1:g}, upper[{0}] = {2:g}: must leave a range",
                                     j, lower_[j], upper_[j]));
  }
  set_margin(widest);
}

void StateBounds::look_at(const MatX& guess) {
  const auto width = [&](int j, double bound) {
    const double most = (guess.row(j).array() - bound).abs().maxCoeff();
    const double range = upper_[j] - lower_[j];
    return std::min(most > 0 && std::isfinite(most) ? most : 1.0, range);
  };
  for (int j = 0; j < size(); ++j) {
    width_of_lower_[j] = width(j, lower_[j]);
    width_of_upper_[j] = width(j, upper_[j]);
  }
  set_margin(widest);
}

bool StateBounds::set_margin(double part) {
  constexpr double least = 1e-280;
  if (part < least) return false;
  margin_ = part;
  low_ = lower_ + part * width_of_lower_;
  high_ = upper_ - part * width_of_upper_;
  // At a bound far from zero a narrow margin may be lost in rounding.
  for (int j = 0; j < size(); ++j) {
    const bool has_lower = std::isfinite(lower_[j]), has_upper = std::isfinite(upper_[j]);
    if (has_lower && low_[j] == lower_[j]) low_[j] = std::nextafter(lower_[j], infinity);
    if (has_upper && high_[j] == upper_[j]) high_[j] = std::nextafter(upper_[j], -infinity);
  }
  return true;
}

double StateBounds::step_inside(int j, bool from_lower) const {
  constexpr double part = 1e-4;  // Of the margin, over which f may turn.
  const double from = from_lower ? low_[j] : high_[j];
  const double margin = from_lower ? low_[j] - lower_[j] : high_[j] - upper_[j];
  const double least = 1e4 * (std::nextafter(std::abs(from), infinity) - std::abs(from));
  const double step = std::max(part * std::abs(margin), least);
  return (from_lower ? from + step : from - step) - from;
}

MatX states_at_stages(const CollocationCurve& curve, int interval) {
  const Collocation& scheme = curve.scheme();
  const int k = scheme.stages;
  const CollocationValues& values = curve.values();
  MatX x = curve.mesh().step(interval) *
           (values.slopes.middleCols(interval * k, k) * scheme.a.transpose());
  x.colwise() += values.x.col(interval);
  return x;
}

bool StateBounds::is_beyond_margins(const CollocationCurve& curve, const MeshShare& share) const {
  const auto beyond = [&](const MatX& x) {
    const auto rows = x.topRows(size());
    return (rows.colwise() - low_).minCoeff() < 0 || (rows.colwise() - high_).maxCoeff() > 0;
  };
  bool is_beyond = beyond(curve.values().x);
  for (int i = 0; i < curve.mesh().intervals() && !is_beyond; ++i) {
    is_beyond = beyond(states_at_stages(curve, i));
  }
  return share.any(is_beyond);
}

std::string StateBounds::name_of(int j, bool lower) const {
  return fmt::format("x{} {} {:g}", j + 1, lower ? ">=" : "<=", lower ? lower_[j] : upper_[j]);
}

void StateBounds::count_beyond(int entry, bool lower, int points) const {
  beyond_[static_cast<std::size_t>(lower ? entry : size() + entry)] += points;
}

void StateBounds::forget_counts() {
  points_ = 0;
  for (std::atomic<long>& count : beyond_) count = 0;
}

std::string StateBounds::most_active(const MeshShare& share) const {
  constexpr double hardly_any = 0.05;
  std::vector<double> mine{static_cast<double>(points_)};
  for (const std::atomic<long>& count : beyond_) mine.push_back(static_cast<double>(count));
  const std::size_t kinds = mine.size();
  const std::vector<double> all = share.joined(std::move(mine));
  std::vector<double> counts(kinds, 0);
  for (std::size_t i = 0; i < all.size(); ++i) counts[i % kinds] += all[i];
  const auto most = std::max_element(counts.begin() + 1, counts.end());
  const auto which = static_cast<std::size_t>(most - counts.begin() - 1);
  const double part = counts[0] > 0 ? *most / counts[0] : 0;
  if (part < hardly_any) return {};
  const int entry = static_cast<int>(which);
  const bool lower = entry < size();
  return fmt::format("{} held x back at {:.0f} % of the points",
                     name_of(lower ? entry : entry - size(), lower), 100 * part);
}

namespace {

/// Intervals one after the other, those of all ranks, as "t = 0.2 to 0.4" and how many more of
/// them.
class Stretches {
 public:
  Stretches(const Mesh& mesh, const MeshShare& share) : mesh_(mesh), share_(share) {}
  void add(int interval) {
    const double t = mesh_.node(interval + 1);
    const int of_all = share_.first + interval;
    if (!seen_.empty() && of_all == seen_.back().end) {
      seen_.back() = {seen_.back().begin, of_all + 1, seen_.back().from, t};
    } else {
      seen_.push_back({of_all, of_all + 1, mesh_.node(interval), t});
    }
  }
  /// Empty where there are none.
  std::string text() const {
    std::vector<double> mine;
    for (const Stretch& one : seen_) {
      mine.insert(mine.end(),
                  {static_cast<double>(one.begin), static_cast<double>(one.end), one.from, one.to});
    }
    const std::vector<double> all = share_.joined(std::move(mine));
    if (all.empty()) return {};
    double to = all[3];
    int count = 1;
    for (std::size_t at = 4; at < all.size(); at += 4) {
      if (all[at] > all[at - 3]) {
        ++count;
      } else if (count == 1) {
        to = all[at + 3];
      }
    }
    const std::string more = count > 1 ? fmt::format(", and {} more time(s)", count - 1) : "";
    return fmt::format("from t = {:.6g} to {:.6g}{}", all[2], to, more);
  }

 private:
  struct Stretch {
    int begin, end;  ///< Intervals of the whole mesh.
    double from, to;
  };

  const Mesh& mesh_;
  const MeshShare& share_;
  std::vector<Stretch> seen_;
};

/// How far a bound is left, in units of what is allowed.
struct Left {
  double by = 1, x = 0, t = 0;
};

}  // namespace

StateBounds::Told StateBounds::tell(const CollocationCurve& curve, const VecX& allowed,
                                    const MeshShare& share) const {
  Told told;
  const int intervals = curve.mesh().intervals(), k = curve.scheme().stages;
  double worst = 1;
  for (int j = 0; j < size(); ++j) {
    for (const bool of_lower : {true, false}) {
      const double bound = of_lower ? lower_[j] : upper_[j];
      if (!std::isfinite(bound)) continue;
      const std::string name = name_of(j, of_lower);
      // How far inside, in units of what is allowed.
      const auto inside = [&](double x) { return (of_lower ? x - bound : bound - x) / allowed[j]; };
      Left left{worst, 0, 0};
      const auto look = [&](double here, double t) {
        if (-inside(here) > left.by) left = {-inside(here), here, t};
      };
      Stretches on_bound(curve.mesh(), share);
      // f is not evaluated at all nodes, but conditions may put x anywhere.
      for (int i = 0; i <= intervals; ++i) look(curve.values().x(j, i), curve.mesh().node(i));
      for (int i = 0; i < intervals; ++i) {
        const MatX x = states_at_stages(curve, i);
        int close = 0;
        for (int stage = 0; stage < k; ++stage) {
          if (inside(x(j, stage)) <= 1) ++close;
          look(x(j, stage), curve.stage_time(i, stage));
        }
        if (close == k) on_bound.add(i);
      }
      const std::vector<double> of_all = share.worst({left.by, left.x, left.t});
      if (of_all[0] > worst) {
        worst = of_all[0];
        told.left = fmt::format("{}: the solution leaves this bound, to {:.6g} at t = {:.6g}", name,
                                of_all[1], of_all[2]);
      }
      const std::string stretches = on_bound.text();
      if (stretches.empty()) continue;
      told.on_bound.push_back(
          fmt::format("{}: the solution is on this bound, or closer than the tolerance tells, {}",
                      name, stretches));
    }
  }
  return told;
}

}  // namespace daewave::bvp
