#include "ivp/lanes/lane_feed.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daewave::ivp {

namespace {

/// Steps in one call of the lanes: enough that the call costs nothing, few enough for the cache.
constexpr int block = 32;

}  // namespace

LaneFeed::LaneFeed(std::unique_ptr<SkewedIterates> lanes, const LaneFormula& formula, int iterates,
                   FixedSteps nodes, std::function<void(double t, double* y)> y_0, bool watches)
    : lanes_(std::move(lanes)),
      iterates_(iterates),
      nodes_(nodes),
      y_0_(std::move(y_0)),
      watches_(watches),
      point_(formula.point, formula.point + formula.points),
      points_(static_cast<std::size_t>(formula.points)),
      nz_(static_cast<std::size_t>(lanes_->shape().nz)),
      nc_(static_cast<std::size_t>(lanes_->shape().nc)),
      times_(block + 1),
      given_(block * points_ * nc_),
      x_(block * nz_),
      slope_(block * nz_),
      after_(block * nc_),
      before_(block * points_ * nc_),
      drift_(2 * block) {}

LaneSteps LaneFeed::out() {
  return {x_.data(), slope_.data(), after_.data(), before_.data(),
          watches_ ? drift_.data() : nullptr};
}

bool LaneFeed::start(const double* x) {
  steps_ = ticks_ = 0;
  at_ = ready_ = 0;
  std::fill(given_.begin(), given_.end(), 0);
  if (y_0_) y_0_(nodes_.node(0), given_.data());
  lanes_->start(nodes_.node(0), x, given_.data(), out());
  return finite_here();
}

bool LaneFeed::next() {
  ++at_;
  ++steps_;
  if (at_ >= ready_) {
    // Iterates that are behind take their first steps without being looked at.
    if (ticks_ == 0 && iterates_ > 1) run(iterates_ - 1);
    run(block);
    at_ = 0;
  }
  return finite_here();
}

void LaneFeed::run(int ticks) {
  for (int done = 0; done < ticks;) {
    const int count = std::min(ticks - done, block);
    for (int i = 0; i <= count; ++i) {
      times_[static_cast<std::size_t>(i)] = nodes_.node(std::min(ticks_ + i, nodes_.count()));
    }
    if (y_0_) {
      double* y = given_.data();
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        for (double point : point_) {
          y_0_(times_[i] + point * (times_[i + 1] - times_[i]), y);
          y += nc_;
        }
      }
    }
    lanes_->advance(count, times_.data(), given_.data(), out());
    ticks_ += count;
    done += count;
    ready_ = static_cast<std::size_t>(count);
  }
}

bool LaneFeed::finite_here() {
  double sum = 0;
  for (std::size_t i = 0; i < nz_; ++i) sum += x()[i] + slope()[i];
  if (std::isfinite(sum)) return true;
  failed_ = iterates_;
  for (int s = iterates_; s >= 1; --s) {
    const long step = lanes_->first_failure(s);
    if (step != SkewedIterates::no_failure && step < steps_) failed_ = s;
  }
  return false;
}

}  // namespace daewave::ivp
