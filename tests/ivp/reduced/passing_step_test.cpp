// Through configurations where constraints become dependent, and from within them; and what only
// looks like one.

#include "ivp/reduced/passing_step.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/error.hpp"
#include "ivp/doors/solve_reduced.hpp"
#include "ivp/solve.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/double_four_bar.hpp"

namespace daewave::ivp {
namespace {

/// (phi, phi') at t of phi'' = a(phi, phi'), by the formula of order 4 with 4000 steps a second and
/// one extrapolation: to 1e-12 and better, in minimal coordinates, which nothing makes singular.
template <class Acceleration>
Vec<2> in_minimal_coordinates(const Vec<2>& start, double t, Acceleration a) {
  const auto slope = [&](const Vec<2>& z) { return Vec<2>(z[1], a(z[0], z[1])); };
  const auto run = [&](long steps) {
    const double h = t / static_cast<double>(steps);
    Vec<2> z = start;
    for (long i = 0; i < steps; ++i) {
      const Vec<2> k1 = slope(z), k2 = slope(z + h / 2 * k1), k3 = slope(z + h / 2 * k2);
      const Vec<2> k4 = slope(z + h * k3);
      z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return z;
  };
  const long steps = std::lround(std::ceil(1000 * t));
  return (16 * run(2 * steps) - run(steps)) / 15;
}

/// A mechanism of one degree of freedom: its state at an angle and rate, and the equation of that.
struct Mechanism {
  const char* name;
  DaeProblemPtr problem;
  std::function<VecX(double angle, double rate)> state;
  std::function<double(double angle, double rate)> acceleration;

  VecX exact(double angle, double rate, double t) const {
    const Vec<2> end = in_minimal_coordinates({angle, rate}, t, acceleration);
    return state(end[0], end[1]);
  }
};

/// The double four-bar with one loop stated once more: one row less than it has is never missed.
struct RedundantFourBar {
  using Position = Vec<5>;
  using Multiplier = Vec<5>;
  DoubleFourBar bars;
  static Multiplier with_sum(const Vec<4>& rows) {
    return (Multiplier() << rows, rows[0] + rows[2]).finished();
  }
  Mat<5, 5> M(const Position& q) const { return bars.M(q); }
  Position f(const Position& q, const Position& v, double t) const { return bars.f(q, v, t); }
  Multiplier g(const Position& q, double t) const { return with_sum(bars.g(q, t)); }
  Mat<5, 5> G(const Position& q, double t) const {
    const Mat<4, 5> rows = bars.G(q, t);
    return (Mat<5, 5>() << rows, rows.row(0) + rows.row(2)).finished();
  }
  Multiplier g_t(const Position&, double) const { return Multiplier::Zero(); }
  Multiplier curvature(const Position& q, const Position& v, double t) const {
    return with_sum(bars.curvature(q, v, t));
  }
};

std::vector<Mechanism> mechanisms() {
  const problems::SliderCrank crank;
  const auto parallel = [](double angle, double rate) {
    VecX z(10);
    z << angle, angle, angle, 0, 0, rate, rate, rate, 0, 0;
    return z;
  };
  const auto swings = [](double angle, double) {
    return -7.0 / 6 * DoubleFourBar::gravity * std::cos(angle);
  };
  const auto turns = [crank](double angle, double rate) {
    const double s = std::sin(angle), c = std::cos(angle);
    return (-2 * s * c * rate * rate - crank.g0 / crank.L * c) / (2.0 / 3 + 2 * s * s);
  };
  const auto on_crank = [crank](double angle, double rate) -> VecX {
    return crank.state(angle, rate);
  };
  return {{"double four-bar", problem_of(DoubleFourBar{}), parallel, swings},
          {"slider-crank", problem_of(crank), on_crank, turns},
          {"double four-bar, redundant", problem_of(RedundantFourBar{}), parallel, swings}};
}

struct Outcome {
  int right = 0, refused = 0, wrong = 0, passages = 0;
  double longest = 0;         ///< CPU seconds.
  long most_evaluations = 0;  ///< Of one run.
};

/// Random starts, tolerances and ends.
Outcome campaign(const Mechanism& mechanism, const Method& method, int from, int to) {
  Outcome outcome;
  for (int seed = from; seed < to; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<double> unit(0, 1);
    const double angle = 2 * std::acos(-1.0) * unit(random), rate = 8 * (2 * unit(random) - 1);
    const double rtol = std::pow(10, -2 - 10 * unit(random)), end = 1 + 9 * unit(random);
    const std::clock_t before = std::clock();
    const Solution solution = solve(*mechanism.problem, mechanism.state(angle, rate), {0, end},
                                    {.method = method, .rtol = rtol, .every = 0});
    const double took = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    const double error = (solution.end() - mechanism.exact(angle, rate, end)).cwiseAbs().maxCoeff();
    // Local errors of each of some hundred steps, enlarged by the motion.
    const bool right = error < std::max(1e4 * rtol, 1e-7);
    CAPTURE(mechanism.name, name_of(method), seed, angle, rate, rtol, end, error, took);
    INFO(solution.report.full());
    outcome.passages += static_cast<int>(solution.report.singular_points.size());
    outcome.longest = std::max(outcome.longest, took);
    outcome.most_evaluations =
        std::max(outcome.most_evaluations, solution.report.integration.evaluations);
    if (!solution.report.usable()) {
      ++outcome.refused;
      CHECK_FALSE(solution.report.message.empty());
      CHECK_FALSE(solution.report.advice.empty());
    } else if (right) {
      ++outcome.right;
    } else {
      ++outcome.wrong;
      CHECK(right);
    }
  }
  return outcome;
}

/// A particle without forces on x y = gap. Without a gap it goes straight on through the origin,
/// where G = (y, x) vanishes; with one it turns.
struct Crossing {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double gap = 0;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, 0}; }
  Multiplier g(const Position& q, double) const { return Multiplier{q[0] * q[1] - gap}; }
  Mat<1, 2> G(const Position& q, double) const { return {q[1], q[0]}; }
  Multiplier g_t(const Position&, double) const { return Multiplier{0}; }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return Multiplier{2 * v[0] * v[1]};
  }
};

