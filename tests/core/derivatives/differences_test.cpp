#include "core/derivatives/differences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/derivatives/autodiff.hpp"
#include "problems/al2.hpp"
#include "tests/catch.hpp"
#include "tests/core/small_mechanisms.hpp"

namespace daewave {
namespace {

using namespace testing;

template <class A, class B>
double gap(const A& a, const B& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

/// g of the driven pendulum as a user has it who cannot write a template.
struct Plain {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -9.81}; }
  Multiplier g(const Position& q, double t) const { return DrivenPendulum{}.g(q, t); }
};

/// A pendulum whose pivot is shaken.
struct Shaken {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double size = 1, frequency = 1;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, 0}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T t) const {
    using std::sin;
    const T y = q[1] - size * sin(frequency * t);
    return VecOf<T, 1>((q[0] * q[0] + y * y - 1.0) / 2.0);
  }
};

}  // namespace

TEST_CASE("differences of a nonlinear constraint are accurate to 1e-9", "[differences]") {
  const auto problem = with_differences(Plain{});
  static_assert(HasCurvature<decltype(problem)>);
  const DrivenPendulum::Derivatives by_hand;
  for (const double t : {0.0, 0.4, 1.3}) {
    for (const Vec<2>& v : {Vec<2>{2, 0.7}, Vec<2>{0, 0}, Vec<2>{-0.01, 0.02}}) {
      const Vec<2> q{0.3, -1.2};
      CAPTURE(t, v.transpose());
      CHECK(gap(problem.G(q, t), by_hand.G(q, t)) < 1e-10);
      CHECK(gap(problem.g_t(q, t), by_hand.g_t(q, t)) < 1e-10);
      CHECK(gap(problem.curvature(q, v, t), by_hand.curvature(q, v, t)) < 1e-8);
    }
  }
}

TEST_CASE("curvatures by differences do not depend on the unit of lengths", "[differences]") {
  // In millimetres and less |q|^2 - L^2 changes by less than its terms round, along what a metre is
  // one of.
  for (const double unit : {1.0, 1e3, 1e4, 1e6, 1e8}) {
    struct InUnits {
      using Position = Vec<2>;
      using Multiplier = Vec<1>;
      double length;
      Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
      Position f(const Position&, const Position&, double) const { return {0, 0}; }
      Multiplier g(const Position& q, double) const {
        return Multiplier(q.squaredNorm() - length * length);
      }
    };
    const double length = 10 * unit;
    const auto problem = with_differences(InUnits{length});
    for (int i = 0; i < 40; ++i) {
      const double angle = 0.1 + 0.07 * i, speed = 3 * unit / (1 + i);
      const Vec<2> q{length * std::cos(angle), length * std::sin(angle)};
      const Vec<2> v{-speed * std::sin(angle), speed * std::cos(angle)};
      CAPTURE(unit, i);
      CHECK(problem.curvature(q, v, 0.3)[0] == Approx(2 * speed * speed).epsilon(1e-8));
    }
  }
}

TEST_CASE("differences of velocity constraints are accurate to 1e-9", "[differences]") {
  const auto problem = with_differences(Skate{});
  static_assert(HasVelocityJacobian<decltype(problem)>);
  const Skate::Derivatives by_hand;
  const Vec<4> q{0.3, -1.2, 0.4, 0.8}, v{2, 0.7, -0.5, 1.5};
  CHECK(gap(problem.K(q, 0.4), by_hand.K(q, 0.4)) < 1e-14);  // Linear in v: only rounding.
  CHECK(gap(problem.k(q, 0.4), by_hand.k(q, 0.4)) < 1e-14);
  CHECK(gap(problem.w_curvature(q, v, 0.4), by_hand.w_curvature(q, v, 0.4)) < 1e-10);
}

TEST_CASE("an index 2 problem has derivatives by differences", "[differences]") {
  const auto problem = with_differences(Al2Example61Template{});
  const problems::Al2Example61 by_hand;
  const Vec<2> x{0.7, 0.4};
  CHECK(gap(problem.G(x, 0.6), by_hand.G(x, 0.6)) < 1e-10);
  CHECK(gap(problem.g_t(x, 0.6), by_hand.g_t(x, 0.6)) < 1e-10);
}

TEST_CASE("a constraint without rows has derivatives without rows", "[differences]") {
  const auto problem = with_differences(PlaneSkate{});
  const Vec<3> q{0, 0, 0.5}, v{1, 2, 3};
  CHECK(problem.G(q, 0).rows() == 0);
  CHECK(problem.curvature(q, v, 0).size() == 0);
  CHECK(gap(problem.K(q, 0), with_autodiff(PlaneSkate{}).K(q, 0)) < 1e-14);
}

