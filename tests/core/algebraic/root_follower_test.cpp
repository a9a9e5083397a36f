// Roots followed along a way: however far they move, and to where they end.

#include "core/algebraic/root_follower.hpp"

#include <Eigen/LU>
#include <cmath>
#include <functional>
#include <numbers>

#include "tests/catch.hpp"

namespace daewave {
namespace {

using Outcome = RootFollower::Outcome;

/// Of one unknown.
class One final : public RootWay {
 public:
  using Function = std::function<double(double w, double theta)>;
  One(Function r, Function r_w) : r_(std::move(r)), r_w_(std::move(r_w)) {}

  bool residual(double theta, const VecX& w, VecX& r) override {
    ++evaluations;
    r = VecX::Constant(1, r_(w[0], theta));
    return r.allFinite();
  }
  bool jacobian(double theta, const VecX& w, MatX& J) override {
    J = MatX::Constant(1, 1, r_w_(w[0], theta));
    return J.allFinite();
  }
  bool solve(double theta, VecX& w) override {
    for (int i = 0; i < 200; ++i) {
      const double step = r_(w[0], theta) / r_w_(w[0], theta);
      if (!std::isfinite(step)) return false;
      double part = 1;
      while (part > 1e-6 && std::abs(r_(w[0] - part * step, theta)) >= std::abs(r_(w[0], theta))) {
        part /= 2;
      }
      w[0] -= part * step;
      if (std::abs(step) < 1e-12 * (1 + std::abs(w[0]))) return true;
    }
    return false;
  }
  int evaluations = 0;

 private:
  Function r_, r_w_;
};

VecX one(double w) { return VecX::Constant(1, w); }

Outcome follow(RootFollower& follower, One& way, double w, double claimed) {
  return follower.follow(way, nullptr, one(w), one(claimed), one(std::max(1.0, std::abs(w))));
}

/// 0 = sin(w - far theta): roots at all multiples of pi.
One turning(double far) {
  return {[far](double w, double theta) { return std::sin(w - far * theta); },
          [far](double w, double theta) { return std::cos(w - far * theta); }};
}

}  // namespace

TEST_CASE("a root is told from those that it passes", "[algebraic]") {
  constexpr double pi = std::numbers::pi;
  for (const double far : {0.1, 1.0, pi, 2 * pi, 6.5, 4 * pi, 30.0, 100.0}) {
    One way = turning(far);
    RootFollower follower;
    for (int turns = -2; turns <= 2; ++turns) {
      const double claimed = far - pi * turns;
      CAPTURE(far, turns, follower.root());
      REQUIRE(follow(follower, way, 0, claimed) == Outcome::reached);
      CHECK(follower.is_claimed() == (turns == 0));
      CHECK(std::abs(follower.root()[0] - far) < 0.3 * pi);
    }
  }
}

TEST_CASE("a root that moves as its tangents foresee costs four evaluations", "[algebraic]") {
  One way = turning(0.2);
  RootFollower follower;
  const MatX inverse = MatX::Constant(1, 1, 1);
  const auto outcome = follower.follow(way, &inverse, one(0), one(0.2), one(1));
  CHECK(outcome == Outcome::reached);
  CHECK(follower.is_claimed());
  CHECK(way.evaluations == 4);
}

TEST_CASE("where a root ends it is lost, whatever Newton's method finds beyond", "[algebraic]") {
  // z^3 - z = y from y = -1 to 2: its left branch ends at y = 2 / sqrt(27).
  const double from = -1.3247179572447460;
  One way([](double w, double theta) { return w * w * w - w - (3 * theta - 1); },
          [](double w, double) { return 3 * w * w - 1; });
  RootFollower follower;
  CHECK(follow(follower, way, from, 1.5213797068045676) == Outcome::lost);
  CHECK(follower.theta() == Approx((1 + 2 / std::sqrt(27.0)) / 3).epsilon(1e-4));
  // As far as it goes it is followed, and nothing else is it.
  One part([](double w, double theta) { return w * w * w - w - (1.3 * theta - 1); },
           [](double w, double) { return 3 * w * w - 1; });
  const double end = -0.7864825411616272;
  CHECK(follow(follower, part, from, end) == Outcome::reached);
  CHECK(follower.is_claimed());
  CHECK(follower.root()[0] == Approx(end).epsilon(0.05));
  REQUIRE(follow(follower, part, from, 1.125) == Outcome::reached);
  CHECK_FALSE(follower.is_claimed());
}

TEST_CASE("a root passes places where its slope is infinite, or where equations jump",
          "[algebraic]") {
  RootFollower follower;
  // A flow that turns: p = w |w|.
  One flow([](double w, double theta) { return w * std::abs(w) - (theta - 0.37); },
           [](double w, double) { return 2 * std::abs(w); });
  CHECK(follow(follower, flow, -std::sqrt(0.37), std::sqrt(0.63)) == Outcome::reached);
  CHECK(follower.is_claimed());
  One switched([](double w, double theta) { return w * w * w + w - (theta < 0.3 ? 0 : 10); },
               [](double w, double) { return 3 * w * w + 1; });
  CHECK(follow(follower, switched, 0, 2) == Outcome::reached);
  CHECK(follower.is_claimed());
  // Two roots that cross.
  One crossing([](double w, double theta) { return (w - theta) * (w - 0.83 + theta); },
               [](double w, double) { return 2 * w - 0.83; });
  CHECK(follow(follower, crossing, 0, 1) == Outcome::reached);
  CHECK(follower.is_claimed());
}

TEST_CASE("noise of equations ends a search", "[algebraic]") {
  One noisy([](double w, double theta) { return w - 1 + 1e-9 * std::sin(1e8 * (theta + w)); },
            [](double, double) { return 1.0; });
  RootFollower follower;
  CHECK(follow(follower, noisy, 1, 1) != Outcome::lost);
  CHECK(noisy.evaluations < 2000);
}

TEST_CASE("nothing is said of equations that are not known on the way", "[algebraic]") {
  One hole([](double w, double theta) { return theta > 0.5 ? NAN : w - theta; },
           [](double, double) { return 1.0; });
  RootFollower follower;
  CHECK(follow(follower, hole, 0, 1) == Outcome::open);
}

}  // namespace daewave