/// A spherical pendulum whose rod is stated twice.
struct HeldDouble {
  using Position = Vec<3>;
  using Multiplier = Vec<2>;
  Mat<3, 3> M(const Position&) const { return Mat<3, 3>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, 0, -9.81}; }
  Multiplier g(const Position& q, double) const {
    return Multiplier::Constant((q.squaredNorm() - 1) / 2);
  }
  Mat<2, 3> G(const Position& q, double) const {
    Mat<2, 3> G;
    G << q.transpose(), q.transpose();
    return G;
  }
  Multiplier g_t(const Position&, double) const { return Multiplier::Zero(); }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return Multiplier::Constant(v.squaredNorm());
  }
};

/// The same rod, once.
struct HeldOnce : HeldDouble {
  using Multiplier = Vec<1>;
  Multiplier g(const Position& q, double t) const { return HeldDouble::g(q, t).head<1>(); }
  Mat<1, 3> G(const Position& q, double) const { return q.transpose(); }
  Multiplier g_t(const Position&, double) const { return Multiplier::Zero(); }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return Multiplier::Constant(v.squaredNorm());
  }
};

std::string reason_of_method(const Solution& solution) {
  for (const Choice& choice : solution.report.choices) {
    if (choice.name == "method") return choice.value + ": " + choice.reason;
  }
  return "";
}

}  // namespace

