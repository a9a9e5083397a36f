#pragma once
// Numbers that are the same to the last bit: -0 is not 0, and NaN is itself.

#include <cstddef>
#include <cstring>
#include <vector>

#include "core/types.hpp"

namespace daewave::testing {

inline bool same_bits(const double* a, const double* b, std::ptrdiff_t count) {
  // Comparing no bytes is not allowed where there is no address.
  return count == 0 || std::memcmp(a, b, sizeof(double) * static_cast<std::size_t>(count)) == 0;
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         same_bits(a.data(), b.data(), static_cast<std::ptrdiff_t>(a.size()));
}

template <class M>
bool same_bits(const Eigen::PlainObjectBase<M>& a, const Eigen::PlainObjectBase<M>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && same_bits(a.data(), b.data(), a.size());
}

}  // namespace daewave::testing
