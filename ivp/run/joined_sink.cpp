#include "ivp/run/joined_sink.hpp"

#include <cmath>

namespace daewave::ivp {

bool JoinedSink::give(const Output& row) {
  if (!options_.sink) return true;
  if (has_stopped()) return false;
  if (!left_out_.pass(row.t, [&](double t) { return give_left_out(t, row); })) return false;
  if (!options_.times.empty()) remember(row);
  return sink(row);
}

bool JoinedSink::sink(const Output& row) {
  if (options_.sink(row)) return true;
  stopped_at_ = row.t;
  return false;
}

bool JoinedSink::give_left_out(double t, const Output& row) {
  const bool is_later = has_last_ && std::abs(t - last_.t) < std::abs(row.t - t);
  Output at = is_later ? last_ : row;
  at.t = t;
  return sink(at);
}

void JoinedSink::remember(const Output& row) {
  has_last_ = true;
  last_ = row;
  state_ = Eigen::Map<const VecX>(row.state, nz_);
  last_.state = state_.data();
  if (row.multiplier == nullptr) return;
  multiplier_ = Eigen::Map<const VecX>(row.multiplier, row.ny);
  last_.multiplier = multiplier_.data();
}

}  // namespace daewave::ivp
