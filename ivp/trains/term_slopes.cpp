#include "ivp/trains/term_slopes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daewave::ivp {
namespace {

/// Of the size of coordinates, or of velocities: what is linear is exact to rounding, and what is
/// curved right to a few digits, which is all that a model needs.
constexpr double part_of_size = 1e-3, part_of_time = 1e-4;
/// Differences that are a smaller part of the largest entry are rounding.
constexpr double part_that_is_rounding = 1e-11;

double largest_of(const double* values, int count) {
  double most = 0;
  for (int i = 0; i < count; ++i) most = std::max(most, std::abs(values[i]));
  return most > 0 ? most : 1;
}

double time_step(double t) { return part_of_time * std::max(1.0, std::abs(t)); }

/// Entries at pairs of points, their differences over `widths` as slopes by `variables`.
void collect(const double* from, int stride, int entries, int first,
             const std::vector<std::pair<int, double>>& by, std::vector<TermSlope>& into) {
  if (from == nullptr) return;
  double most = 0;
  const int points = 2 * static_cast<int>(by.size());
  for (int i = 0; i < entries; ++i) {
    for (int p = 0; p < points; ++p) {
      most = std::max(most, std::abs(from[static_cast<long>(i) * stride + first + p]));
    }
  }
  for (int k = 0; k < static_cast<int>(by.size()); ++k) {
    for (int i = 0; i < entries; ++i) {
      const double* const at = from + static_cast<long>(i) * stride + first + 2 * k;
      const double difference = at[1] - at[0];
      if (std::abs(difference) <= part_that_is_rounding * most) continue;
      into.push_back({i, by[k].first, difference / by[k].second});
    }
  }
}

}  // namespace

// Pairs of q_k, the pair of t, and of f the pairs of v_k behind them.

void TermSlopes::place(const double* q, const double* v, double t, int nq, int stride, double* at_t,
                       double* at_q, double* at_v) {
  const int count = points_of_f(nq);
  for (int p = 0; p < count; ++p) at_t[p] = t;
  for (int i = 0; i < nq; ++i) {
    std::fill_n(at_q + i * stride, count, q[i]);
    std::fill_n(at_v + i * stride, count, v[i]);
  }
  const auto move = [](double* pair, double h) {
    pair[0] -= h;
    pair[1] += h;
  };
  const double h_q = part_of_size * largest_of(q, nq), h_v = part_of_size * largest_of(v, nq);
  for (int k = 0; k < nq; ++k) {
    move(at_q + k * stride + 2 * k, h_q);
    move(at_v + k * stride + 2 * nq + 2 + 2 * k, h_v);
  }
  move(at_t + 2 * nq, time_step(t));
}

TermSlopes::TermSlopes(const KnownTerms& center, const Terms& f_terms, int first_of_f,
                       const Terms& terms, int first, int first_of_v) {
  const int nq = center.nq, nl = center.nl;
  const auto width = [](double value, double h) { return (value + h) - (value - h); };
  const double h_q = part_of_size * largest_of(center.q.data(), nq);
  const double h_v = part_of_size * largest_of(center.v.data(), nq);
  std::vector<std::pair<int, double>> by_position, by_velocity;
  for (int k = 0; k < nq; ++k) {
    by_position.emplace_back(k, width(center.q[k], h_q));
    by_velocity.emplace_back(nq + k, width(center.v[k], h_v));
  }
  by_position.emplace_back(2 * nq, width(center.t[0], time_step(center.t[0])));
  collect(f_terms.f, f_terms.stride, nq, first_of_f, by_position, f);
  collect(f_terms.f, f_terms.stride, nq, first_of_v, by_velocity, f);
  collect(terms.M, terms.stride, center.mass_entries(), first, by_position, M);
  collect(terms.G, terms.stride, nl * nq, first, by_position, G);
  collect(terms.curvature, terms.stride, nl, first, by_position, curvature);
}

bool TermSlopes::finite() const {
  for (const std::vector<TermSlope>* all : {&f, &M, &G, &curvature}) {
    for (const TermSlope& one : *all) {
      if (!std::isfinite(one.value)) return false;
    }
  }
  return true;
}

}  // namespace daewave::ivp
