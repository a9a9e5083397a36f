// Terms S x / (t - a) at the begin of the interval.

#include <Eigen/LU>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "bvp/equations/iterate_systems.hpp"
#include "bvp/equations/singular_term.hpp"
#include "bvp/solve.hpp"
#include "problems/boundary_motion.hpp"
#include "tests/bvp/effort.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// y'' + k/t y' + f(y) = 0, y'(0) = 0, y(end) given.
struct Polar {
  using State = Vec<2>;
  double k = 2, end = 1;
  int kind = 5;  ///< 5: y^5, of Lane and Emden; 1: y; 0: 1.
  bool states_regularity = true;
  Interval interval() const { return {0, end}; }
  Mat<2, 2> singular_term() const { return Mat<2, 2>{{0, 0}, {0, -k}}; }
  State f(const State& x, double) const { return {x[1], -std::pow(x[0], kind)}; }
  VecX conditions(const State& left, const State& right) const {
    if (!states_regularity) return VecX{{right[0] - y(end)}};
    return VecX{{left[1], right[0] - y(end)}};
  }
  State guess(double t) const { return {1 / (1 + t * t / 6), 0}; }
  double y(double t) const {
    if (k == 1) return std::cyl_bessel_j(0, t);
    if (kind == 5) return 1 / std::sqrt(1 + t * t / 3);
    if (kind == 1) return t == 0 ? 1 : std::sin(t) / t;
    return 1 - t * t / 6;
  }
};

/// The same with the term in f.
struct ByHand {
  using State = Vec<2>;
  Polar of;
  Interval interval() const { return of.interval(); }
  State f(const State& x, double t) const { return of.f(x, t) - Vec<2>(0, of.k * x[1] / t); }
  VecX conditions(const State& left, const State& right) const {
    return of.conditions(left, right);
  }
  State guess(double t) const { return of.guess(t); }
};

double largest_error(const Polar& problem, const Solution& solution) {
  double most = 0;
  for (int i = 0; i <= 400; ++i) {
    const double t = problem.end * i / 400;
    most = std::max(most, std::abs(solution.x(t)[0] - problem.y(t)));
  }
  return most;
}

/// x = (u, w): u' = w / t + g, w' = -2 w / t + ..., a term with a Jordan block of zero beside it.
struct Mixed {
  using State = Vec<3>;
  Interval interval() const { return {1, 3}; }
  Mat<3, 3> singular_term() const { return Mat<3, 3>{{0, 1, 0}, {0, 0, 0}, {0, 0.5, -1.5}}; }
  /// u = cos s, v = s^2, w = s exp(-s), s = t - 1.
  static State exact(double t) {
    const double s = t - 1;
    return {std::cos(s), s * s, s * std::exp(-s)};
  }
  static State slope(double t) {
    const double s = t - 1;
    return {-std::sin(s), 2 * s, (1 - s) * std::exp(-s)};
  }
  State f(const State& x, double t) const {
    const double s = t - 1;
    const State at = exact(t);
    // S x / s of the exact solution, as a limit too.
    const State term(s, 0, 0.5 * s - 1.5 * std::exp(-s));
    return slope(t) - term +
           State(x[2] - at[2], at[0] * (x[0] - at[0]), x[0] * x[1] - at[0] * at[1]);
  }
  VecX conditions(const State&, const State& right) const { return VecX{{right[0] - exact(3)[0]}}; }
};

/// Chunks from the last one on.
class Backwards final : public Executor {
 public:
  void for_chunks(int count, int chunk, const Body& body) const override {
    for (int begin = (count - 1) / chunk * chunk; begin >= 0; begin -= chunk) {
      body(begin, std::min(begin + chunk, count));
    }
  }
};

}  // namespace

