// A pinned chain of several links whose masses hit a wall: every impact moves the other masses too,
// by the impulses of the rods. The reference knows no constraints: angles of the links, integrated
// by extrapolation to rounding, and the law of impacts in these angles.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/doors/rail.hpp"

#include <Eigen/Cholesky>

using namespace daewave;
using ivp::Event;
using ivp::Solution;
using testing::precise;

namespace {

constexpr double gravity = 9.81;

/// Masses at the lower ends of rods; angles are those from the vertical.
template <int N>
struct Links {
  std::array<double, N> mass{}, length{};
  double wall = 0, e = 1;  ///< x >= wall; restitution.
  Vec<N> angle, rate;      ///< At the start.
};

/// The same in angles: M(a) a'' = b(a, a'), by the kinetic energy of m_i x_i'^2 / 2.
template <int N>
class InAngles {
 public:
  explicit InAngles(const Links<N>& links) : links_(links) {}

  using State = Vec<2 * N>;

  Mat<N, N> mass(const Vec<N>& a) const {
    Mat<N, N> M;
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) M(i, j) = below(i, j) * std::cos(a[i] - a[j]);
    }
    return M;
  }
  State slope(const State& z) const {
    const Vec<N> a = z.template head<N>(), da = z.template tail<N>();
    Vec<N> b;
    for (int i = 0; i < N; ++i) {
      double sum = 0, weight = 0;
      for (int j = 0; j < N; ++j) sum -= below(i, j) * std::sin(a[i] - a[j]) * da[j] * da[j];
      for (int j = i; j < N; ++j) weight += links_.mass[j];
      b[i] = sum - gravity * weight * links_.length[i] * std::sin(a[i]);
    }
    State out;
    out << da, mass(a).ldlt().solve(b);
    return out;
  }
  /// x_i - wall, and how it moves with the angles.
  double gap(const State& z, int i) const {
    double x = -links_.wall;
    for (int j = 0; j <= i; ++j) x += links_.length[j] * std::sin(z[j]);
    return x;
  }
  Vec<N> direction(const State& z, int i) const {
    Vec<N> d = Vec<N>::Zero();
    for (int j = 0; j <= i; ++j) d[j] = links_.length[j] * std::cos(z[j]);
    return d;
  }
  /// Mass i is thrown back with e times its speed towards the wall.
  void hit(State& z, int i) const {
    const Vec<N> d = direction(z, i), moved = mass(z.template head<N>()).ldlt().solve(d);
    const double speed = d.dot(z.template tail<N>());
    z.template tail<N>() -= (1 + links_.e) * speed / d.dot(moved) * moved;
  }

 private:
  double below(int i, int j) const {
    double weight = 0;
    for (int k = std::max(i, j); k < N; ++k) weight += links_.mass[k];
    return weight * links_.length[i] * links_.length[j];
  }
  Links<N> links_;
};

/// One step by the midpoint rule, extrapolated to order 16.
template <int N>
Vec<2 * N> extrapolated(const InAngles<N>& chain, const Vec<2 * N>& z, double h) {
  constexpr int columns = 8;
  std::array<Vec<2 * N>, columns> row;
  for (int k = 0; k < columns; ++k) {
    const int parts = 2 * (k + 1);
    const double step = h / parts;
    Vec<2 *N> before = z, now = z + step * chain.slope(z);
    for (int i = 1; i < parts; ++i) {
      const Vec<2 * N> next = before + 2 * step * chain.slope(now);
      before = now;
      now = next;
    }
    row[k] = 0.5 * (now + before + step * chain.slope(now));
    for (int j = k; j-- > 0;) {
      const double ratio = double(k + 1) / (j + 1);
      row[j] = row[j + 1] + (row[j + 1] - row[j]) / (ratio * ratio - 1);
    }
  }
  return row[0];
}

struct Hit {
  double t;
  int mass;
};

template <int N>
struct Reference {
  std::vector<Hit> hits;
  Vec<2 * N> end;
};

template <int N>
Reference<N> in_angles(const Links<N>& links, double end) {
  constexpr double most = 0.01;
  const InAngles<N> chain(links);
  Reference<N> result;
  Vec<2 * N> z;
  z << links.angle, links.rate;
  double t = 0;
  while (t < end) {
    double h = std::min(most, end - t);
    Vec<2 * N> next = extrapolated(chain, z, h);
    int hit = -1;
    for (int i = 0; i < N; ++i) {
      // One that has just hit is at the wall but for rounding, and moves away.
      if (!(chain.gap(next, i) < 0)) continue;
      double from = 0, to = h;
      while (to - from > 1e-16) {
        const double between = 0.5 * (from + to);
        if (between <= from || between >= to) break;
        (chain.gap(extrapolated(chain, z, between), i) < 0 ? to : from) = between;
      }
      hit = i;
      h = to;
      next = extrapolated(chain, z, h);
    }
    z = next;
    t += h;
    if (hit < 0) continue;
    chain.hit(z, hit);
    result.hits.push_back({t, hit});
  }
  result.end = z;
  return result;
}

/// The same chain in coordinates of its masses.
template <int N>
struct InCoordinates {
  using Position = Vec<2 * N>;
  using Multiplier = Vec<N>;
  Links<N> links;

