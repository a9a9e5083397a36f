#include "ivp/one_step/kept_numbers.hpp"

#include <algorithm>
#include <cassert>

namespace daewave::ivp {

void KeptNumbers::append(const double* entries, Eigen::Index count) {
  numbers_.insert(numbers_.end(), entries, entries + count);
}

VecX KeptNumbers::all() const {
  return Eigen::Map<const VecX>(numbers_.data(), static_cast<Eigen::Index>(numbers_.size()));
}

void TakenUpNumbers::take(double* entries, Eigen::Index count) {
  assert(at_ + count <= numbers_.size());
  std::copy_n(numbers_.data() + at_, count, entries);
  at_ += count;
}

}  // namespace daewave::ivp
