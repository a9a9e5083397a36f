// A net of n x n particles and rods hangs from its upper edge and swings:
//
//   m x_i'' = (0, 0, -g) m - G^T lambda,   0 = (|x_a - x_b|^2 - l_ab^2) / 2 for each rod a, b.
//
// 10,000 particles have 30,000 coordinates and 19,700 rods. What G returns is a SparseJacobian,
// each row with the six coordinates of its rod: that alone makes everything linear in the entries
// of G and of the factors of G M^-1 G^T. A matrix of 30,000 x 30,000 would have 7 GB.
//
//   example_23_net 50     another n: time and memory of a step
//
// Output, numbers within 1e-6 or 1e-6:
//   900 particles, 1741 rods
//   converged, 20 steps
//   lowest point at t = 0.1: -30.051580; rods off by less than 1e-9: yes
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <daewave/ivp.hpp>

using namespace daewave;

class Net {
 public:
  using Position = VecX;
  using Multiplier = VecX;
  using Mass = Eigen::DiagonalMatrix<double, Dynamic>;

  explicit Net(int n) : n_(n) {
    for (int i = 0; i < n * n; ++i) {
      // The upper edge hangs on rods of its own, one above each particle.
      rods_.push_back({i, i - n});
      if (i % n + 1 < n && i >= n) rods_.push_back({i, i + 1});
    }
    std::vector<SparseEntry> entries;
    for (int k = 0; k < rods(); ++k) {
      for (const int end : {rods_[k].a, rods_[k].b}) {
        for (int i = 0; end >= 0 && i < 3; ++i) entries.push_back({k, 3 * end + i});
      }
    }
    pattern_ = std::make_shared<const SparsePattern>(rods(), 3 * n * n, entries);
    const VecX q = start().head(3 * n * n);
    for (Rod& rod : rods_) rod.square = along(rod, q).squaredNorm();
  }

  int rods() const { return static_cast<int>(rods_.size()); }
  Interval interval() const { return {0, 0.1}; }
  VecX start() const {
    VecX z = VecX::Zero(6 * n_ * n_);
    for (int i = 0; i < n_ * n_; ++i) z.segment<3>(3 * i) = rest(i);
    return z;
  }

  static constexpr bool mass_constant = true;
  Mass M(const VecX& q) const { return Mass(VecX::Constant(q.size(), 0.1)); }
  VecX f(const VecX& q, const VecX&, double) const {
    VecX force = VecX::Zero(q.size());
    for (int i = 2; i < q.size(); i += 3) force[i] = -0.981;
    return force;
  }
  VecX g(const VecX& q, double) const {
    VecX residual(rods());
    for (int k = 0; k < rods(); ++k) {
      residual[k] = (along(rods_[k], q).squaredNorm() - rods_[k].square) / 2;
    }
    return residual;
  }
  SparseJacobian G(const VecX& q, double) const {
    SparseJacobian jacobian(pattern_);
    int entry = 0;
    for (const Rod& rod : rods_) {
      const Vec<3> direction = along(rod, q);
      for (int i = 0; i < 3; ++i) jacobian[entry++] = direction[i];
      for (int i = 0; rod.b >= 0 && i < 3; ++i) jacobian[entry++] = -direction[i];
    }
    return jacobian;
  }
  VecX g_t(const VecX&, double) const { return VecX::Zero(rods()); }
  VecX curvature(const VecX&, const VecX& v, double) const {
    VecX bend(rods());
    for (int k = 0; k < rods(); ++k)
      bend[k] = (end(rods_[k].a, v) - end(rods_[k].b, v)).squaredNorm();
    return bend;
  }

 private:
  struct Rod {
    int a, b;           ///< Particles; b < 0: a nail above particle a.
    double square = 0;  ///< Of its length.
  };
  Vec<3> rest(int i) const {
    const int row = i / n_, column = i % n_;
    return {column + 0.1 * std::sin(row), 0.3 * std::sin(1.0 + column) + 0.2 * row, -1.0 - row};
  }
  static Vec<3> end(int i, const VecX& of) {
    return i < 0 ? Vec<3>(Vec<3>::Zero()) : Vec<3>(of.segment<3>(3 * i));
  }
  static Vec<3> along(const Rod& rod, const VecX& q) {
    const Vec<3> a = q.segment<3>(3 * rod.a);
    return rod.b < 0 ? Vec<3>(a - Vec<3>(rod.a, 0, 0)) : Vec<3>(a - q.segment<3>(3 * rod.b));
  }

  int n_;
  std::vector<Rod> rods_;
  SparsePatternPtr pattern_;
};

int main(int count, char** arguments) {
  const int n = count > 1 ? std::atoi(arguments[1]) : 30;
  if (n < 2) return std::puts("usage: example_23_net [n >= 2]"), 2;
  const Net net(n);
  std::printf("%d particles, %d rods\n", n * n, net.rods());
  const auto solution = ivp::solve(net, {.h = 0.005, .every = 0});
  const Report& report = solution.report;
  if (!report.usable()) return std::puts(report.full().c_str()), 1;
  std::printf("%s, %ld steps\n", name_of(report.termination), report.integration.steps);
  const double* const end = solution.states.data() + solution.states.size() - 6 * n * n;
  double lowest = 0;
  for (int i = 2; i < 3 * n * n; i += 3) lowest = std::min(lowest, end[i]);
  std::printf("lowest point at t = 0.1: %.6f; rods off by less than 1e-9: %s\n", lowest,
              report.integration.drift_position < 1e-9 ? "yes" : "no");
  if (count > 1) {
    std::printf("%.3f s a step\n",
                report.seconds.total / static_cast<double>(report.integration.steps));
  }
}