TEST_CASE("differences see features that are narrower than their first step", "[differences]") {
  struct Peak : Pendulum {
    double width = 1e-4, row = 1;
    Multiplier g(const Position& q, double t) const {
      const double s = (t - 0.3) / width;
      return Multiplier{row * (q[0] + std::exp(-s * s))};
    }
  };
  for (const double width : {1e-2, 1e-3, 1e-4, 1e-5}) {
    for (const double row : {1.0, 1e12, 1e-12}) {
      Peak peak;
      peak.width = width;
      peak.row = row;
      const auto problem = with_differences(peak);
      const Vec<2> q{0.3, 1}, v{0.1, 0.2};
      for (const double s : {-1.0, -0.3, 0.0, 0.4, 2.0}) {
        const double t = 0.3 + width * s, height = row * std::exp(-s * s);
        CAPTURE(width, row, s);
        CHECK(problem.g_t(q, t)[0] ==
              Approx(-2 * s * height / width).margin(1e-8 * row / width).epsilon(0));
        CHECK(problem.curvature(q, v, t)[0] == Approx((4 * s * s - 2) * height / (width * width))
                                                   .margin(1e-5 * row / (width * width))
                                                   .epsilon(0));
      }
    }
  }
}

TEST_CASE("where a constraint has one side alone its derivatives are those of that side",
          "[differences]") {
  struct OneSided {
    using Position = Vec<1>;
    using Multiplier = Vec<1>;
    double begin, sign;
    Mat<1, 1> M(const Position&) const { return Mat<1, 1>::Identity(); }
    Position f(const Position&, const Position&, double) const { return Position{0}; }
    Multiplier g(const Position& q, double t) const {
      const double s = sign * (t - begin);
      return Multiplier{s < 0 ? std::numeric_limits<double>::quiet_NaN()
                              : q[0] * std::cos(s) + 3 * s + std::pow(s, 4.5)};
    }
  };
  for (const double sign : {1.0, -1.0}) {
    for (const double begin : {0.0, 2.0}) {
      const auto problem = with_differences(OneSided{begin, sign});
      CAPTURE(sign, begin);
      CHECK(problem.G(Vec<1>{1.5}, begin)(0, 0) == Approx(1).epsilon(1e-9));
      CHECK(problem.g_t(Vec<1>{1.5}, begin)[0] == Approx(3 * sign).epsilon(1e-8));
      CHECK(problem.curvature(Vec<1>{1.5}, Vec<1>{0}, begin)[0] == Approx(-1.5).epsilon(1e-5));
    }
  }
}

TEST_CASE("what a layer would be on the other side of its end hides no slope", "[differences]") {
  struct Layer {
    using Position = Vec<1>;
    using Multiplier = Vec<1>;
    double width;
    Mat<1, 1> M(const Position&) const { return Mat<1, 1>::Identity(); }
    Position f(const Position&, const Position&, double) const { return Position{0}; }
    Multiplier g(const Position& q, double t) const {
      return Multiplier{q[0] * (1 + std::exp(-t / width))};
    }
  };
  for (const double width : {1e-1, 1e-2, 1e-3, 1.5e-4, 3e-5}) {
    const auto problem = with_differences(Layer{width});
    for (const double t : {0.0, 0.1 * width, width, 5 * width, 20 * width}) {
      const double layer = std::exp(-t / width);
      CAPTURE(width, t);
      CHECK(std::abs(problem.g_t(Vec<1>{1}, t)[0] + layer / width) < 1e-6 / width * (layer + 1e-6));
      const double twice = layer / (width * width);
      CHECK(std::abs(problem.curvature(Vec<1>{1}, Vec<1>{0}, t)[0] - twice) <
            1e-4 / (width * width) * (layer + 1e-4));
    }
  }
}

TEST_CASE("steps that pass over waves and agree by chance are not believed", "[differences]") {
  // What is seen from afar is the slope, whose differences agree at some phases to 1e-9 and better:
  // there the waves were not seen.
  struct Waves {
    using State = Vec<1>;
    using Multiplier = Vec<1>;
    double width = 1, phase = 0;
    State f(const State& x, double) const { return x; }
    Mat<1, 1> B(const State&, double) const { return Mat<1, 1>{1.0}; }
    Multiplier g(const State& x, double) const {
      return Multiplier{-0.2 * x[0] +
                        0.3 * width * (std::sin(x[0] / width + phase) - std::sin(phase))};
    }
  };
  double worst = 0;
  for (const double width : {1e-4, 2.4e-6, 1e-6}) {
    for (int i = 0; i < 4000; ++i) {
      const auto problem = with_differences(Waves{width, 1e-3 * i});
      const double expected = -0.2 + 0.3 * std::cos(1e-3 * i);
      worst = std::max(worst, std::abs(problem.G(Vec<1>{0.0}, 0)(0, 0) - expected));
    }
  }
  CHECK(worst < 1e-6);
}

