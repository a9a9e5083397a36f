#include "ivp/windows/term_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daewave::ivp {
namespace {

constexpr int nodes = WindowFormula::nodes;
/// Slopes are taken at that node.
constexpr int center = 3;
/// Steps, as part of the size of coordinates, or of velocities.
constexpr double part_of_size = 1e-5;
/// Differences that are a smaller part of the largest entry are rounding.
constexpr double part_that_is_rounding = 1e-12;
/// What is left of c_v where g_qt is zero.
constexpr double part_of_mixed = 1e-6;

double largest_of(const double* values, int rows, int stride) {
  double most = 0;
  for (int i = 0; i < rows; ++i) most = std::max(most, std::abs(values[i * stride]));
  return most > 0 ? most : 1;
}

void copy_nodes(const double* from, int stride, int rows, AlignedVector& to) {
  to.resize(static_cast<std::size_t>(rows * nodes));
  for (int i = 0; i < rows; ++i) std::copy_n(from + i * stride, nodes, to.data() + i * nodes);
}

/// Of `count` points from `first` on, each of which has one variable moved, from `variable` on.
void collect(const double* from, int stride, int entries, int first, int count, int variable,
             double step, std::vector<TermSlope>& into) {
  double most = 0;
  for (int i = 0; i < entries; ++i) most = std::max(most, std::abs(from[i * stride + center]));
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < entries; ++i) {
      const double difference = from[i * stride + first + k] - from[i * stride + center];
      // Also what is not a number.
      if (!(std::abs(difference) > part_that_is_rounding * most)) continue;
      into.push_back({i, variable + k, difference / step});
    }
  }
}

/// to[entry] += value * moved[variable], at all nodes.
void add(const std::vector<TermSlope>& slopes, const double* moved, double* to) {
  for (const TermSlope& one : slopes) {
    double* const out = to + one.entry * nodes;
    const double* const by = moved + one.variable * nodes;
    for (int p = 0; p < nodes; ++p) out[p] += one.value * by[p];
  }
}

}  // namespace

Terms NodeTerms::terms() const {
  Terms all;
  all.stride = nodes;
  all.f = f.data();
  all.M = M.data();
  all.G = G.data();
  all.curvature = curvature.data();
  return all;
}

RememberedTerms::RememberedTerms(std::unique_ptr<Evaluation> evaluation, const Sizes& sizes,
                                 const Structure& structure)
    : evaluation_(std::move(evaluation)),
      sizes_(sizes),
      mass_constant_(structure.mass_constant),
      of_M_(structure.mass == Structure::Mass::diagonal ? sizes.nq : sizes.nq * sizes.nq) {}

// Nodes, then the center with each coordinate moved, then with each velocity.

void RememberedTerms::place(const Points& at, int count) {
  const int nq = sizes_.nq;
  t_.resize(static_cast<std::size_t>(count));
  q_.resize(static_cast<std::size_t>(count * nq));
  v_.resize(q_.size());
  std::copy_n(at.t, nodes, t_.data());
  std::fill(t_.begin() + nodes, t_.end(), at.t[center]);
  step_q_ = part_of_size * largest_of(at.q + center, nq, at.stride);
  step_v_ = part_of_size * largest_of(at.v + center, nq, at.stride);
  for (int i = 0; i < nq; ++i) {
    double* const q = q_.data() + i * count;
    double* const v = v_.data() + i * count;
    std::copy_n(at.q + i * at.stride, nodes, q);
    std::copy_n(at.v + i * at.stride, nodes, v);
    std::fill_n(q + nodes, count - nodes, q[center]);
    std::fill_n(v + nodes, count - nodes, v[center]);
    if (count == nodes) continue;
    q[nodes + i] += step_q_;
    v[nodes + nq + i] += step_v_;
  }
}

const Terms& RememberedTerms::evaluate(Ask what, const Points& at) {
  const int nq = sizes_.nq, nl = sizes_.nl(), count = nodes + (with_slopes_ ? 2 * nq : 0);
  place(at, count);
  const Terms& all =
      evaluation_->evaluate(what, Points{count, count, t_.data(), q_.data(), v_.data(), nullptr});
  nodes_.q.resize(static_cast<std::size_t>(nq * nodes));
  copy_nodes(q_.data(), count, nq, nodes_.q);
  copy_nodes(v_.data(), count, nq, nodes_.v);
  copy_nodes(all.f, all.stride, nq, nodes_.f);
  copy_nodes(all.M, all.stride, of_M_, nodes_.M);
  copy_nodes(all.G, all.stride, nl * nq, nodes_.G);
  copy_nodes(all.curvature, all.stride, nl, nodes_.curvature);
  if (std::exchange(with_slopes_, false)) find_slopes(all);
  terms_ = nodes_.terms();
  return terms_;
}

