#include "core/machine/sine_cosine.hpp"

#include "core/machine/has_vectors.hpp"

namespace daewave::detail {

namespace {

// Outside of the template, where g++ overlooks the size.
using TwoReals [[gnu::vector_size(16)]] = double;
using TwoWords [[gnu::vector_size(16)]] = std::uint64_t;
using FourReals [[gnu::vector_size(32)]] = double;
using FourWords [[gnu::vector_size(32)]] = std::uint64_t;

/// Groups as wide as a register, the last one filled up with zeros. @return how many angles were
/// done: all, or those before a group with one too large.
template <class Reals, class Words>
[[gnu::always_inline]] inline int in_groups(const double* x, int stride, int n, double* sine,
                                            double* cosine) {
  constexpr int width = sizeof(Reals) / sizeof(double);
  for (int i = 0; i < n; i += width) {
    const int count = n - i < width ? n - i : width;
    Reals angles = {};
    double sum = 0;
    for (int k = 0; k < count; ++k) {
      angles[k] = x[(i + k) * stride];
      sum += std::abs(angles[k]);
    }
    if (!(sum <= largest_reduced_angle)) return i;
    const auto both = reduced_sines_cosines<Reals, Words>(angles);
    for (int k = 0; k < count; ++k) {
      sine[i + k] = both.sine[k];
      cosine[i + k] = both.cosine[k];
    }
  }
  return n;
}

int by_two(const double* x, int stride, int n, double* sine, double* cosine) {
  return in_groups<TwoReals, TwoWords>(x, stride, n, sine, cosine);
}

#if defined(__x86_64__)
/// Without FMA: the bits are those of every other way.
[[gnu::target("avx2")]] int by_four(const double* x, int stride, int n, double* sine,
                                    double* cosine) {
  return in_groups<FourReals, FourWords>(x, stride, n, sine, cosine);
}
#else
constexpr auto by_four = by_two;
#endif

}  // namespace

ManyAngles many_angles() {
  static const ManyAngles best = has_avx2() ? by_four : by_two;
  return best;
}

}  // namespace daewave::detail