TEST_CASE("curvatures see waves that are short beside their unit", "[differences]") {
  // Long steps, which agree on what is between the waves, were taken for those that rounding
  // leaves.
  struct Wire {
    using Position = Vec<2>;
    using Multiplier = Vec<1>;
    double width = 1, phase = 0;
    Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
    Position f(const Position&, const Position&, double) const { return {0, 0}; }
    Multiplier g(const Position& q, double) const {
      return Multiplier{q[1] - 0.2 * q[0] +
                        0.3 * width * (std::sin(q[0] / width + phase) - std::sin(phase))};
    }
  };
  const Vec<2> v{0.3, 0.1};
  for (const double width : {1e-3, 1e-4, 1e-5, 1e-6}) {
    double worst = 0;
    for (int i = 0; i < 3000; ++i) {
      const double phase = 2e-3 * i;
      const double expected = -0.3 * v[0] * v[0] / width * std::sin(phase);
      const auto problem = with_differences(Wire{width, phase});
      worst = std::max(worst, std::abs(problem.curvature({0, 0}, v, 0)[0] - expected) * width);
    }
    CAPTURE(width);
    CHECK(worst < 1e-8);
  }
}

TEST_CASE("curvatures see waves that are small beside what else g does", "[differences]") {
  // Long steps agree to as much as waves of 1e-6 are small, which says nothing of their curvature:
  // it was off by all of it.
  for (const double frequency : {1e4, 1e5}) {
    for (const double turn : {0.0, 1.0}) {
      const Shaken shaken{1e-6, frequency};
      const auto exact = with_autodiff(shaken);
      const auto differences = with_differences(shaken);
      double off = 0;
      for (int i = 0; i < 2000; ++i) {
        const double t = 1e-5 * i, angle = 0.3 * i, pivot = shaken.size * std::sin(frequency * t);
        const double rate = shaken.size * frequency * std::cos(frequency * t);
        const Vec<2> q(std::cos(angle), std::sin(angle) + pivot);
        const Vec<2> v(-turn * std::sin(angle), turn * std::cos(angle) + rate);
        off = std::max(off,
                       std::abs(differences.curvature(q, v, t)[0] - exact.curvature(q, v, t)[0]));
      }
      CAPTURE(frequency, turn);
      CHECK(off < 1e-3 * (turn * turn + shaken.size * frequency * frequency));
    }
  }
}

TEST_CASE("large terms that cancel leave as many digits as steps can", "[differences]") {
  // Small steps are rounding here, which may seem to converge.
  struct Cancelling {
    using State = Vec<1>;
    using Multiplier = Vec<1>;
    double large = 0, shift = 0;
    State f(const State& x, double) const { return x; }
    Mat<1, 1> B(const State&, double) const { return Mat<1, 1>{1.0}; }
    Multiplier g(const State& x, double) const {
      const double far = large + std::sin(x[0] + shift);
      return Multiplier{far - large};
    }
  };
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (const double large : {1e3, 1e6, 1e9}) {
    constexpr int count = 4000;
    double worst = 0, sum = 0;
    for (int i = 0; i < count; ++i) {
      const double x = 1e-3 * i;
      const auto problem = with_differences(Cancelling{large, 0.1 * i});
      const double off = std::abs(problem.G(Vec<1>{x}, 0)(0, 0) - std::cos(x + 0.1 * i));
      worst = std::max(worst, off);
      sum += off;
    }
    CAPTURE(large);
    // Rounding of `large` by steps of 1e-4, and by 1e-6 where some agree by chance: those of 1e9
    // were 0.2 off in the mean, as of the smallest steps all values are one.
    CHECK(sum / count < 1e4 * epsilon * large);
    CHECK(worst < 1e6 * epsilon * large);
  }
}

TEST_CASE("each row of a difference is taken at the step at which it is seen", "[differences]") {
  struct TwoRows {
    using State = Vec<1>;
    using Multiplier = Vec<2>;
    State f(const State& x, double) const { return x; }
    Mat<1, 2> B(const State&, double) const { return {1, 1}; }
    Multiplier g(const State& x, double) const {
      return {1e9 * std::sin(x[0]), 1e-3 * std::sin(1e4 * x[0])};
    }
  };
  const auto problem = with_differences(TwoRows{});
  for (const double x : {0.0, 0.3, -2.0}) {
    const Mat<2, 1> G = problem.G(Vec<1>{x}, 0);
    CHECK(G(0, 0) == Approx(1e9 * std::cos(x)).epsilon(1e-9));
    CHECK(G(1, 0) == Approx(10 * std::cos(1e4 * x)).epsilon(1e-6));
  }
}

TEST_CASE("near the edge of a domain differences use the steps that stay inside", "[differences]") {
  struct Edge : Pendulum {
    Multiplier g(const Position& q, double) const { return Multiplier{std::sqrt(q[0])}; }
  };
  // 1e-2 and 2.5e-3 leave the domain, 6e-4 and 1.5e-4 do not: d^4 / 30 of the fifth derivative
  // 105/32 q^(-9/2) is 4e-4 at d = 6e-4 and 2e-6 at the last.
  const Vec<2> q{2e-3, 1};
  CHECK(with_differences(Edge{}).G(q, 0)(0, 0) == Approx(0.5 / std::sqrt(q[0])).epsilon(1e-3));
}

}  // namespace daewave
