// Structs that `daewave convert` writes, beside the model files that they are of.

#include <daewave/bvp.hpp>
#include <daewave/ivp.hpp>

#include <converted/EDOM.hpp>
#include <converted/al1-example1.hpp>
#include <converted/ap91.hpp>
#include <converted/bounded.hpp>
#include <converted/car-axis.hpp>
#include <converted/chain.hpp>
#include <converted/dynamic.hpp>
#include <converted/eigen.hpp>
#include <converted/eigenvalue.hpp>
#include <converted/four-bar.hpp>
#include <converted/g.hpp>
#include <converted/heavy-top.hpp>
#include <converted/index-one.hpp>
#include <converted/m.hpp>
#include <converted/mass.hpp>
#include <converted/mat.hpp>
#include <converted/multiplier.hpp>
#include <converted/position.hpp>
#include <converted/rolling-disk.hpp>
#include <converted/steered-pendulum.hpp>
#include <converted/swing.hpp>
#include <converted/through-a-point.hpp>
#include <converted/two-rates.hpp>
#include <converted/vec.hpp>
#include "models/cpp_of_model.hpp"
#include "models/model.hpp"
#include "tests/catch.hpp"
#include "tests/source_folder.hpp"

using namespace daewave;

namespace {

const std::string examples = testing::in_source("examples/models/");
const std::string own = testing::in_source("tests/models/files/");

template <class P>
void check_motion(const P& problem, const std::string& file, double t_end) {
  const models::Model model = models::read_model(file);
  const Interval span{model.interval.begin, t_end};
  const ivp::Options options{.rtol = 1e-11, .atol = 1e-11, .every = 0};
  const ivp::Solution text = ivp::solve(*model.problem, model.start, span, options);
  const DaeProblemPtr compiled = problem_of(problem);
  const ivp::Solution code = ivp::solve(*compiled, VecX(problem.start()), span, options);
  INFO(file << "\n" << text.report.full() << code.report.full());
  REQUIRE(text.report.usable());
  REQUIRE(code.report.usable());
  const double size = 1 + text.end().lpNorm<Eigen::Infinity>();
  CHECK((text.end() - code.end()).lpNorm<Eigen::Infinity>() < 1e-9 * size);
}

template <class P>
void check_ends(const P& problem, const std::string& file) {
  const models::Model model = models::read_model(file);
  bvp::BoundaryProblem said;
  said.equations = model.problem;
  said.interval = model.interval;
  said.inside = model.boundary->inside;
  said.further_conditions = [&](const bvp::Observed& at) {
    return model.boundary->residual(at.left, at.right, at.inside);
  };
  said.conditions = [](const VecX&, const VecX&) { return VecX(0); };
  said.lower = model.boundary->lower;
  said.upper = model.boundary->upper;
  said.guess = model.boundary->guess;
  const bvp::Options options{.tolerance = 1e-10};
  const bvp::Solution text = bvp::solve(said, options), code = bvp::solve(problem, options);
  INFO(file << "\n" << text.report.full() << code.report.full());
  REQUIRE(text.report.usable());
  REQUIRE(code.report.usable());
  for (const double part : {0.0, 0.3, 0.77, 1.0}) {
    const double t = model.interval.begin + part * model.interval.length();
    CHECK((text.x(t) - code.x(t)).lpNorm<Eigen::Infinity>() < 1e-9);
  }
}

}  // namespace

TEST_CASE("structs of mechanisms move as their model files do", "[convert]") {
  check_motion(FourBar{}, examples + "four-bar.toml", 1);
  check_motion(Chain{}, examples + "chain.toml", 0.3);
  check_motion(HeavyTop{}, examples + "heavy-top.toml", 0.1);
  check_motion(RollingDisk{}, examples + "rolling-disk.toml", 0.5);
}

TEST_CASE("structs of equations move as their model files do", "[convert]") {
  check_motion(Ap91{}, examples + "ap91.toml", 1);
  check_motion(CarAxis{}, examples + "car-axis.toml", 0.5);
  check_motion(IndexOne{}, own + "index-one.toml", 0.9);
}

TEST_CASE("a struct of index 1 is what ivp::solve takes, by its own start or by another",
          "[convert]") {
  const models::Model model = models::read_model(own + "index-one.toml");
  const ivp::Options options{.rtol = 1e-11, .atol = 1e-11, .every = 0};
  const ivp::Solution text = ivp::solve(*model.problem, model.start, model.interval, options);
  const IndexOne problem;
  const ivp::Solution code = ivp::solve(problem, options);
  const ivp::Solution given =
      ivp::solve(problem, problem.start(), problem.start_algebraic(), problem.interval(), options);
  REQUIRE(text.report.usable());
  for (const ivp::Solution* one : {&code, &given}) {
    INFO(one->report.full());
    REQUIRE(one->report.usable());
    CHECK((text.end() - one->end()).lpNorm<Eigen::Infinity>() < 1e-10);
    const VecX fast = one->multiplier(one->count() - 1);
    REQUIRE(fast.size() == 1);
    CHECK(std::abs(problem.r(one->end(), fast, 0.9)[0]) < 1e-10);
  }
}

TEST_CASE("structs of ordinary equations are what ivp::solve takes", "[convert]") {
  check_motion(Swing{}, own + "swing.toml", 2);
  check_motion(TwoRates{}, own + "two-rates.toml", 1);
  // x'' + 2 a x' + 4 x = sin t, a = 0.05, whose characteristic values are -a +- i w.
  const ivp::Options options{.rtol = 1e-11, .atol = 1e-11};
  const VecX end = ivp::solve(Swing{}, options).end();
  const double a = 0.05, w = std::sqrt(4 - a * a), den = 9 + 0.01;
  const auto driven = [&](double t) { return (3 * std::sin(t) - 0.1 * std::cos(t)) / den; };
  const double c = 1 - driven(0), slope = 3 / den, s = (-0.5 - slope + a * c) / w;
  CHECK(std::abs(end[0] - (std::exp(-2 * a) * (c * std::cos(2 * w) + s * std::sin(2 * w)) +
                           driven(2))) < 1e-9);
}

TEST_CASE("structs of boundary value problems have the solutions of their model files",
          "[convert]") {
  check_ends(Al1Example1{}, examples + "al1-example1.toml");
  check_ends(Eigenvalue{}, examples + "eigenvalue.toml");
  check_ends(Bounded{}, own + "bounded.toml");
  check_ends(SteeredPendulum{}, examples + "steered-pendulum.toml");
  check_ends(boundary_problem_of_ThroughAPoint(), own + "through-a-point.toml");
}

TEST_CASE("structs of files that are called as a part of structs are what ivp::solve takes",
          "[convert]") {
  const std::string file = examples + "slider-crank.toml";
  check_motion(ModelMass{}, file, 0.1);
  CHECK(ModelPosition{}.name() == "ModelPosition");
  for (const char* const part :
       {"Algebraic", "B", "Dynamic", "Eigen", "G", "K", "M", "Mass", "Mat", "Multiplier",
        "Position", "State", "Vec", "VelocityMultiplier", "EDOM", "EOF", "FILE", "NAN", "NULL"}) {
    CHECK(models::cpp_name_of(std::string(part) + ".toml") == std::string("Model") + part);
  }
  CHECK(models::cpp_name_of("slider-crank.toml") == "SliderCrank");
  CHECK(models::cpp_name_of("E.toml") == "E");
  CHECK(models::cpp_name_of("3-bars.toml") == "Model3Bars");
}
