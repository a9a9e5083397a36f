// What is refused of a mass before a run believes it.

#include "core/start/check_mass.hpp"

#include <limits>

#include "core/adapt/problem_of.hpp"
#include "core/error.hpp"
#include "problems/andrews.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/core/particle_net.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave {
namespace {

/// The pendulum with masses that differ, and another entry beside them and below.
struct Skew : problems::Pendulum {
  double above = 0, below = 0, scale = 1;

  Mat<2, 2> M(const Vec<2>&) const { return scale * Mat<2, 2>{{1, above}, {below, 1}}; }
};

void check_start_of(const Skew& skew) { check_mass(*problem_of(skew), skew.start(), 0); }

}  // namespace

TEST_CASE("a mass that is not symmetric is refused with the entry", "[mass][refused]") {
  Skew skew;
  for (const double scale : {1e-9, 1.0, 1e9}) {
    skew.scale = scale;
    skew.above = skew.below = 0.3;
    CHECK_NOTHROW(check_start_of(skew));
    // What differences leave.
    skew.below = 0.3 + 1e-9;
    CHECK_NOTHROW(check_start_of(skew));
    skew.below = 0.3 + 1e-6;
    CHECK_THROWS_AS(check_start_of(skew), InvalidProblem);
  }
  skew.scale = 1;
  skew.below = 0;
  CHECK_THROWS_WITH(check_start_of(skew),
                    contains_text("M row 2, column 1 at t = 0: 0, and 0.3 in row 1, column 2") &&
                        contains_text("M must be symmetric"));
  skew.below = std::numeric_limits<double>::quiet_NaN();
  CHECK_NOTHROW(check_start_of(skew));
}

TEST_CASE("a mass that is stated in blocks is looked at block by block", "[mass][refused]") {
  using Net = testing::ParticleNet<SparseJacobian, BodyMass<3>>;
  struct SkewNet : Net {
    using Net::Net;
    BodyMass<3> M(const VecX& q) const {
      BodyMass<3> M = Net::M(q);
      M.blocks[2](0, 2) += 0.1;
      return M;
    }
  };
  const Net net(2);
  CHECK_NOTHROW(check_mass(*problem_of(net), net.start(), 0));
  CHECK_THROWS_WITH(check_mass(*problem_of(SkewNet(2)), net.start(), 0),
                    contains_text("M row 9, column 7"));
}

TEST_CASE("masses of mechanisms are symmetric", "[mass]") {
  CHECK_NOTHROW(check_mass(*problem_of(problems::Andrews{}), problems::Andrews{}.start(), 0));
}

}  // namespace daewave
