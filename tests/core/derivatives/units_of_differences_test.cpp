// Derivatives by differences where lengths and times are large or small numbers.

#include <algorithm>
#include <cmath>

#include "core/adapt/batched_differences.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/derivatives/differences.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

/// A bead that is led: lengths of `length`, motions in `time`.
struct LedBead {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double length = 1, time = 1;

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, 0}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T t) const {
    using std::sin;
    const T x = q[0] / length, y = q[1] / length;
    return VecOf<T, 1>(y - 0.5 * x * x - sin(t / time));
  }
  Vec<4> at(double t) const {
    const double s = t / time, x = std::cos(2 * s), rate = -2 * std::sin(2 * s);
    return length *
           Vec<4>(x, x * x / 2 + std::sin(s), rate / time, (x * rate + std::cos(s)) / time);
  }
};

/// The same as a function of many points, in which a call is dear.
ProblemFunctions functions_of(const LedBead& bead) {
  ProblemFunctions of;
  of.kind = Kind::multibody;
  of.sizes = {.nq = 2, .ny = 1};
  of.differences = of.dear_calls = true;
  of.g = [bead](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = bead.g(Vec<2>(at.q[p], at.q[at.stride + p]), at.t[p])[0];
    }
  };
  return of;
}

/// Of all derivatives, in units of the length and the time.
struct Off {
  double G = 0, g_t = 0, curvature = 0;
};

/// At nodes of a window, as many as are asked for at once, one window after the other.
Off off_in_windows(const LedBead& bead) {
  constexpr int nodes = 8, windows = 100;
  const auto exact = with_autodiff(bead);
  const ProblemFunctions of = functions_of(bead);
  BatchedDifferences of_G(Ask::G), of_g_t(Ask::g_t), of_curvature(Ask::curvature);
  Off off;
  for (int i = 0; i < windows; ++i) {
    MatX z(nodes, 4);
    VecX t(nodes), G(2 * nodes), g_t(nodes), curvature(nodes);
    for (int p = 0; p < nodes; ++p) {
      t[p] = bead.time * (6.0 * i / windows + 0.5 * p / nodes);
      z.row(p) = bead.at(t[p]);
    }
    const Points at{nodes, nodes, t.data(), z.data(), z.data() + 2 * nodes, nullptr};
    of_G.evaluate(of, at, G.data());
    of_g_t.evaluate(of, at, g_t.data());
    of_curvature.evaluate(of, at, curvature.data());
    for (int p = 0; p < nodes; ++p) {
      const Vec<2> q = z.row(p).head(2), v = z.row(p).tail(2);
      const auto G_there = exact.G(q, t[p]);
      for (int j = 0; j < 2; ++j) {
        off.G = std::max(off.G, bead.length * std::abs(G[j * nodes + p] - G_there(0, j)));
      }
      off.g_t = std::max(off.g_t, bead.time * std::abs(g_t[p] - exact.g_t(q, t[p])[0]));
      off.curvature =
          std::max(off.curvature,
                   bead.time * bead.time * std::abs(curvature[p] - exact.curvature(q, v, t[p])[0]));
    }
  }
  return off;
}

/// A bead on a ring of radius `size` that breathes.
struct Ring {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double size = 1, frequency = 1;

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, 0}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T t) const {
    using std::sin;
    const T r = size * (1.0 + 0.1 * sin(frequency * t));
    return VecOf<T, 1>((q.squaredNorm() - r * r) / 2.0);
  }
};

}  // namespace

TEST_CASE("those of functions whose calls are dear are so too", "[differences][units]") {
  // Motions that take a thousand units of time had curvatures that were off by 1e-6 of themselves,
  // those that take a million had none.
  for (const double length : {1.0, 1e-3, 1e3}) {
    for (const double time : {1.0, 1e-6, 1e-3, 1e3, 1e6}) {
      const Off off = off_in_windows({length, time});
      CAPTURE(length, time, off.G, off.g_t, off.curvature);
      CHECK(off.G < 1e-7);
      CHECK(off.g_t < 1e-7);
      CHECK(off.curvature < 1e-6);
    }
  }
}