TEST_CASE("problems in polar coordinates are solved to 1e-10 on few intervals", "[singular-term]") {
  const std::vector<testing::Cost> costs = {{6, 3, 1.64e-12, 1}, {6, 3, 1.64e-12, 1},
                                            {6, 2, 1.49e-16, 1}, {6, 2, 1.49e-16, 1},
                                            {6, 2, 5.55e-17, 1}, {6, 2, 5.55e-17, 1}};
  auto recorded = costs.begin();
  for (const int kind : {5, 1, 0}) {
    for (const bool stated : {true, false}) {
      const Polar problem{.kind = kind, .states_regularity = stated};
      const Solution solution = solve(problem, {.tolerance = 1e-10});
      CAPTURE(kind, stated, solution.report.full());
      REQUIRE(solution.report.usable());
      CAPTURE(text_of(testing::cost_of(solution)));
      CHECK(are_alike(*recorded++, testing::cost_of(solution)));
      CHECK(largest_error(problem, solution) <= 1e-10);
      CHECK(solution.mesh().intervals() <= 12);
      // The limit of y'' at 0 is -f / (1 + k).
      CHECK(solution.slope(0)[1] == Approx(-1.0 / 3).epsilon(1e-7));
      CHECK(std::abs(solution.x(0)[1]) <= 1e-14);
    }
  }
  const Polar bessel{.k = 1, .kind = 1};
  const Solution solution = solve(bessel, {.tolerance = 1e-10});
  CAPTURE(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(largest_error(bessel, solution) <= 1e-10);
  CHECK(solution.mesh().intervals() <= 10);
}

TEST_CASE("all schemes and tolerances see the term", "[singular-term]") {
  const std::vector<testing::Cost> costs = {
      {6, 3, 4.49e-08, 3}, {6, 3, 6.23e-09, 3}, {7, 3, 2.34e-10, 3},
      {6, 3, 5.82e-08, 3}, {6, 3, 8.79e-09, 3}, {8, 3, 1.46e-10, 3},
      {6, 3, 1.95e-06, 3}, {9, 3, 5.11e-08, 3}, {19, 3, 5.46e-10, 3}};
  auto recorded = costs.begin();
  for (const Scheme scheme : {Scheme::gauss, Scheme::radau, Scheme::lobatto}) {
    for (const double tolerance : {1e-4, 1e-7, 1e-9}) {
      const Polar problem{.end = 3};
      const Solution solution = solve(problem, {.tolerance = tolerance, .scheme = scheme});
      CAPTURE(name_of(scheme), tolerance, solution.report.full());
      REQUIRE(solution.report.usable());
      CAPTURE(text_of(testing::cost_of(solution)));
      CHECK(are_alike(*recorded++, testing::cost_of(solution)));
      CHECK(largest_error(problem, solution) <= tolerance);
    }
  }
}

TEST_CASE("a stated term costs no more than one in f", "[singular-term]") {
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const Polar problem{.end = 6};
    const Solution stated = solve(problem, {.tolerance = tolerance});
    const Solution by_hand = solve(ByHand{problem}, {.tolerance = tolerance});
    CAPTURE(tolerance, stated.report.full(), by_hand.report.full());
    REQUIRE(stated.report.usable());
    CHECK(stated.mesh().intervals() <= by_hand.mesh().intervals());
  }
}

TEST_CASE("S x = 0 is posed where conditions leave it out", "[singular-term]") {
  for (const double tolerance : {1e-6, 1e-10}) {
    const Solution solution = solve(Mixed{}, {.tolerance = tolerance});
    CAPTURE(solution.report.full());
    REQUIRE(solution.report.usable());
    for (int i = 0; i <= 100; ++i) {
      const double t = 1 + 2 * i / 100.0;
      const Vec<3> off = solution.x(t) - Mixed::exact(t);
      CHECK(off.cwiseAbs().maxCoeff() <= 5 * tolerance);
    }
    const Vec<3> off = solution.slope(1) - Mixed::slope(1);
    CHECK(off.cwiseAbs().maxCoeff() <= 1e3 * tolerance);
  }
}

TEST_CASE("eigenvalues of a disk are found with a singular term", "[singular-term]") {
  // y'' + y' / t + lambda y = 0, y(0) = 1, y(1) = 0: the square of the first zero of J_0.
  const auto member = [](const VecX& p) {
    BoundaryProblem problem;
    struct Disk {
      using State = Vec<2>;
      double lambda;
      State f(const State& x, double) const { return {x[1], -lambda * x[0]}; }
    };
    problem.equations = problem_of(Disk{p[0]});
    problem.interval = {0, 1};
    problem.singular_term = MatX{{0, 0}, {0, -1}};
    problem.conditions = [](const VecX& left, const VecX& right) {
      return VecX{{left[0] - 1, right[0]}};
    };
    problem.guess = [](double t) { return VecX{{1 - t * t, -2 * t}}; };
    return problem;
  };
  const Backwards backwards;
  for (const Executor* executor :
       {static_cast<const Executor*>(nullptr), static_cast<const Executor*>(&backwards)}) {
    const Solution solution = solve(
        ProblemFamily{.member = member, .p = VecX{{5.0}}, .names = {"lambda"}, .unknown = {0}},
        {.tolerance = 1e-10, .executor = executor});
    CAPTURE(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.parameters[0] == Approx(5.783185962946784).epsilon(1e-10));
  }
}

