#include <limits>
#include <string>

#include "core/error.hpp"
#include "ivp/linear/step_local_linear.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/initial_value_problems.hpp"

using namespace daewave;

namespace {

ivp::LinearOptions ten_steps() {
  ivp::LinearOptions options;
  options.steps = 10;
  return options;
}

template <class P>
std::string refused(const P& problem, const ivp::LinearOptions& options) {
  try {
    ivp::solve(problem, options);
  } catch (const InvalidProblem& error) {
    return std::string("problem: ") + error.what();
  } catch (const InvalidOption& error) {
    return std::string("option: ") + error.what();
  }
  return "not refused";
}

/// x1' = 1000 x1, which overflows at about t = 0.7; x2 = 0 by y.
struct Explosion {
  Interval interval() const { return {0, 2}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>{{1000, 0}, {0, 0}}; }
  Vec<2> B(double) const { return {0, 1}; }
  Vec<2> q(double) const { return {0, 0}; }
  Mat<1, 2> C(double) const { return {0, 1}; }
  Vec<1> r(double) const { return Vec<1>{0}; }
  Boundary boundary() const { return initial_conditions(MatX{{1, 0}}, VecX::Ones(1)); }
};

/// Not a number between the points that are looked at beforehand.
struct Hole : Turning {
  Vec<2> q(double t) const {
    if (t > 0.50011 && t < 0.50089) return {std::numeric_limits<double>::quiet_NaN(), 0};
    return Turning::q(t);
  }
};

}  // namespace

TEST_CASE("a condition away from the begin is named", "[ivp]") {
  CHECK_THAT(refused(problems::Al1Example1{}, ten_steps()),
             contains_text("problem: boundary condition 0 couples both ends"));
  CHECK_THAT(refused(problems::Lin{2}, ten_steps()),
             contains_text("problem: boundary condition 2 acts at the end"));
}

TEST_CASE("conditions that do not determine the start are refused", "[ivp]") {
  struct TooFew : Turning {
    Boundary boundary() const { return initial_conditions(MatX::Zero(0, 2), VecX(0)); }
  };
  struct Dependent : Turning {
    Boundary boundary() const { return initial_conditions(MatX{{1, 0}}, VecX::Ones(1)); }
  };
  CHECK_THAT(refused(TooFew{}, ten_steps()), contains_text("problem: "));
  CHECK_THAT(refused(Dependent{}, ten_steps()), contains_text("problem: "));
}

TEST_CASE("steps are given once", "[ivp]") {
  ivp::LinearOptions options;
  CHECK_THAT(refused(Turning{}, options), contains_text("option: steps: give a number of steps"));
  options = ten_steps();
  options.mesh = uniform_mesh(0, 10, 5);
  CHECK_THAT(refused(Turning{}, options), contains_text("option: steps and mesh"));
  options.steps.reset();
  CHECK(refused(Turning{10}, options) == "not refused");
  CHECK_THAT(refused(Turning{9}, options), contains_text("must span the interval [0, 9]"));
  options = ten_steps();
  options.steps = 0;
  CHECK_THAT(refused(Turning{}, options), contains_text("option: steps = 0: must be >= 1"));
}

TEST_CASE("impossible options are refused before any step", "[ivp]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ivp::LinearOptions options = ten_steps();
  SECTION("iterates") { options.iterates = 0; }
  SECTION("epsilon") { options.epsilon = GENERATE_COPY(0.0, -1.0, nan); }
  SECTION("alpha1") { options.alpha1 = GENERATE_COPY(-1.0, nan); }
  SECTION("alpha2") { options.alpha2 = GENERATE_COPY(0.0, -1.0, nan); }
  SECTION("delta") { options.delta = 0; }
  SECTION("stages") { options.stages = GENERATE(0, 100); }
  SECTION("a scheme without that number of stages") {
    options.scheme = Scheme::lobatto;
    options.stages = 1;
  }
  SECTION("two initial iterates") {
    options.exact_start = true;
    options.By_0 = Waveform::constant(VecX::Ones(2));
  }
  SECTION("a weight that makes the equation grow") {
    struct Turned : Turning {
      Vec<2> B(double t) const { return -Turning::B(t); }
    };
    options.weight = Weight::identity;
    CHECK_THAT(refused(Turned{}, options), contains_text("option: weight = identity"));
    options.epsilon = 0;
  }
  CHECK_THAT(refused(Turning{}, options), contains_text("option: "));
}

TEST_CASE("alpha1 without derivatives of the constraint is refused", "[ivp]") {
  ivp::LinearOptions options = ten_steps();
  options.alpha1 = 1;
  CHECK_THAT(refused(Explosion{}, options), contains_text("option: alpha1 = 1: needs C'(t)"));
}

TEST_CASE("an initial iterate of the wrong size is refused", "[ivp]") {
  ivp::LinearOptions options = ten_steps();
  options.By_0 = Waveform::constant(VecX::Ones(3));
  CHECK_THAT(refused(Turning{}, options), contains_text("has 3 entries"));
}

TEST_CASE("a coefficient that is not finite is named", "[ivp]") {
  ivp::LinearOptions options;
  options.steps = 2000;
  options.stages = 1;
  CHECK_THAT(refused(Hole{{1}}, options), contains_text("q(0.5005)"));
}

TEST_CASE("a solution that overflows ends the run at the last finite step", "[ivp]") {
  ivp::LinearOptions options;
  options.steps = 2000;
  options.scheme = Scheme::midpoint;
  const ivp::LinearResult result = ivp::solve(Explosion{}, options);
  // Each step multiplies by (1 + .5) / (1 - .5) = 3, and 3^646 < 1.8e308 < 3^647.
  CHECK(result.report.termination == Termination::diverged);
  CHECK(result.steps >= 640);
  CHECK(result.steps <= 647);
  CHECK(result.x.allFinite());
  CHECK(result.By.allFinite());
  CHECK_THAT(result.report.message, contains_text("not finite"));
}

TEST_CASE("an undamped constraint mode is warned of", "[ivp]") {
  ivp::LinearOptions options = ten_steps();
  options.scheme = Scheme::gauss;
  const auto warnings = [&] { return ivp::solve(LinFromLeft{{1}}, options).report.warnings; };
  REQUIRE(warnings().size() == 1);
  CHECK_THAT(warnings()[0], contains_text("does not damp the constraint mode"));
  options.alpha1 = 1;
  CHECK(warnings().empty());
  options.alpha1 = 0;
  options.scheme = Scheme::radau;
  CHECK(warnings().empty());
}
