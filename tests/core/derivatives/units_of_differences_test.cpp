// Derivatives by differences where lengths and times are large or small numbers.

#include <cmath>

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

}  // namespace

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
        const auto G = differences.G(q, t) - exact.G(q, t);
        of_G = std::max(of_G, length * G.cwiseAbs().maxCoeff());
        of_g_t = std::max(of_g_t, time * std::abs(differences.g_t(q, t)[0] - exact.g_t(q, t)[0]));
        const double curvature = differences.curvature(q, v, t)[0] - exact.curvature(q, v, t)[0];
        of_curvature = std::max(of_curvature, time * time * std::abs(curvature));
      }
      CAPTURE(length, time, of_G, of_g_t, of_curvature);
      CHECK(of_G < 1e-7);
      CHECK(of_g_t < 1e-7);
      CHECK(of_curvature < 1e-5);
    }
  }
}

}  // namespace daewave
