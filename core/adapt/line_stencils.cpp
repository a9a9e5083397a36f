#include "core/adapt/line_stencils.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace daewave {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Steps, in units on which g is smooth, with 2 to either side and with 4.
constexpr double wide_step = 8e-2, fine_step = 4e-2;
/// Of the values along a line: what derivatives may be off by.
constexpr double accurate = 1e-10;
constexpr int left_to_others = 20;

/// Sums f(s) + f(-s), or differences, of steps 1 to 4, and f(0), along one line.
struct Along {
  std::array<double, 4> of{};
  double middle = 0;
};

double second_4(const Along& s, double d) {
  return (16 * s.of[0] - s.of[1] - 30 * s.middle) / (12 * d * d);
}
double second_6(const Along& s, double d) {
  return (270 * s.of[0] - 27 * s.of[1] + 2 * s.of[2] - 490 * s.middle) / (180 * d * d);
}
double second_8(const Along& s, double d) {
  return (8064 * s.of[0] - 1008 * s.of[1] + 128 * s.of[2] - 9 * s.of[3] - 14350 * s.middle) /
         (5040 * d * d);
}
double first_4(const Along& s, double d) { return (8 * s.of[0] - s.of[1]) / (12 * d); }
double first_6(const Along& s, double d) {
  return (45 * s.of[0] - 9 * s.of[1] + s.of[2]) / (60 * d);
}
double first_8(const Along& s, double d) {
  return (672 * s.of[0] - 168 * s.of[1] + 32 * s.of[2] - 3 * s.of[3]) / (840 * d);
}

struct Derived {
  double value = 0, off = 0;
};

/// The longer step, where the shorter one says the same.
Derived of_two(const Along& s, bool second, double d) {
  const double value = second ? (s.of[1] - 2 * s.middle) / (4 * d * d) : s.of[1] / (4 * d);
  const double narrow = second ? (s.of[0] - 2 * s.middle) / (d * d) : s.of[0] / (2 * d);
  return {value, std::abs(value - narrow)};
}

/// Of order 8; what it is off by is told by those of orders 6 and 4.
Derived of_four(const Along& s, bool second, double d) {
  const double value = second ? second_8(s, d) : first_8(s, d);
  const double six = second ? second_6(s, d) : first_6(s, d);
  const double four = second ? second_4(s, d) : first_4(s, d);
  const double off = std::abs(value - six), before = std::abs(six - four);
  return {value, before > 0 ? off * std::min(1.0, off / before) : off};
}

}  // namespace

bool LineStencils::evaluate(const ProblemFunctions& of, const Points& at, double* out) {
  if (unused_ > 0) {
    --unused_;
    return false;
  }
  for (; sides_ <= 4; sides_ += 2) {
    fetch(of, at);
    if (derive(of, at.count, out)) return true;
  }
  sides_ = 4;
  // A point where little moves tells nothing of others.
  if (at.count > 1) unused_ = left_to_others;
  return false;
}

// Value k of line l is at k * lines + l; 0 is the middle, then 1, -1, 2, -2, ...

void LineStencils::fetch(const ProblemFunctions& of, const Points& at) {
  const int nq = of.sizes.nq, columns = what_ == Ask::G ? nq : 1;
  lines_ = at.count * columns;
  const bool second = what_ == Ask::curvature;
  const int values = 2 * sides_ + (second ? 1 : 0), first = second ? 0 : 1;
  const auto count = static_cast<std::size_t>(values) * static_cast<std::size_t>(lines_);
  units_.assign(static_cast<std::size_t>(at.count), 1.0);
  if (second) {
    for (int p = 0; p < at.count; ++p) {
      double most = 1;
      for (int i = 0; i < nq; ++i) most = std::max(most, std::abs(at.v[i * at.stride + p]));
      units_[static_cast<std::size_t>(p)] = 1 / most;
    }
  }
  t_.resize(count);
  q_.resize(count * static_cast<std::size_t>(nq));
  g_.resize(count * static_cast<std::size_t>(of.sizes.ny));
  const double d = sides_ == 2 ? wide_step : fine_step;
  for (int k = 0; k < values; ++k) {
    const int step = (k + first + 1) / 2;
    const double s = (k + first) % 2 == 1 ? step * d : -step * d;
    for (int j = 0; j < columns; ++j) {
      const auto begin = static_cast<std::size_t>(k) * static_cast<std::size_t>(lines_) +
                         static_cast<std::size_t>(j * at.count);
      for (int p = 0; p < at.count; ++p) {
        const double move = s * units_[static_cast<std::size_t>(p)];
        t_[begin + static_cast<std::size_t>(p)] = at.t[p] + (what_ == Ask::G ? 0 : move);
      }
      for (int i = 0; i < nq; ++i) {
        double* const to = q_.data() + static_cast<std::size_t>(i) * count + begin;
        const double* const from = at.q + static_cast<long>(i) * at.stride;
        if (second) {
          const double* const v = at.v + static_cast<long>(i) * at.stride;
          for (int p = 0; p < at.count; ++p) {
            to[p] = from[p] + s * units_[static_cast<std::size_t>(p)] * v[p];
          }
        } else {
          const double move = what_ == Ask::G && i == j ? s : 0;
          for (int p = 0; p < at.count; ++p) to[p] = from[p] + move;
        }
      }
    }
  }
  const int points = static_cast<int>(count);
  of.g(Points{points, points, t_.data(), q_.data(), nullptr, nullptr}, g_.data());
}

bool LineStencils::derive(const ProblemFunctions& of, int count, double* out) {
  const auto lines = static_cast<std::size_t>(lines_);
  const std::size_t values = static_cast<std::size_t>(2 * sides_ + (what_ == Ask::curvature));
  derived_.resize(lines);
  for (int i = 0; i < of.sizes.ny; ++i) {
    const double* const g = g_.data() + static_cast<std::size_t>(i) * values * lines;
    if (!derive_row(g, values)) return false;
    for (std::size_t l = 0; l < lines; ++l) {
      const int p = static_cast<int>(l) % count, column = static_cast<int>(l) / count;
      const double unit = what_ == Ask::curvature ? units_[static_cast<std::size_t>(p)] : 1;
      out[(i + column * of.sizes.ny) * count + p] = derived_[l] / (unit * unit);
    }
  }
  return true;
}

/// Of all lines, in their units. What they may be off by is a part of the largest of them.
bool LineStencils::derive_row(const double* g, std::size_t values) {
  const bool second = what_ == Ask::curvature;
  const double d = sides_ == 2 ? wide_step : fine_step;
  const auto lines = static_cast<std::size_t>(lines_);
  double size = 0, largest = 0, most_off = 0;
  for (std::size_t l = 0; l < values * lines; ++l) size = std::max(size, std::abs(g[l]));
  for (std::size_t l = 0; l < lines; ++l) {
    Along along;
    for (int k = 0; k < sides_; ++k) {
      const std::size_t right = static_cast<std::size_t>(2 * k) + (second ? 1 : 0);
      const double above = g[right * lines + l], below = g[(right + 1) * lines + l];
      along.of[static_cast<std::size_t>(k)] = second ? above + below : above - below;
    }
    if (second) along.middle = g[l];
    const auto [value, off] = sides_ == 2 ? of_two(along, second, d) : of_four(along, second, d);
    derived_[l] = value;
    largest = std::max(largest, std::abs(value));
    if (!(off <= most_off)) most_off = off;
  }
  const double rounding = 64 * epsilon * size / (second ? d * d : d);
  return most_off <= std::max(rounding, accurate * largest);
}

}  // namespace daewave
