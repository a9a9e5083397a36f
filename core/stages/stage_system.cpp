#include "core/stages/stage_system.hpp"

#include <algorithm>

#include "core/blocks/dense_elimination.hpp"

namespace daewave {

StageLayout::StageLayout(int nx_, int ny_, const Collocation& scheme)
    : nx(nx_),
      ny(ny_),
      stages(scheme.stages),
      shared(scheme.starts_at_node()),
      node(shared ? nx_ + ny_ : nx_),
      multipliers(ny_ * scheme.stages) {}

StageMaps::StageMaps(const StageLayout& layout, int intervals)
    : layout_(layout), intervals_(intervals) {
  const int u = layout.node, z = layout.multipliers;
  G_ = u;
  h0_ = G_ + u * z;
  H_ = h0_ + z;
  Hr_ = H_ + z * u;
  J_ = Hr_ + (layout.shared ? z * u : 0);
  stride_ = J_ + z * z;
  values_.resize(static_cast<std::size_t>(stride_) * intervals);
}

void StageMaps::right_side(int i, const double* zeta_old, double* right) const {
  const int u = layout_.node, z = layout_.multipliers;
  const double* const base = at(i);
  for (int r = 0; r < u; ++r) {
    double sum = base[r];
    if (zeta_old != nullptr) {
      const double* const row = base + G_ + r * z;
      for (int c = 0; c < z; ++c) sum += row[c] * zeta_old[c];
    }
    right[r] = sum;
  }
}

void StageMaps::update_multipliers(int i, const double* left, const double* right, bool zero_old,
                                   double* zeta) const {
  constexpr int on_stack = 64;
  const int u = layout_.node, z = layout_.multipliers;
  const double* const base = at(i);
  double stack[on_stack];
  std::vector<double> heap(z > on_stack ? z : 0);
  double* const fresh = z > on_stack ? heap.data() : stack;
  for (int r = 0; r < z; ++r) {
    double sum = base[h0_ + r];
    const double* const from_left = base + H_ + r * u;
    for (int c = 0; c < u; ++c) sum += from_left[c] * left[c];
    if (layout_.shared) {
      const double* const from_right = base + Hr_ + r * u;
      for (int c = 0; c < u; ++c) sum += from_right[c] * right[c];
    }
    if (!zero_old) {
      const double* const from_old = base + J_ + r * z;
      for (int c = 0; c < z; ++c) sum += from_old[c] * zeta[c];
    }
    fresh[r] = sum;
  }
  std::copy(fresh, fresh + z, zeta);
}

StageElimination::StageElimination(const StageLayout& layout, const Collocation& scheme,
                                   double epsilon)
    : layout_(layout), scheme_(scheme), epsilon_(epsilon) {
  const int n = layout.nx, m = layout.ny, k = layout.stages;
  first_ = layout.shared ? 1 : 0;
  inner_ = layout.shared ? k - 2 : k;
  unknowns_ = (k - first_) * n + inner_ * m;
  outputs_ = n;
  x_ = unknowns_;
  zeta_left_ = x_ + n;
  zeta_right_ = zeta_left_ + (layout.shared ? m : 0);
  zeta_old_ = zeta_right_ + (layout.shared ? m : 0);
  one_ = zeta_old_ + inner_ * m;
  stride_ = padded(one_ + 1);
  panel_.resize(static_cast<std::size_t>(unknowns_ + outputs_) * stride_);
  rows_.resize(unknowns_ + outputs_);
  A_first_.resize(n, n + m + 1);
  K_first_.resize(m, n + m + 1);
}

void StageElimination::assemble(const CoefficientBatch& coefficients, const StageBatch& regularized,
                                int first, double h) {
  const int n = layout_.nx, m = layout_.ny, k = layout_.stages;
  const int zeta = (k - first_) * n;  // First column and row of the inner multipliers.
  std::fill(panel_.begin(), panel_.end(), 0.0);
  for (std::size_t r = 0; r < rows_.size(); ++r) rows_[r] = panel_.data() + r * stride_;
  if (layout_.shared) {  // F_1 = A_1 x - V_1 zeta_left + q_1 is known.
    A_first_ << coefficients.A(first), -regularized.V(first), coefficients.q(first);
  }
  for (int j = first_; j < k; ++j) {
    const auto A = coefficients.A(first + j);
    const auto V = regularized.V(first + j);
    const auto q = coefficients.q(first + j);
    const bool inner = j - first_ < inner_;
    for (int r = 0; r < n; ++r) {
      double* const out = row((j - first_) * n + r);
      for (int l = first_; l < k; ++l) {
        const double weight = h * scheme_.a(j, l);
        for (int c = 0; c < n; ++c) out[(l - first_) * n + c] = -weight * A(r, c);
      }
      out[(j - first_) * n + r] += 1;
      for (int c = 0; c < n; ++c) out[x_ + c] = A(r, c);
      out[one_] = q[r];
      for (int c = 0; c < m; ++c) {
        if (inner) {
          out[zeta + (j - first_) * m + c] = V(r, c);
        } else {
          out[zeta_right_ + c] = -V(r, c);
        }
      }
      if (layout_.shared) {
        const double weight = h * scheme_.a(j, 0);
        for (int c = 0; c < n; ++c) {
          const double factor = weight * A(r, c);
          for (int e = 0; e < n; ++e) out[x_ + e] += factor * A_first_(c, e);
          for (int e = 0; e < m; ++e) out[zeta_left_ + e] += factor * A_first_(c, n + e);
          out[one_] += factor * A_first_(c, n + m);
        }
      }
    }
    if (!inner) continue;
    const auto L = regularized.L(first + j);
    const auto Lo = regularized.Lo(first + j);
    const auto K = regularized.K(first + j);
    const auto w = regularized.w(first + j);
    for (int r = 0; r < m; ++r) {
      double* const out = row(zeta + (j - first_) * m + r);
      for (int l = first_; l < k; ++l) {
        const double weight = h * scheme_.a(j, l);
        for (int c = 0; c < n; ++c) out[(l - first_) * n + c] = -weight * K(r, c);
      }
      for (int c = 0; c < m; ++c) {
        out[zeta + (j - first_) * m + c] = L(r, c);
        out[zeta_old_ + (j - first_) * m + c] = epsilon_ * Lo(r, c);
      }
      for (int c = 0; c < n; ++c) out[x_ + c] = K(r, c);
      out[one_] = w(r, 0);
      if (layout_.shared) {
        const double weight = h * scheme_.a(j, 0);
        for (int c = 0; c < n; ++c) {
          const double factor = weight * K(r, c);
          for (int e = 0; e < n; ++e) out[x_ + e] += factor * A_first_(c, e);
          for (int e = 0; e < m; ++e) out[zeta_left_ + e] += factor * A_first_(c, n + e);
          out[one_] += factor * A_first_(c, n + m);
        }
      }
    }
  }
  for (int r = 0; r < n; ++r) {
    double* const out = row(unknowns_ + r);
    for (int l = first_; l < k; ++l) out[(l - first_) * n + r] = -h * scheme_.b[l];
    out[x_ + r] = 1;
    if (layout_.shared) {
      const double weight = h * scheme_.b[0];
      for (int e = 0; e < n; ++e) out[x_ + e] += weight * A_first_(r, e);
      for (int e = 0; e < m; ++e) out[zeta_left_ + e] += weight * A_first_(r, n + e);
      out[one_] += weight * A_first_(r, n + m);
    }
  }
}

double StageElimination::condense(const CoefficientBatch& coefficients,
                                  const StageBatch& regularized, int first, double h, double* S,
                                  double* R, StageMaps& maps, int interval) {
  const int n = layout_.nx, m = layout_.ny, k = layout_.stages;
  const int u = layout_.node, z = layout_.multipliers;
  const int zeta = (k - first_) * n, inner = inner_ * m;
  assemble(coefficients, regularized, first, h);
  const double pivot = eliminate_panel(rows_.data(), unknowns_ + outputs_, unknowns_, stride_);
  if (pivot == 0) return 0;

  std::fill(S, S + u * u, 0.0);
  std::fill(R, R + u * u, 0.0);
  double* const g0 = maps.g0(interval);
  double* const G = maps.G(interval);
  std::fill(G, G + u * z, 0.0);
  for (int r = 0; r < n; ++r) {  // x_new = S x + .. as S u_left - u_right = -(..)
    const double* const out = row(unknowns_ + r);
    for (int c = 0; c < n; ++c) S[r * u + c] = out[x_ + c];
    R[r * u + r] = -1;
    for (int c = 0; c < inner; ++c) G[r * z + first_ * m + c] = -out[zeta_old_ + c];
    g0[r] = -out[one_];
    if (layout_.shared) {
      for (int c = 0; c < m; ++c) S[r * u + n + c] = out[zeta_left_ + c];
      for (int c = 0; c < m; ++c) R[r * u + n + c] = out[zeta_right_ + c];
    }
  }

  double* const h0 = maps.h0(interval);
  double* const H = maps.H(interval);
  double* const J = maps.J(interval);
  std::fill(h0, h0 + z, 0.0);
  std::fill(H, H + z * u, 0.0);
  std::fill(J, J + z * z, 0.0);
  // The pivot rows of the multiplier columns hold nothing left of them: back-substitute in place.
  const int right_end = padded(one_ + 1);
  for (int r = inner - 1; r >= 0; --r) {
    double* const target = row(zeta + r);
    for (int c = r + 1; c < inner; ++c) {
      const double factor = target[zeta + c];
      const double* const source = row(zeta + c);
      for (int e = x_; e < right_end; ++e) target[e] -= factor * source[e];
    }
    const double inverse = 1 / target[zeta + r];
    for (int e = x_; e < right_end; ++e) target[e] *= inverse;
    const int out = first_ * m + r;
    for (int c = 0; c < n; ++c) H[out * u + c] = target[x_ + c];
    for (int c = 0; c < inner; ++c) J[out * z + first_ * m + c] = target[zeta_old_ + c];
    h0[out] = target[one_];
    if (layout_.shared) {
      for (int c = 0; c < m; ++c) H[out * u + n + c] = target[zeta_left_ + c];
      double* const Hr = maps.Hr(interval);
      for (int c = 0; c < n; ++c) Hr[out * u + c] = 0;
      for (int c = 0; c < m; ++c) Hr[out * u + n + c] = target[zeta_right_ + c];
    }
  }
  if (!layout_.shared) return pivot;

  // End stages are the node multipliers; the right node's multiplier equation closes the block.
  double* const Hr = maps.Hr(interval);
  for (int r = 0; r < m; ++r) {
    H[r * u + n + r] = 1;
    std::fill(Hr + r * u, Hr + (r + 1) * u, 0.0);
    double* const last = Hr + (z - m + r) * u;
    std::fill(last, last + u, 0.0);
    last[n + r] = 1;
  }
  const int end = first + k - 1;
  for (int r = 0; r < m; ++r) {
    for (int c = 0; c < n; ++c) R[(n + r) * u + c] = -regularized.K(end)(r, c);
    for (int c = 0; c < m; ++c) {
      R[(n + r) * u + n + c] = regularized.L(end)(r, c);
      G[(n + r) * z + z - m + c] = epsilon_ * regularized.Lo(end)(r, c);
    }
    g0[n + r] = regularized.w(end)(r, 0);
  }
  return pivot;
}

}  // namespace daewave
