#include "ivp/trains/term_model.hpp"

#include <algorithm>

namespace daewave::ivp {
namespace {

/// to[entry] += value * moved[variable], at all points.
template <int width>
void add(const std::vector<TermSlope>& slopes, const double* moved, double* to) {
  for (const TermSlope& one : slopes) {
    double* const out = to + one.entry * width;
    const double* const by = moved + one.variable * width;
    for (int p = 0; p < width; ++p) out[p] += one.value * by[p];
  }
}

/// What c has of velocities, and g of positions, by G_q = g_qq and G_t = g_qt.
template <int width>
void add_second_order(const KnownTerms& from, const std::vector<TermSlope>& of_G,
                      const double* moved, bool residuals, KnownTerms& now) {
  const int nq = from.nq, nl = from.nl;
  for (const TermSlope& one : of_G) {
    const int row = one.entry % nl, j = one.entry / nl, k = one.variable;
    double* const c = now.curvature.data() + row * width;
    const double* const v0_j = from.v.data() + j * width;
    const double* const dv_j = moved + (nq + j) * width;
    const double* const dq_j = moved + j * width;
    if (k < nq) {
      const double* const v0_k = from.v.data() + k * width;
      const double* const dv_k = moved + (nq + k) * width;
      for (int p = 0; p < width; ++p) {
        c[p] += one.value * (dv_k[p] * (v0_j[p] + dv_j[p]) + v0_k[p] * dv_j[p]);
      }
    } else {
      for (int p = 0; p < width; ++p) c[p] += 2 * one.value * dv_j[p];
    }
    if (!residuals) continue;
    const double* const d_k = moved + k * width;
    double* const g = now.g.data() + row * width;
    double* const g_t = now.g_t.data() + row * width;
    const double part = k < nq ? 0.5 : 1;
    for (int p = 0; p < width; ++p) {
      g[p] += part * one.value * dq_j[p] * d_k[p];
      if (k >= nq) g_t[p] += one.value * dq_j[p];
    }
  }
}

template <int width>
void model_terms(const KnownTerms& from, const TermSlopes& slopes, const double* moved,
                 bool residuals, KnownTerms& now) {
  add<width>(slopes.f, moved, now.f.data());
  add<width>(slopes.M, moved, now.M.data());
  add<width>(slopes.G, moved, now.G.data());
  add<width>(slopes.curvature, moved, now.curvature.data());
  if (residuals) {
    const double* const dt = moved + 2 * from.nq * width;
    for (int i = 0; i < from.nl; ++i) {
      for (int p = 0; p < width; ++p) {
        double sum = from.g_t[i * width + p] * dt[p];
        for (int j = 0; j < from.nq; ++j) {
          sum += from.G[(i + j * from.nl) * width + p] * moved[j * width + p];
        }
        now.g[i * width + p] += sum;
      }
    }
  }
  add_second_order<width>(from, slopes.G, moved, residuals, now);
}

}  // namespace

void TermModel::model(const Points& at, bool residuals) {
  const KnownTerms& from = *from_;
  const int width = from.width, nq = from.nq;
  now_ = from;
  moved_.resize(static_cast<std::size_t>((2 * nq + 1) * width));
  for (int i = 0; i < nq; ++i) {
    for (int p = 0; p < width; ++p) {
      const int here = i * width + p;
      now_.q[here] = at.q[i * at.stride + p];
      now_.v[here] = at.v[i * at.stride + p];
      moved_[here] = now_.q[here] - from.q[here];
      moved_[nq * width + here] = now_.v[here] - from.v[here];
    }
  }
  for (int p = 0; p < width; ++p) {
    now_.t[p] = at.t[p];
    moved_[2 * nq * width + p] = at.t[p] - from.t[p];
  }
  if (width == 1) {
    model_terms<1>(from, *slopes_, moved_.data(), residuals, now_);
  } else {
    model_terms<8>(from, *slopes_, moved_.data(), residuals, now_);
  }
}

const Terms& TermModel::evaluate(Ask, const Points& at) {
  model(at, false);
  terms_.stride = from_->width;
  terms_.f = now_.f.data();
  terms_.M = now_.M.data();
  terms_.G = now_.G.data();
  terms_.curvature = now_.curvature.data();
  terms_.g = now_.g.data();
  terms_.g_t = now_.g_t.data();
  return terms_;
}

const KnownTerms& TermModel::at(const Points& points) {
  model(points, true);
  return now_;
}

}  // namespace daewave::ivp