void RememberedTerms::find_slopes(const Terms& all) {
  const int nq = sizes_.nq, nl = sizes_.nl(), by_q = nodes, by_v = nodes + nq;
  for (auto* const one : {&slopes_.f, &slopes_.M, &slopes_.G, &slopes_.curvature, &slopes_.mixed}) {
    one->clear();
  }
  collect(all.f, all.stride, nq, by_q, nq, 0, step_q_, slopes_.f);
  collect(all.f, all.stride, nq, by_v, nq, nq, step_v_, slopes_.f);
  if (!mass_constant_) collect(all.M, all.stride, of_M_, by_q, nq, 0, step_q_, slopes_.M);
  collect(all.G, all.stride, nl * nq, by_q, nq, 0, step_q_, slopes_.G);
  collect(all.curvature, all.stride, nl, by_q, nq, 0, step_q_, slopes_.curvature);
  // c_v less 2 g_qq v, which G_q knows.
  std::vector<double> mixed(static_cast<std::size_t>(nl * nq));
  double largest = 0;
  for (int j = 0; j < nq; ++j) {
    for (int i = 0; i < nl; ++i) {
      const double* const c = all.curvature + i * all.stride;
      mixed[i + j * nl] = (c[by_v + j] - c[center]) / step_v_;
      largest = std::max(largest, std::abs(mixed[i + j * nl]));
    }
  }
  for (const TermSlope& one : slopes_.G) {
    const int row = one.entry % nl, j = one.entry / nl, k = one.variable;
    mixed[row + j * nl] -= one.value * nodes_.v[k * nodes + center];
    mixed[row + k * nl] -= one.value * nodes_.v[j * nodes + center];
    if (j == k) mixed[row + j * nl] -= one.value * step_v_;
  }
  for (int e = 0; e < nl * nq; ++e) {
    if (std::abs(mixed[e]) > part_of_mixed * largest) slopes_.mixed.push_back({e, 0, mixed[e]});
  }
}

const Terms& TermModel::evaluate(Ask, const Points& at) {
  const NodeTerms& known = from_.at_nodes();
  const TermSlopes& slopes = from_.slopes();
  const int nq = static_cast<int>(known.q.size()) / nodes;
  const int nl = static_cast<int>(known.curvature.size()) / nodes;
  now_ = known;
  moved_.resize(2 * known.q.size());
  for (int i = 0; i < nq; ++i) {
    for (int p = 0; p < nodes; ++p) {
      moved_[i * nodes + p] = at.q[i * at.stride + p] - known.q[i * nodes + p];
      moved_[(nq + i) * nodes + p] = at.v[i * at.stride + p] - known.v[i * nodes + p];
    }
  }
  add(slopes.f, moved_.data(), now_.f.data());
  add(slopes.M, moved_.data(), now_.M.data());
  add(slopes.G, moved_.data(), now_.G.data());
  add(slopes.curvature, moved_.data(), now_.curvature.data());
  add_motion_of_curvature(nq, nl);
  terms_ = now_.terms();
  return terms_;
}

void TermModel::add_motion_of_curvature(int nq, int nl) {
  const double* const dv = moved_.data() + nq * nodes;
  const double* const v0 = from_.at_nodes().v.data();
  for (const TermSlope& one : from_.slopes().G) {
    const int j = one.entry / nl, k = one.variable;
    double* const c = now_.curvature.data() + one.entry % nl * nodes;
    for (int p = 0; p < nodes; ++p) {
      const double of_j = dv[j * nodes + p], of_k = dv[k * nodes + p];
      c[p] += one.value * (of_k * (v0[j * nodes + p] + of_j) + v0[k * nodes + p] * of_j);
    }
  }
  for (const TermSlope& one : from_.slopes().mixed) {
    double* const c = now_.curvature.data() + one.entry % nl * nodes;
    const double* const of_j = dv + one.entry / nl * nodes;
    for (int p = 0; p < nodes; ++p) c[p] += one.value * of_j[p];
  }
}

}  // namespace daewave::ivp
