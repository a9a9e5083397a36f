#include "ivp/multistep/multistep_past.hpp"

#include <algorithm>

namespace daewave::ivp {

void MultistepPast::start(int nx, int nl) {
  count_ = 0;
  for (PastNode& node : nodes_) {
    for (VecX* values : {&node.x, &node.increment, &node.f, &node.term}) values->setZero(nx);
    node.lambda.setZero(nl);
  }
  lost_.setZero(nx);
  next_lost_.setZero(nx);
}

void MultistepPast::set_next_x(const VecX& increment) {
  PastNode& next = nodes_.back();
  const VecX& before = nodes_.front().x;
  next.increment = increment;
  // Compensated, as x is the larger of the two but for small entries, which lose nothing anyway.
  next_lost_ = increment + lost_;
  next.x = before + next_lost_;
  next_lost_ -= next.x - before;
}

void MultistepPast::keep_next() {
  std::rotate(nodes_.begin(), nodes_.end() - 1, nodes_.end());
  lost_.swap(next_lost_);
  count_ = std::min(count_ + 1, most_multistep_nodes);
}

void MultistepPast::nodes_before(double t, double h, GridNodes& nodes) const {
  nodes.count = std::min(count_ + 1, most_multistep_nodes);
  nodes.at[0] = 0;
  for (int j = 1; j < nodes.count; ++j) nodes.at[j] = (node(j - 1).t - t) / h;
}

}  // namespace daewave::ivp