TEST_CASE("index 1 may have a singular term", "[singular-term]") {
  // y'' + 2 y' / t = -w, 0 = w - y + (w - sin t / t)^3: y = w = sin t / t.
  struct Implicit {
    using State = Vec<2>;
    using Algebraic = Vec<1>;
    static double y(double t) { return t == 0 ? 1 : std::sin(t) / t; }
    Interval interval() const { return {0, 2}; }
    MatX singular_term() const { return MatX{{0, 0}, {0, -2}}; }
    State f(const State& x, const Algebraic& w, double) const { return {x[1], -w[0]}; }
    Algebraic r(const State& x, const Algebraic& w, double t) const {
      return Algebraic(w[0] - x[0] + std::pow(w[0] - y(t), 3));
    }
    Mat<1, 1> r_w(const State&, const Algebraic& w, double t) const {
      return Mat<1, 1>(1 + 3 * std::pow(w[0] - y(t), 2));
    }
    VecX conditions(const State&, const State& right) const { return VecX{{right[0] - y(2)}}; }
  };
  const Solution solution = solve(Implicit{}, {.tolerance = 1e-9});
  CAPTURE(solution.report.full());
  REQUIRE(solution.report.usable());
  for (const double t : {0.0, 0.3, 1.1, 2.0}) {
    CHECK(std::abs(solution.x(t)[0] - Implicit::y(t)) <= 1e-9);
    CHECK(std::abs(solution.multiplier(t)[0] - Implicit::y(t)) <= 1e-8);
  }
}

/// That of Lane and Emden for V (y, y'), whose term is full.
struct MixedPolar {
  using State = Vec<2>;
  Mat<2, 2> V = Mat<2, 2>::Identity();
  Interval interval() const { return {0, 1}; }
  Mat<2, 2> singular_term() const { return V * Mat<2, 2>{{0, 0}, {0, -2}} * V.inverse(); }
  State f(const State& x, double) const {
    const State u = V.inverse() * x;
    return V * State(u[1], -std::pow(u[0], 5));
  }
  VecX conditions(const State&, const State& right) const {
    return VecX{{(V.inverse() * right)[0] - std::sqrt(0.75)}};
  }
  State guess(double) const { return V * State(1, 0); }
};

TEST_CASE("the residual has a tolerance beside a singular term that is full too",
          "[singular-term][residual]") {
  for (const auto& V : {Mat<2, 2>{{1, 0.5}, {0, 1}}, Mat<2, 2>{{1, 0.3}, {0.7, 1.2}},
                        Mat<2, 2>{{100, 30}, {0.7, 1.2}}}) {
    const MixedPolar problem{V};
    for (const double tolerance : {1e-2, 1e-6, 1e-8, 1e-9}) {
      const Solution solution =
          solve(problem, {.tolerance = 1e-3, .stages = 3, .residual_tolerance = tolerance});
      CAPTURE(V, tolerance, solution.report.full());
      CHECK(solution.report.usable());
      REQUIRE(solution.has_values());
      CHECK(std::abs((V.inverse() * solution.x(0))[0] - 1) < 1e-3);
      // As near t = 0 as rounding of x over t lets it be told.
      double largest = 0;
      for (int p = 1; p <= 4000; ++p) {
        const double t = p <= 2000 ? 1e-3 * std::pow(1.003, p - 2000) : (p - 2000) / 2000.0;
        const VecX x = solution.x(t), S_x = problem.singular_term() * x / t;
        const VecX F = VecX(problem.f(x, t)) + S_x;
        const double rounding = 1e-15 * problem.singular_term().norm() * x.norm() / t;
        const VecX off = (solution.slope(t) - F).cwiseQuotient(VecX(F.cwiseAbs().array() + 1.0));
        largest = std::max(largest, off.norm() - rounding);
      }
      CHECK(largest <= 1.2 * tolerance);
    }
  }
}