  Mat<2 * N, 2 * N> M(const Position&) const {
    Mat<2 * N, 2 * N> M = Mat<2 * N, 2 * N>::Zero();
    for (int i = 0; i < 2 * N; ++i) M(i, i) = links.mass[i / 2];
    return M;
  }
  Position f(const Position&, const Position&, double) const {
    Position force = Position::Zero();
    for (int i = 0; i < N; ++i) force[2 * i + 1] = -gravity * links.mass[i];
    return force;
  }
  Multiplier g(const Position& q, double) const {
    Multiplier g;
    for (int i = 0; i < N; ++i) {
      g[i] = (rod(q, i).squaredNorm() - links.length[i] * links.length[i]) / 2;
    }
    return g;
  }
  Mat<N, 2 * N> G(const Position& q, double) const {
    Mat<N, 2 * N> G = Mat<N, 2 * N>::Zero();
    for (int i = 0; i < N; ++i) {
      G.row(i).template segment<2>(2 * i) = rod(q, i).transpose();
      if (i > 0) G.row(i).template segment<2>(2 * i - 2) = -rod(q, i).transpose();
    }
    return G;
  }
  Multiplier g_t(const Position&, double) const { return Multiplier::Zero(); }
  Multiplier curvature(const Position&, const Position& v, double) const {
    Multiplier curvature;
    for (int i = 0; i < N; ++i) curvature[i] = rod(v, i).squaredNorm();
    return curvature;
  }
  static Vec<2> rod(const Position& q, int i) {
    const Vec<2> above = i > 0 ? Vec<2>(q.template segment<2>(2 * i - 2)) : Vec<2>(0, 0);
    return q.template segment<2>(2 * i) - above;
  }

  VecX start() const { return state(links.angle, links.rate); }
  VecX state(const Vec<N>& angle, const Vec<N>& rate) const {
    VecX z = VecX::Zero(4 * N);
    Vec<2> q(0, 0), v(0, 0);
    for (int i = 0; i < N; ++i) {
      const Vec<2> down(std::sin(angle[i]), -std::cos(angle[i]));
      q += links.length[i] * down;
      v += links.length[i] * rate[i] * Vec<2>(-down[1], down[0]);
      z.segment<2>(2 * i) = q;
      z.segment<2>(2 * N + 2 * i) = v;
    }
    return z;
  }

  /// The wall pushes mass i; how hard, so that it leaves with e times its speed, follows from what
  /// the rods leave of its freedom. The change is that push alone: rods push back as the state is
  /// made consistent.
  Event impact(int i) const {
    const auto change = [i, *this](double t, VecX z) {
      const Position q = z.template head<2 * N>();
      const Mat<N, 2 * N> G = this->G(q, t);
      const Mat<2 * N, 2 * N> inverse = M(q).inverse();
      Position push = inverse.col(2 * i);
      const Mat<N, N> S = G * inverse * G.transpose();
      const Position moved = push - inverse * G.transpose() * S.ldlt().solve(G * push);
      z.template tail<2 * N>() -= (1 + links.e) * z[2 * N + 2 * i] / moved[2 * i] * push;
      return z;
    };
    return {.name = "wall",
            .function = [i, wall = links.wall](double, const VecX& z) { return z[2 * i] - wall; },
            .direction = Event::Direction::falling,
            .change = change};
  }
};

template <int N>
void check(const Links<N>& links, double end, std::size_t least_hits, double within) {
  const Reference<N> expected = in_angles(links, end);
  const InCoordinates<N> chain{links};
  std::vector<Event> events;
  for (int i = 0; i < N; ++i) events.push_back(chain.impact(i));
  const Solution solution = ivp::solve(chain, chain.start(), {0, end}, precise(events));
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  REQUIRE(expected.hits.size() >= least_hits);
  REQUIRE(solution.occurrences.size() == expected.hits.size());
  std::array<int, N> of_mass{};
  for (std::size_t k = 0; k < expected.hits.size(); ++k) {
    CAPTURE(k, expected.hits[k].t);
    const ivp::Occurrence& one = solution.occurrences[k];
    CHECK(one.event == expected.hits[k].mass);
    CHECK(std::abs(one.t - expected.hits[k].t) < within);
    ++of_mass[one.event];
    const int vx = 2 * N + 2 * one.event;
    CHECK(one.after[vx] == Approx(-links.e * one.state[vx]).epsilon(1e-10));
    // Rods stay what they are, as do positions.
    CHECK((one.after.head(2 * N) - one.state.head(2 * N)).cwiseAbs().maxCoeff() < 1e-10);
    const Vec<2 *N> q = one.after.head(2 * N), v = one.after.tail(2 * N);
    CHECK((chain.G(q, 0) * v).cwiseAbs().maxCoeff() < 1e-12);
  }
  CHECK(*std::max_element(of_mass.begin(), of_mass.end()) < static_cast<int>(least_hits));
  const VecX last = chain.state(expected.end.template head<N>(), expected.end.template tail<N>());
  CHECK((solution.end() - last).cwiseAbs().maxCoeff() < 100 * within);
}

}  // namespace

TEST_CASE("a double pendulum bounces off a wall at the times of its angles, to 1e-9",
          "[restarts]") {
  check<2>({{1, 0.7}, {1, 0.8}, -0.1, 0.9, {0.9, 0.4}, {0, 0}}, 5, 6, 1e-9);
}

TEST_CASE("a chain of three links bounces off a wall at the times of its angles, to 1e-9",
          "[restarts]") {
  check<3>({{1, 0.7, 1.3}, {1, 0.8, 0.6}, 0.1, 0.8, {0.8, 0.5, 0.3}, {0, 0, 0}}, 4, 8, 1e-9);
}