TEST_CASE("random motions through singular configurations are right by default and in windows",
          "[passing]") {
  for (const Method& method : {Method(Automatic{}), Method(GaussWindows{})}) {
    for (const Mechanism& mechanism : mechanisms()) {
      const Outcome outcome = campaign(mechanism, method, 0, 20);
      CAPTURE(mechanism.name, name_of(method));
      CHECK(outcome.wrong == 0);
      CHECK(outcome.refused <= 1);
      CHECK(outcome.passages > 50);
      // Creeping takes millions; time is looked at in the campaign, on a machine by itself.
      CHECK(outcome.most_evaluations < 50'000);
    }
  }
}

TEST_CASE("200 random motions through singular configurations each", "[.campaign]") {
  for (const Method& method : {Method(Automatic{}), Method(GaussWindows{})}) {
    for (const Mechanism& mechanism : mechanisms()) {
      const Outcome outcome = campaign(mechanism, method, 0, 200);
      WARN(mechanism.name << ", " << name_of(method) << ": right " << outcome.right << ", refused "
                          << outcome.refused << ", wrong " << outcome.wrong << ", passages "
                          << outcome.passages << ", longest " << outcome.longest << " s");
      CHECK(outcome.wrong == 0);
      CHECK(outcome.longest < 1);
    }
  }
}

TEST_CASE("runs may end anywhere before a singular configuration", "[passing]") {
  const Mechanism bars = mechanisms()[0];
  const VecX start = bars.state(1, 5);  // Comes to one at t = 0.4144.
  for (int i = 0; i <= 500; ++i) {
    const double end = 0.37 + 1e-4 * i;
    const Solution solution =
        solve(*bars.problem, start, {0, end}, {.rtol = 1e-7, .most_steps = 3000, .every = 0});
    CAPTURE(end);
    CHECK(solution.report.usable());
    CHECK(solution.report.integration.reached == end);
  }
}

TEST_CASE("a start in a singular configuration is left along the velocity given", "[passing]") {
  for (const Mechanism& mechanism : mechanisms()) {
    // Rods in a line; crank and rod upon each other.
    const double angle = mechanism.name[0] == 'd' ? 0 : std::acos(-1.0) / 2;
    for (double rate : {5.0, -5.0}) {
      for (double rtol : {1e-4, 1e-7, 1e-10}) {
        CAPTURE(mechanism.name, rate, rtol);
        const Solution solution =
            solve(*mechanism.problem, mechanism.state(angle, rate), {0, 0.2}, {.rtol = rtol});
        INFO(solution.report.full());
        CHECK(solution.report.usable());
        CHECK_THAT(reason_of_method(solution),
                   contains_text("s-both2") && contains_text("dependent at the start alone"));
        const VecX exact = mechanism.exact(angle, rate, 0.2);
        CHECK((solution.end() - exact).cwiseAbs().maxCoeff() < 1e3 * rtol);
      }
    }
  }
}

TEST_CASE("each singular configuration that is passed is told", "[passing]") {
  const DaeProblemPtr problem = problem_of(Crossing{});
  const VecX start = Vec<4>{1, 0, -1, 0};
  for (double rtol : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const Solution solution = solve(*problem, start, {0, 2}, {.rtol = rtol, .dense = true});
    CAPTURE(rtol);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK((solution.end() - VecX(Vec<4>{-1, 0, -1, 0})).cwiseAbs().maxCoeff() < 1e-10);
    CHECK((solution.at(1.01) - VecX(Vec<4>{-0.01, 0, -1, 0})).cwiseAbs().maxCoeff() < 1e-10);
    REQUIRE(solution.report.singular_points.size() == 1);
    CHECK(solution.report.singular_points[0].t == Approx(1).margin(1e-3));
    CHECK_THAT(solution.report.singular_points[0].passed_by, contains_text("projected"));
    CHECK(solution.report.warnings.empty());
  }
}

TEST_CASE("a motion that turns before a singular configuration is not led over it", "[passing]") {
  for (double gap : {1e-1, 1e-2, 1e-3, 1e-4, 1e-6}) {
    const DaeProblemPtr problem = problem_of(Crossing{gap});
    const VecX start = Vec<4>{1, gap, -1 / std::hypot(1, gap), gap / std::hypot(1, gap)};
    for (double rtol : {1e-3, 1e-6, 1e-9}) {
      const Solution solution = solve(*problem, start, {0, 2}, {.rtol = rtol});
      CAPTURE(gap, rtol);
      INFO(solution.report.full());
      CHECK((solution.report.usable() || gap < 1e-3));
      if (!solution.report.usable()) continue;
      // It goes up along y, at the speed it had.
      CHECK(solution.end()[1] > 0.5);
      CHECK(solution.end()[3] == Approx(1).margin(0.01));
    }
  }
}

TEST_CASE("redundant constraints are told from singular configurations, and left out",
          "[passing]") {
  const VecX start = (VecX(6) << 1, 0, 0, 0, 2, 0).finished();
  const Solution twice =
      solve(*problem_of(HeldDouble{}), start, {0, 20}, {.rtol = 1e-9, .every = 0});
  const Solution once = solve(*problem_of(HeldOnce{}), start, {0, 20}, {.rtol = 1e-12, .every = 0});
  INFO(twice.report.full());
  CHECK(twice.report.usable());
  CHECK_THAT(reason_of_method(twice), contains_text("s-both2") && contains_text("redundant"));
  CHECK(twice.report.integration.steps < 2000);
  CHECK((twice.end() - once.end()).cwiseAbs().maxCoeff() < 1e-6);
  CHECK(is_redundant(*problem_of(HeldDouble{}), start, 0));
  const Mechanism bars = mechanisms()[0];
  CHECK_FALSE(is_redundant(*bars.problem, bars.state(0, 1), 0));
}

TEST_CASE("no method goes on along another branch and is usable", "[passing]") {
  const Mechanism bars = mechanisms()[0];
  for (Method method : all_methods()) {
    if (auto* baumgarte = std::get_if<Baumgarte>(&method))
      *baumgarte = {.alpha1 = 20, .alpha0 = 100};
    if (auto* stabilized = std::get_if<StabilizedOde>(&method)) stabilized->gamma = 10;
    for (const bool fixed : {false, true}) {
      if (!fixed && std::holds_alternative<SymmetricProjection>(method)) continue;
      Options options{.method = method, .rtol = 1e-6, .most_steps = 100'000, .every = 0};
      if (fixed) options.h = 2e-3;
      for (double angle : {-1.5, 2.5}) {
        const double rate = 2, end = 2;  // To and fro below; through three singular configurations.
        const Solution solution = solve(*bars.problem, bars.state(angle, rate), {0, end}, options);
        const double error =
            (solution.end() - bars.exact(angle, rate, end)).head(5).cwiseAbs().maxCoeff();
        CAPTURE(name_of(method), fixed, angle, error);
        INFO(solution.report.full());
        CHECK((error < 0.02 || !solution.report.usable()));
        CHECK((solution.report.usable() || !solution.report.advice.empty()));
        if (as<IndexReduction>(method) && !fixed) CHECK(solution.report.usable());
      }
    }
  }
}

TEST_CASE("regularization with alpha1 > 0, which keeps a derivative, knows no branch",
          "[passing]") {
  const Mechanism crank = mechanisms()[1];
  const double angle = 1, rate = 6, end = 1;
  for (double alpha1 : {1e-3, 1.0, 10.0}) {
    const Solution solution = solve(*crank.problem, crank.state(angle, rate), {0, end},
                                    {.method = Srm{.iterates = 5, .alpha1 = alpha1}, .every = 0});
    INFO(solution.report.full());
    const double error = (solution.end() - crank.exact(angle, rate, end)).cwiseAbs().maxCoeff();
    CHECK((error < 1e-2 || !solution.report.usable()));
  }
}

TEST_CASE("other methods of reduced index are led through singular configurations too",
          "[passing]") {
  const Mechanism bars = mechanisms()[0];
  for (const Method& method : {Method(Underlying{}), Method(SVel{}), Method(SBoth{}),
                               Method(ProjectEachStep{}), Method(StabilizedOde{.gamma = 10})}) {
    const Solution solution = solve(*bars.problem, bars.state(1.5, 1), {0, 3},
                                    {.method = method, .rtol = 1e-8, .every = 0});
    INFO(name_of(method) << solution.report.full());
    const double error = (solution.end() - bars.exact(1.5, 1, 3)).cwiseAbs().maxCoeff();
    CHECK((error < 1e-3 || !solution.report.usable()));
  }
}

}  // namespace daewave::ivp
