#include "ivp/srm/stage_rows.hpp"

#include <cmath>
#include <cstring>

namespace daewave::ivp {
namespace {

using Pair [[gnu::vector_size(16)]] = double;

/// `count` numbers side by side, in registers.
template <int count>
struct Numbers {
  static constexpr int pairs = count / 2;
  Pair of[pairs];

  [[gnu::always_inline]] explicit Numbers(const double* from) { std::memcpy(of, from, sizeof(of)); }
  [[gnu::always_inline]] void store(double* to) const { std::memcpy(to, of, sizeof(of)); }
  [[gnu::always_inline]] void add(const Numbers& x) {
    for (int i = 0; i < pairs; ++i) of[i] += x.of[i];
  }
  [[gnu::always_inline]] void scale(double factor) {
    for (int i = 0; i < pairs; ++i) of[i] *= factor;
  }
  [[gnu::always_inline]] void add(double a, const Numbers& x) {
    for (int i = 0; i < pairs; ++i) of[i] += a * x.of[i];
  }
  [[gnu::always_inline]] void add(double a, const Numbers& x, double b, const Numbers& y) {
    for (int i = 0; i < pairs; ++i) of[i] += a * x.of[i] + b * y.of[i];
  }
};

template <>
struct Numbers<1> {
  double of;

  [[gnu::always_inline]] explicit Numbers(const double* from) : of(*from) {}
  [[gnu::always_inline]] void store(double* to) const { *to = of; }
  [[gnu::always_inline]] void add(const Numbers& x) { of += x.of; }
  [[gnu::always_inline]] void scale(double factor) { of *= factor; }
  [[gnu::always_inline]] void add(double a, const Numbers& x) { of += a * x.of; }
  [[gnu::always_inline]] void add(double a, const Numbers& x, double b, const Numbers& y) {
    of += a * x.of + b * y.of;
  }
};

/// Calls each(i, Numbers<count> of type) for blocks from i on, that make up n numbers.
template <class Each>
[[gnu::always_inline]] inline void in_blocks(int n, Each each) {
  int i = 0;
  for (; i + 4 <= n; i += 4) each.template operator()<4>(i);
  if (i + 2 <= n) {
    each.template operator()<2>(i);
    i += 2;
  }
  if (i < n) each.template operator()<1>(i);
}

template <int count>
[[gnu::always_inline]] inline Numbers<count> sum_at(const Combination& row, const double* const* k,
                                                    int at) {
  Numbers<count> sum(k[row.stage[0]] + at);
  sum.scale(row.coefficient[0]);
  int i = 1;
  for (; i + 1 < row.count; i += 2) {
    sum.add(row.coefficient[i], Numbers<count>(k[row.stage[i]] + at), row.coefficient[i + 1],
            Numbers<count>(k[row.stage[i + 1]] + at));
  }
  if (i < row.count) sum.add(row.coefficient[i], Numbers<count>(k[row.stage[i]] + at));
  return sum;
}

}  // namespace

void step_along(const double* x, double h, const Combination& row, const double* const* k, int n,
                double* out) {
  in_blocks(n, [&]<int count>(int at) {
    Numbers<count> sum = sum_at<count>(row, k, at);
    sum.scale(h);
    sum.add(Numbers<count>(x + at));
    sum.store(out + at);
  });
}

void sum_stages(double factor, const Combination& row, const double* const* k, int n, double* out) {
  in_blocks(n, [&]<int count>(int at) {
    Numbers<count> sum = sum_at<count>(row, k, at);
    sum.scale(factor);
    sum.store(out + at);
  });
}

void interpolate_rows(const double* rows, int degree, double theta, int n, double* out) {
  in_blocks(n, [&]<int count>(int at) {
    Numbers<count> value(rows + degree * n + at);
    for (int i = degree; i-- > 0;) {
      value.scale(i % 2 == 0 ? theta : 1 - theta);
      value.add(Numbers<count>(rows + i * n + at));
    }
    value.store(out + at);
  });
}

bool sums_up(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  return std::isfinite(sum);
}

}  // namespace daewave::ivp
