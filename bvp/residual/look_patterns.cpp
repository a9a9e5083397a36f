#include "bvp/residual/look_patterns.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <mutex>
#include <utility>

#include "bvp/curve/collocation_values.hpp"

namespace daewave::bvp {
namespace {

/// Few patterns serve all intervals of a mesh: of three binary digits.
double rounded_up(double wanted) {
  constexpr double most = 0x1p62;
  const auto whole = static_cast<std::uint64_t>(std::min(wanted, most));
  const int digits = static_cast<int>(std::bit_width(whole));
  const auto unit = static_cast<double>(std::uint64_t{1} << std::max(0, digits - 3));
  const auto units = static_cast<double>(static_cast<std::uint64_t>(wanted / unit));
  return units * unit < wanted ? (units + 1) * unit : units * unit;
}

/// What solutions have been looked at with, as far as it is not much.
class Kept {
 public:
  using Key = std::vector<double>;

  template <class Make>
  std::shared_ptr<const LookPattern> find(const Key& key, const Make& make) {
    {
      const std::scoped_lock lock(mutex_);
      if (const auto found = patterns_.find(key); found != patterns_.end()) return found->second;
    }
    auto fresh = std::make_shared<const LookPattern>(make());
    // Each number is there for each polynomial, as a value and as an integral, twice.
    const std::size_t size = 4 * key.size() * fresh->theta.size();
    if (size > most_numbers / 8) return fresh;
    const std::scoped_lock lock(mutex_);
    if (numbers_ + size > most_numbers) {
      patterns_.clear();
      numbers_ = 0;
    }
    if (patterns_.emplace(key, fresh).second) numbers_ += size;
    return fresh;
  }

 private:
  static constexpr std::size_t most_numbers = std::size_t{1} << 19;

  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const LookPattern>> patterns_;
  std::size_t numbers_ = 0;
};

Kept& kept() {
  static Kept patterns;
  return patterns;
}

}  // namespace

LookPatterns::LookPatterns(const Collocation& scheme, const StagePolynomials& polynomials,
                           double per_time, LookFor wanted)
    : scheme_(scheme), polynomials_(polynomials), per_time_(per_time), wanted_(wanted) {
  const auto k = static_cast<std::size_t>(scheme.stages);
  const VecX& points = polynomials.points();
  stage_ends_.reserve(k + 2);
  least_.reserve(k + 1);
  key_.reserve(2 + k + static_cast<std::size_t>(points.size()) + k + 1);
  stage_ends_.push_back(0);
  for (const double c : scheme.c) {
    if (c > 0 && c < 1) stage_ends_.push_back(c);
  }
  stage_ends_.push_back(1);
  for (std::size_t g = 0; g + 1 < stage_ends_.size(); ++g) {
    least_.push_back(least_in(static_cast<int>(g)));
  }
  key_.resize(least_.size());
  key_.push_back(wanted == LookFor::jumps ? 0 : 1);
  key_.push_back(scheme.stages);
  key_.insert(key_.end(), scheme.c.begin(), scheme.c.end());
  key_.insert(key_.end(), points.begin(), points.end());
}

/// Points that are looked at between two stages in any case. What is wrong between some of many
/// stages the polynomial through them shows everywhere; close to the nodes is looked always.
int LookPatterns::least_in(int gap) const {
  const auto gaps = static_cast<int>(stage_ends_.size()) - 1;
  if (scheme_.stages == 1) return 2;
  const bool outer = gap == 0 || gap + 1 == gaps, with_ends = polynomials_.count() > gaps;
  if (with_ends && outer) return 1;
  return gaps <= 4 || (wanted_ == LookFor::jumps && !with_ends) ? 1 : gap % 2;
}

const LookPattern& LookPatterns::of(double h) {
  const double in_step = 0.999 * per_time_ * h;
  const bool is_short = in_step <= 1;
  if (is_short && least_of_all_ != nullptr) return *least_of_all_;
  for (std::size_t g = 0; g < least_.size(); ++g) {
    const double wanted = in_step * (stage_ends_[g + 1] - stage_ends_[g]);
    key_[g] = wanted > 1 ? std::max(least_[g], rounded_up(wanted)) : least_[g];
  }
  const auto found = std::find_if(used_.begin(), used_.end(), [&](const Used& one) {
    return std::equal(one.counts.begin(), one.counts.end(), key_.begin());
  });
  if (found != used_.end()) return *found->pattern;
  const auto fresh = kept().find(key_, [this] { return made(); });
  const auto counts_end = key_.begin() + static_cast<std::ptrdiff_t>(least_.size());
  used_.push_back({{key_.begin(), counts_end}, fresh});
  if (is_short) least_of_all_ = fresh.get();
  return *fresh;
}

LookPattern LookPatterns::made() const {
  LookPattern pattern;
  std::vector<double>& theta = pattern.theta;
  // Where equations are satisfied nothing is seen.
  const bool at_ends = polynomials_.count() == scheme_.stages || wanted_ == LookFor::everything;
  if (at_ends) theta.push_back(beside_nodes);
  for (std::size_t g = 0; g + 1 < stage_ends_.size(); ++g) {
    const double count = key_[g];
    const double from = stage_ends_[g], gap = stage_ends_[g + 1] - from;
    // No symmetric places: some errors have zeros there.
    for (int p = 0; p < count; ++p) theta.push_back(from + gap * (p + 0.4142135623730951) / count);
  }
  if (at_ends) theta.push_back(1 - beside_nodes);
  const auto points = static_cast<Eigen::Index>(theta.size());
  pattern.gaps.resize(points + 1);
  for (Eigen::Index p = 0; p <= points; ++p) {
    const double from = p > 0 ? theta[p - 1] : 0, to = p < points ? theta[p] : 1;
    pattern.gaps[p] = to - from;
  }
  pattern.smooth.resize(points, 2);
  const Eigen::Map<const VecX> at(theta.data(), points);
  pattern.smooth.col(0).setOnes();
  for (const double c : polynomials_.points()) pattern.smooth.col(0).array() *= at.array() - c;
  pattern.smooth.col(1) = pattern.smooth.col(0).array() * (2 * at.array() - 1);
  pattern.smooth /= pattern.smooth.cwiseAbs().maxCoeff();
  pattern.parts = 0.5 * (pattern.gaps.head(points) + pattern.gaps.tail(points));
  const MatX weighted = pattern.parts.asDiagonal() * pattern.smooth;
  const Mat<2, 2> normal = weighted.transpose().lazyProduct(pattern.smooth);
  pattern.fit = weighted.lazyProduct(normal.inverse());  // It is symmetric.
  pattern.at.set(polynomials_, at);
  VecX with_stages(scheme_.stages + points);
  with_stages << scheme_.c, at;
  pattern.with_stages.set(polynomials_, with_stages);
  return pattern;
}

}  // namespace daewave::bvp
