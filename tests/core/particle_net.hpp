#pragma once
// A net of particles and rods, with closed loops: constraints that each know six coordinates.

#include <cmath>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "core/kkt/any_mass.hpp"
#include "core/kkt/body_mass.hpp"
#include "core/kkt/sparse_jacobian.hpp"
#include "core/types.hpp"

namespace daewave::testing {

/// Particles in rows of `side`, held by a rod to the next one of their row and of their column; two
/// hang on a rod each from a point above them. They start at rest, on a sheet that is bent.
///
///   m_i x_i'' = - m_i g0 e3 - G^T lambda,   0 = (|x_a - x_b|^2 - l^2) / 2;   kg, m, s
///
/// @tparam Jacobian  MatX, SparseJacobian or a sparse matrix of Eigen's. @tparam Mass  DiagonalMass
///                   or BodyMass<3>, each particle being a body.
template <class Jacobian = SparseJacobian, class Mass = DiagonalMass>
class ParticleNet {
 public:
  using Position = VecX;
  using Multiplier = VecX;

  explicit ParticleNet(int side) : ParticleNet(side, side) {}
  ParticleNet(int side, int rows) : side_(side), particles_(side * rows) {
    for (int i = 0; i < particles_; ++i) {
      if (i % side_ + 1 < side_) rods_.push_back({i, i + 1});
      if (i + side_ < particles_) rods_.push_back({i, i + side_});
    }
    rods_.push_back({0, -1});
    rods_.push_back({side_ - 1, -2});
    std::vector<SparseEntry> entries;
    for (int k = 0; k < rods(); ++k) {
      for (const int end : {rods_[at(k)].first, rods_[at(k)].second}) {
        for (int i = 0; end >= 0 && i < 3; ++i) entries.push_back({k, 3 * end + i});
      }
    }
    pattern_ = std::make_shared<const SparsePattern>(rods(), 3 * particles_, entries);
  }

  int rods() const { return static_cast<int>(rods_.size()); }
  int coordinates() const { return 3 * particles_; }
  const SparsePatternPtr& pattern() const { return pattern_; }

  std::string name() const { return "particle-net"; }
  VecX start() const {
    VecX z = VecX::Zero(2 * coordinates());
    for (int i = 0; i < particles_; ++i) z.segment<3>(3 * i) = rest(i);
    return z;
  }
  Interval interval() const { return {0, 0.1}; }

  Mass M(const VecX&) const {
    Mass M;
    if constexpr (std::is_same_v<Mass, DiagonalMass>) {
      M.resize(coordinates());
      for (int i = 0; i < coordinates(); ++i) M.diagonal()[i] = mass(i / 3);
    } else {
      for (int i = 0; i < particles_; ++i) M.blocks.push_back(mass(i) * Mat<3, 3>::Identity());
    }
    return M;
  }
  VecX f(const VecX& q, const VecX&, double) const {
    VecX f = VecX::Zero(q.size());
    for (int i = 0; i < particles_; ++i) f[3 * i + 2] = -9.81 * mass(i);
    return f;
  }
  VecX g(const VecX& q, double) const {
    VecX g(rods());
    for (int k = 0; k < rods(); ++k) {
      g[k] = (along(k, q).squaredNorm() - along(k, start()).squaredNorm()) / 2;
    }
    return g;
  }
  Jacobian G(const VecX& q, double) const {
    SparseJacobian G(pattern_);
    fill(q, G.values());
    if constexpr (std::is_same_v<Jacobian, SparseJacobian>) {
      return G;
    } else if constexpr (std::is_same_v<Jacobian, MatX>) {
      return G.dense();
    } else {
      Jacobian columns(rods(), coordinates());
      for (int e = 0; e < G.entries(); ++e)
        columns.insert(G.place(e).row, G.place(e).column) = G[e];
      columns.makeCompressed();
      return columns;
    }
  }
  VecX g_t(const VecX&, double) const { return VecX::Zero(rods()); }
  VecX curvature(const VecX&, const VecX& v, double) const {
    VecX curvature(rods());
    for (int k = 0; k < rods(); ++k) {
      const auto [first, second] = rods_[at(k)];
      Vec<3> rate = v.segment<3>(3 * first);
      if (second >= 0) rate -= v.segment<3>(3 * second);
      curvature[k] = rate.squaredNorm();
    }
    return curvature;
  }

  /// Values of G in the order of the pattern.
  void fill(const VecX& q, double* values) const {
    for (int k = 0; k < rods(); ++k) {
      const Vec<3> rod = along(k, q);
      for (int i = 0; i < 3; ++i) *values++ = rod[i];
      for (int i = 0; rods_[at(k)].second >= 0 && i < 3; ++i) *values++ = -rod[i];
    }
  }

 private:
  struct Rod {
    int first, second;
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static double mass(int i) { return 1 + 0.1 * (i % 4); }
  Vec<3> rest(int i) const {
    const int row = i / side_, column = i % side_;
    return {column + 0.1 * std::sin(row), -row + 0.1 * std::cos(column),
            0.2 * std::sin(1.0 + i) - 0.1 * row};
  }
  Vec<3> along(int k, const VecX& q) const {
    const auto [first, second] = rods_[at(k)];
    const Vec<3> far =
        second >= 0 ? Vec<3>(q.segment<3>(3 * second)) : Vec<3>(-2.0 - second, 0.3, 1.2);
    return q.segment<3>(3 * first) - far;
  }

  int side_, particles_;
  std::vector<Rod> rods_;
  SparsePatternPtr pattern_;
};

/// The same by functions of batches, G in the entries of its pattern.
inline ProblemFunctions functions_of(const ParticleNet<>& net) {
  ProblemFunctions of;
  of.kind = Kind::multibody;
  of.sizes = {.nq = net.coordinates(), .ny = net.rods()};
  of.mass = Structure::Mass::diagonal;
  of.pattern = net.pattern()->entries();
  const auto q = [n = net.coordinates()](const Points& at, const double* of_point, int p) {
    VecX x(n);
    for (int i = 0; i < n; ++i) x[i] = of_point[i * at.stride + p];
    return x;
  };
  const auto batch = [](auto one) {
    return [one](const Points& at, double* out) {
      for (int p = 0; p < at.count; ++p) {
        const VecX value = one(at, p);
        for (int i = 0; i < value.size(); ++i) out[i * at.count + p] = value[i];
      }
    };
  };
  of.f = batch([=](const Points& at, int p) { return net.f(q(at, at.q, p), {}, 0); });
  of.M = batch([=](const Points& at, int p) { return VecX(net.M(q(at, at.q, p)).diagonal()); });
  of.g = batch([=](const Points& at, int p) { return net.g(q(at, at.q, p), 0); });
  of.G = batch([=](const Points& at, int p) {
    VecX values(net.pattern()->entries().size());
    net.fill(q(at, at.q, p), values.data());
    return values;
  });
  of.curvature = batch(
      [=](const Points& at, int p) { return net.curvature(q(at, at.q, p), q(at, at.v, p), 0); });
  of.start = net.start();
  of.interval = net.interval();
  return of;
}

}  // namespace daewave::testing