TEST_CASE("conditions that contradict S x = 0 are refused", "[singular-term]") {
  BoundaryProblem problem = boundary_problem_of(Polar{});
  for (const double off : {0.5, 1e-2, 1e-3, 1e-4}) {
    problem.conditions = [off](const VecX& left, const VecX& right) {
      return VecX{{left[1] - off, right[0] - 0.9}};
    };
    const Solution slope = solve(problem, {.tolerance = 1e-6});
    CAPTURE(off, slope.report.full());
    CHECK_FALSE(slope.report.usable());
    if (off < 5e-3) continue;  // Too little to be told from a mesh that is too coarse.
    CHECK(slope.report.termination == Termination::refused);
    CHECK(slope.report.message.find("conditions contradict the singular term") == 0);
    CHECK(slope.report.advice.find("leave out 1 condition(s)") == 0);
  }
  // y(0) and y(1) together leave no regular solution either.
  problem.conditions = [](const VecX& left, const VecX& right) {
    return VecX{{left[0] - 1, right[0] - 0.5}};
  };
  const Solution both = solve(problem, {.tolerance = 1e-6});
  CAPTURE(both.report.full());
  CHECK_FALSE(both.report.usable());
  CHECK(both.report.advice.find("S x = 0 at t = 0") != std::string::npos);
}

TEST_CASE("terms that cannot be are refused by name", "[singular-term]") {
  const auto refusal = [](const BoundaryProblem& problem) -> std::string {
    try {
      solve(problem);
    } catch (const InvalidProblem& refused) {
      return refused.what();
    }
    return {};
  };
  BoundaryProblem problem = boundary_problem_of(Polar{});
  problem.singular_term = MatX::Zero(3, 3);
  CHECK(refusal(problem).find("is 3 x 3; must be nx x nx = 2 x 2") != std::string::npos);
  problem.singular_term = MatX{{0, 1}, {1, 0}};
  CHECK(refusal(problem).find("has the eigenvalue 1;") != std::string::npos);
  problem.singular_term = MatX{{0, 1}, {-1, 0}};
  CHECK(refusal(problem).find("1 i;") != std::string::npos);
  problem.singular_term = MatX{{0, std::nan("")}, {-1, 0}};
  CHECK(refusal(problem).find("must be finite") != std::string::npos);
  BoundaryProblem constrained = boundary_problem_of(problems::Al2Example61Boundary{});
  constrained.singular_term = MatX::Zero(2, 2);
  CHECK(refusal(constrained).find("singular_term: the problem has index 2") == 0);
}

TEST_CASE("a system with a singular term is at a point what it is at many, with its derivative",
          "[singular-term]") {
  const BoundaryProblem problem = boundary_problem_of(Mixed{});
  const auto term = std::make_shared<const SingularTerm>(problem.singular_term, 1, 3);
  const auto plain = ordinary_system(*problem.equations);
  const auto system = with_singular_term(ordinary_system(*problem.equations), term);
  const VecX x = Vec<3>(0.4, -0.7, 1.3), one = VecX::Ones(3);
  const std::vector<double> times{1, 1.25, 2, 3};
  const int count = static_cast<int>(times.size());
  std::vector<double> states, slopes(3 * times.size()), J_of_all(9 * times.size());
  for (int i = 0; i < 3; ++i) states.insert(states.end(), times.size(), x[i]);
  std::string failure;
  const IteratePoints batch{count, count, times.data(), states.data(), nullptr};
  REQUIRE(system->evaluate_batch(batch, slopes.data(), nullptr, nullptr, failure));
  REQUIRE(system->jacobian_batch(batch, slopes.data(), nullptr, one, J_of_all.data(), failure));
  for (int p = 0; p < count; ++p) {
    const double t = times[static_cast<std::size_t>(p)];
    CAPTURE(t);
    VecX f(3), slope(3), none(0);
    MatX f_x(3, 3), J(3, 3);
    REQUIRE(plain->evaluate(x, t, none, f, none));
    REQUIRE(plain->jacobian(x, t, none, f, none, one, f_x));
    REQUIRE(system->evaluate(x, t, none, slope, none));
    REQUIRE(system->jacobian(x, t, none, slope, none, one, J));
    // At the begin x' = S x' + f, as x grows from S x = 0.
    const MatX& S = problem.singular_term;
    const MatX limit = (MatX::Identity(3, 3) - S).inverse();
    const VecX expected = t == 1 ? VecX(limit * f) : VecX(f + S * x / (t - 1));
    const MatX derivative = t == 1 ? MatX(limit * f_x) : MatX(f_x + S / (t - 1));
    CHECK((slope - expected).norm() < 1e-12);
    CHECK((J - derivative).norm() < 1e-6);
    for (int i = 0; i < 3; ++i) {
      CHECK(slopes[static_cast<std::size_t>(i * count + p)] == Approx(expected[i]).margin(1e-12));
      for (int j = 0; j < 3; ++j) {
        CHECK(J_of_all[static_cast<std::size_t>((i + 3 * j) * count + p)] ==
              Approx(derivative(i, j)).margin(1e-6));
      }
    }
  }
}

}  // namespace daewave::bvp
