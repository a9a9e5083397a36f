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

StageMaps::StageMaps(const StageLayout& layout, int intervals, KeepSlopes slopes)
    : layout_(layout), intervals_(intervals) {
  const int u = layout.node, z = layout.multipliers;
  G_ = u;
  h0_ = G_ + u * z;
  H_ = h0_ + z;
  Hr_ = H_ + z * u;
  J_ = Hr_ + (layout.shared ? z * u : 0);
  F_ = J_ + z * z;
  const bool keeps = slopes == KeepSlopes::yes && !layout.shared;
  stride_ = F_ + (keeps ? layout.stages * layout.nx * (u + z + 1) : 0);
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

void StageMaps::slopes(int i, const double* left, const double* zeta_old, double* F) const {
  const int u = layout_.node, z = layout_.multipliers, rows = layout_.stages * layout_.nx;
  const double* row = at(i) + F_;
  for (int r = 0; r < rows; ++r, row += u + z + 1) {
    double sum = row[u + z];
    for (int c = 0; c < u; ++c) sum += row[c] * left[c];
    for (int c = 0; c < z && zeta_old != nullptr; ++c) sum += row[u + c] * zeta_old[c];
    F[r] = sum;
  }
}

StageElimination::StageElimination(const StageLayout& layout, const Collocation& scheme,
                                   double epsilon, MultipliersFirst order)
    : layout_(layout), scheme_(scheme), epsilon_(epsilon), order_(order) {
  const int n = layout.nx, m = layout.ny, k = layout.stages;
  first_ = layout.shared ? 1 : 0;
  inner_ = layout.shared ? k - 2 : k;
  const bool alone = order == MultipliersFirst::yes;
  unknowns_ = (k - first_) * n + (alone ? 0 : inner_ * m);
  outputs_ = alone ? 0 : n;
  if (alone) {
    lu_.resize(m);
    L_.resize(m, m);
    zeta_of_.assign(static_cast<std::size_t>(k), MatX(m, n + m + 1));
  }
  x_ = padded(unknowns_);  // Where back substitution begins.
  zeta_left_ = x_ + n;
  zeta_right_ = zeta_left_ + (layout.shared ? m : 0);
  zeta_old_ = zeta_right_ + (layout.shared ? m : 0);
  one_ = zeta_old_ + inner_ * m;
  stride_ = padded(one_ + 1);
  panel_.resize(static_cast<std::size_t>(unknowns_ + outputs_) * stride_);
  rows_.resize(unknowns_ + outputs_);
  if (alone) {
    weighed_rows_.resize(k);
    weights_.resize(unknowns_);
    sum_.resize(stride_ - x_);
  }
  multiplier_rows_.resize(alone ? 0 : inner_ * m);
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
  if (order_ == MultipliersFirst::yes) {
    return condense_derivatives(coefficients, regularized, first, h, S, R, maps, interval);
  }
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
  if (maps.has_slopes()) {
    back_substitute(rows_.data(), unknowns_, x_, stride_);
    keep_slopes(maps, interval);
  } else {
    // The pivot rows of the multiplier columns hold nothing left of them.
    for (int r = 0; r < inner; ++r) multiplier_rows_[r] = row(zeta + r) + zeta;
    back_substitute(multiplier_rows_.data(), inner, x_ - zeta, stride_ - zeta);
  }
  for (int r = 0; r < inner; ++r) {
    const double* const target = row(zeta + r);
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

void StageElimination::keep_slopes(StageMaps& maps, int interval) {
  const int n = layout_.nx, z = layout_.multipliers, width = n + z + 1;
  double* out = maps.F(interval);
  for (int r = 0; r < layout_.stages * n; ++r, out += width) {
    std::copy_n(row(r) + x_, n, out);
    std::copy_n(row(r) + zeta_old_, z, out + n);
    out[n + z] = row(r)[one_];
  }
}

/// Puts zeta_j = L_j^-1 (K_j X_j + epsilon Lo_j zeta_old + w_j) into the equations of F.
bool StageElimination::eliminate_multipliers(const CoefficientBatch& coefficients,
                                             const StageBatch& regularized, int first, double h) {
  const int n = layout_.nx, m = layout_.ny, k = layout_.stages;
  std::fill(panel_.begin(), panel_.end(), 0.0);
  for (std::size_t r = 0; r < rows_.size(); ++r) rows_[r] = panel_.data() + r * stride_;
  for (int j = 0; j < k; ++j) {
    const auto A = coefficients.A(first + j);
    const auto q = coefficients.q(first + j);
    const auto V = regularized.V(first + j);
    L_ = regularized.L(first + j);
    if (!lu_.factorize(L_)) return false;
    MatX& zeta = zeta_of_[static_cast<std::size_t>(j)];
    zeta.leftCols(n) = regularized.K(first + j);
    zeta.middleCols(n, m) = epsilon_ * regularized.Lo(first + j);
    zeta.col(n + m) = regularized.w(first + j);
    for (int c = 0; c <= n + m; ++c) lu_.solve(zeta.col(c).data());
    for (int r = 0; r < n; ++r) {
      double* const out = row(j * n + r);
      for (int c = 0; c < n; ++c) {
        double sum = A(r, c);
        for (int e = 0; e < m; ++e) sum -= V(r, e) * zeta(e, c);
        out[x_ + c] = sum;
      }
      for (int c = 0; c < m; ++c) {
        double sum = 0;
        for (int e = 0; e < m; ++e) sum -= V(r, e) * zeta(e, n + c);
        out[zeta_old_ + j * m + c] = sum;
      }
      double sum = q[r];
      for (int e = 0; e < m; ++e) sum -= V(r, e) * zeta(e, n + m);
      out[one_] = sum;
      for (int l = 0; l < k; ++l) {
        const double weight = -h * scheme_.a(j, l);
        for (int c = 0; c < n; ++c) out[l * n + c] = weight * out[x_ + c];
      }
      out[j * n + r] += 1;
    }
  }
  return true;
}

/// Rows of stiff components, by a power of two: as pivots of the other unknowns their large entries
/// would leave those with the rounding of what they are multiplied by.
void StageElimination::scale_stiff_rows() {
  constexpr double large = 16;
  for (int r = 0; r < unknowns_; ++r) {
    double* const entries = row(r);
    double most = 0;
    for (int c = 0; c < unknowns_; ++c) most = std::max(most, std::abs(entries[c]));
    if (!(most > large) || !std::isfinite(most)) continue;
    const double scale = std::exp2(-std::ilogb(most));
    for (int c = 0; c < stride_; ++c) entries[c] *= scale;
  }
}

double StageElimination::condense_derivatives(const CoefficientBatch& coefficients,
                                              const StageBatch& regularized, int first, double h,
                                              double* S, double* R, StageMaps& maps, int interval) {
  const int n = layout_.nx, m = layout_.ny, k = layout_.stages, z = layout_.multipliers;
  if (!eliminate_multipliers(coefficients, regularized, first, h)) return 0;
  scale_stiff_rows();
  const double pivot = eliminate_panel(rows_.data(), unknowns_, unknowns_, stride_);
  if (pivot == 0) return 0;
  back_substitute(rows_.data(), unknowns_, x_, stride_);
  if (maps.has_slopes()) keep_slopes(maps, interval);

  // x_new = x + h sum_l b_l F_l, as S x - x_new = -(..)
  double *const g0 = maps.g0(interval), *const G = maps.G(interval);
  for (int r = 0; r < n; ++r) {
    for (int l = 0; l < k; ++l) {
      weighed_rows_[l] = row(l * n + r);
      weights_[l] = h * scheme_.b[l];
    }
    weigh_rows(weighed_rows_.data(), weights_.data(), k, x_, stride_, sum_.data());
    sum_[r] += 1;
    std::copy_n(sum_.data(), n, S + r * n);
    for (int c = 0; c < n; ++c) R[r * n + c] = r == c ? -1 : 0;
    for (int c = 0; c < z; ++c) G[r * z + c] = -sum_[n + c];
    g0[r] = -sum_[n + z];
  }
  // zeta_j from X_j = x + h sum_l a_jl F_l.
  double *const h0 = maps.h0(interval), *const H = maps.H(interval), *const J = maps.J(interval);
  for (int j = 0; j < k; ++j) {
    const MatX& zeta = zeta_of_[static_cast<std::size_t>(j)];
    for (int e = 0; e < m; ++e) {
      for (int l = 0; l < k; ++l) {
        const double weight = h * scheme_.a(j, l);
        for (int r = 0; r < n; ++r) weights_[l * n + r] = weight * zeta(e, r);
      }
      weigh_rows(rows_.data(), weights_.data(), k * n, x_, stride_, sum_.data());
      const int out = j * m + e;
      for (int c = 0; c < n; ++c) H[out * n + c] = sum_[c] + zeta(e, c);
      for (int c = 0; c < m; ++c) sum_[n + j * m + c] += zeta(e, n + c);
      std::copy_n(sum_.data() + n, z, J + out * z);
      h0[out] = sum_[n + z] + zeta(e, n + m);
    }
  }
  return pivot;
}

}  // namespace daewave
