#include "core/time/waveform.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/time/collocation_scheme.hpp"
#include "tests/catch.hpp"

namespace daewave {

TEST_CASE("a waveform is zero until it is given", "[waveform]") {
  const Waveform zero;
  CHECK(zero.is_zero());
  CHECK(zero(0.3, 4) == VecX::Zero(4));
  CHECK_FALSE(Waveform::constant(VecX::Zero(2)).is_zero());
}

TEST_CASE("constants and functions are what they were given as", "[waveform]") {
  const VecX value{{1, -2}};
  CHECK(Waveform::constant(value)(-7, 2) == value);
  const Waveform wave = Waveform::function([](double t) { return VecX{{t, t * t}}; });
  CHECK(wave(3, 2) == VecX{{3, 9}});
}

TEST_CASE("stage values are met and polynomials through them reproduced, for every scheme",
          "[waveform]") {
  const Mesh mesh({0, 0.3, 1, 1.5});
  for (const Scheme scheme : all_schemes()) {
    const Collocation family = collocation(scheme, stage_range(scheme).most);
    const int k = family.stages;
    const auto exact = [k](double t) { return VecX{{std::pow(t, k - 1), 1 - t * (k > 1)}}; };
    MatX values(2, 3 * k);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < k; ++j) {
        values.col(i * k + j) = exact(mesh.node(i) + family.c[j] * mesh.step(i));
      }
    }
    const Waveform wave = Waveform::at_stages(mesh, family.c, values);
    for (const double t : {0.0, 0.1, 0.3, 0.77, 1.0, 1.25, 1.5}) {
      CAPTURE(name_of(scheme), t);
      // Weights of up to 1e2 at the ends of an interval, times rounding.
      CHECK((wave(t, 2) - exact(t)).cwiseAbs().maxCoeff() < 1e-11);
    }
  }
}

TEST_CASE("what is not a waveform of nx finite entries is refused", "[waveform]") {
  const Waveform wave = Waveform::constant(VecX{{1, 2}});
  CHECK_THROWS_AS(wave(0.25, 3), InvalidProblem);
  CHECK_THROWS_WITH(wave(0.25, 3), contains_text("t = 0.25") && contains_text("2 entries") &&
                                       contains_text("nx = 3"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(Waveform::constant(VecX{{1, nan}})(0.5, 2),
                    contains_text("t = 0.5") && contains_text("not finite"));
  CHECK_THROWS_AS(Waveform::at_stages(uniform_mesh(0, 1, 3), VecX{{0.5}}, MatX::Zero(2, 4)),
                  InvalidProblem);
  CHECK_THROWS_WITH(Waveform::at_stages(uniform_mesh(0, 1, 3), VecX{{0.5}}, MatX::Zero(2, 4)),
                    contains_text("4 stage values") && contains_text("3 intervals"));
  const Waveform stages = Waveform::at_stages(uniform_mesh(0, 1, 3), VecX{{0.5}}, MatX::Zero(2, 3));
  CHECK_THROWS_AS(stages(1.5, 2), InvalidOption);
}

}  // namespace daewave