TEST_CASE("G of small lengths and of large ones is as good as of one", "[differences][units]") {
  // Along lines of one, terms are 1e18 times as large as those of nanometres in m: G was off by
  // 1e-8.
  for (const double size : {1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9}) {
    const Ring ring{size};
    ProblemFunctions of;
    of.kind = Kind::multibody;
    of.sizes = {.nq = 2, .ny = 1};
    of.differences = true;
    of.g = [ring](const Points& at, double* out) {
      for (int p = 0; p < at.count; ++p) {
        out[p] = ring.g(Vec<2>(at.q[p], at.q[at.stride + p]), at.t[p])[0];
      }
    };
    for (const bool dear : {true, false}) {
      of.dear_calls = dear;
      BatchedDifferences differences(Ask::G);
      double off = 0;
      // From there on to a hundred times as far.
      for (double angle = 0, far = 1; angle < 3; angle += 0.1, far *= 1.17) {
        const Vec<2> q = far * size * Vec<2>(std::cos(angle), std::sin(angle));
        const double t = 0;
        const Points at{1, 1, &t, q.data(), nullptr, nullptr};
        Vec<2> G;
        differences.evaluate(of, at, G.data());
        off = std::max(off, (G - q).cwiseAbs().maxCoeff() / (far * size));
      }
      CAPTURE(size, dear, off);
      CHECK(off < 2e-8);
    }
  }
}

TEST_CASE("along t they are differences within the interval, where that is known",
          "[differences][units]") {
  // Steps of up to one in a nanosecond: derivatives by t were off by all of what they are.
  for (const double time : {1.0, 1e-8, 1e-12}) {
    const LedBead bead{1, time};
    ProblemFunctions of = functions_of(bead);
    of.interval = Interval{0, time};
    const double t = 0.3 * time;
    const Vec<4> z = bead.at(t);
    // At rest too, where nothing but t moves.
    const Vec<2> q = z.head<2>();
    for (const Vec<2>& v : {Vec<2>(z.tail<2>()), Vec<2>(0, 0)}) {
      const Points at{1, 1, &t, q.data(), v.data(), nullptr};
      for (const bool dear : {true, false}) {
        of.dear_calls = dear;
        double g_t = 0, curvature = 0;
        BatchedDifferences(Ask::g_t).evaluate(of, at, &g_t);
        BatchedDifferences(Ask::curvature).evaluate(of, at, &curvature);
        const auto exact = with_autodiff(bead);
        CAPTURE(time, dear, v.transpose());
        CHECK(time * g_t == Approx(time * exact.g_t(q, t)[0]).epsilon(1e-8));
        CHECK(time * time * curvature ==
              Approx(time * time * exact.curvature(q, v, t)[0]).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("differences are as good in millimetres and days as in units of one",
          "[differences][units]") {
  // Curvatures were off by millions of what they are where motions take a million units of time,
  // by all of it where lengths and times are thousandths.
  for (const double length : {1.0, 1e-3, 1e3, 1e6}) {
    for (const double time : {1.0, 1e-6, 1e-3, 1e3, 1e6}) {
      const LedBead bead{length, time};
      const auto exact = with_autodiff(bead);
      const auto differences = with_differences(bead);
      double of_G = 0, of_g_t = 0, of_curvature = 0;
      constexpr int states = 100;
      for (int i = 0; i < states; ++i) {
        const double t = 6 * time * i / states;
        const Vec<4> z = bead.at(t);
        const Vec<2> q = z.head(2), v = z.tail(2);
        const MatX G = differences.G(q, t) - exact.G(q, t);
        of_G = std::max(of_G, length * G.cwiseAbs().maxCoeff());
        of_g_t = std::max(of_g_t, time * std::abs(differences.g_t(q, t)[0] - exact.g_t(q, t)[0]));
        const double curvature = differences.curvature(q, v, t)[0] - exact.curvature(q, v, t)[0];
        of_curvature = std::max(of_curvature, time * time * std::abs(curvature));
      }
      CAPTURE(length, time, of_G, of_g_t, of_curvature);
      CHECK(of_G < 1e-8);
      CHECK(of_g_t < 1e-8);
      CHECK(of_curvature < 1e-6);
    }
  }
}

TEST_CASE("curvatures see what moves by micrometres in microseconds", "[differences][units]") {
  // Rounding was taken for that of terms of a unit, which hid the radius: off by 11 %.
  for (const double size : {1e-2, 1e-3, 1e-4, 1e-5}) {
    for (const double speed : {1e-2, 1.0, 1e2}) {
      const Ring ring{size, speed / size};
      const auto exact = with_autodiff(ring);
      const auto differences = with_differences(ring);
      double off = 0;
      for (int i = 0; i < 400; ++i) {
        const double s = 0.13 * i, angle = 0.3 * i, t = s / ring.frequency;
        const double r = 1 + 0.1 * std::sin(s), rate = 0.1 * std::cos(s);
        const Vec<2> along(std::cos(angle), std::sin(angle)), across(-along[1], along[0]);
        const Vec<2> q = size * r * along, v = speed * (rate * along + r * across);
        off = std::max(off,
                       std::abs(differences.curvature(q, v, t)[0] - exact.curvature(q, v, t)[0]));
      }
      CAPTURE(size, speed);
      CHECK(off < 1e-8 * speed * speed);
    }
  }
}

}  // namespace daewave
