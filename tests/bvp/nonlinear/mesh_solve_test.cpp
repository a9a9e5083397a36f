// One mesh: what iterates leave of an error there.

#include "bvp/nonlinear/mesh_solve.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "bvp/nonlinear/posed.hpp"
#include "bvp/solve.hpp"
#include "problems/boundary_motion.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x' = y, y_s = ratio y_{s-1} + 1 - ratio, x(0) = 0: ratio^s is left of y_s, ratio^(s-1) of x_s.
class Approaching final : public IterateSystem {
 public:
  explicit Approaching(double ratio) : ratio_(ratio) {}
  int nx() const override { return 1; }
  int carried() const override { return 1; }
  bool evaluate(const VecX&, double, const VecX& before, VecX& slope, VecX& carried) override {
    slope = before;
    carried = VecX{{ratio_ * before[0] + 1 - ratio_}};
    return true;
  }
  bool jacobian(const VecX&, double, const VecX&, const VecX&, const VecX&, const VecX&,
                MatX& J) override {
    J.setZero(1, 1);
    return true;
  }
  std::string failure() const override { return ""; }

 private:
  double ratio_;
};

class NothingAtBegin final : public TwoPointConditions {
 public:
  int count() const override { return 1; }
  void evaluate(const VecX& left, const VecX&, VecX& r) override { r = left; }
  void jacobians(const VecX&, const VecX&, const VecX&, MatX& B0, MatX& B1) override {
    B0.setOnes(1, 1);
    B1.setZero(1, 1);
  }
};

}  // namespace

TEST_CASE("what iterates leave is what all that follow would change, slow or fast",
          "[nonlinear][iterates]") {
  for (const double ratio : {0.1, 0.5, 0.9}) {
    for (const int iterates : {2, 5}) {
      NothingAtBegin conditions;
      const ComponentSizes one(VecX::Ones(1), VecX::Zero(1));
      NonlinearProblem problem;
      problem.interval = {0, 1};
      problem.epsilon = 1;
      problem.sizes = {one, one};
      problem.scheme = collocation(Scheme::gauss, 2);
      problem.system = [ratio](double) { return std::make_unique<Approaching>(ratio); };
      problem.conditions = &conditions;
      problem.guess = [](double) { return VecX::Zero(1).eval(); };
      const Options options{.iterates = iterates};
      MeshSolve on_mesh(problem, options, 1e-6, 1e-11);
      const MeshResult result = on_mesh.solve(uniform_mesh(0, 1, 3), nullptr);
      CAPTURE(ratio, iterates);
      REQUIRE(result.solved());
      const LeftByIterates left =
          on_mesh.left_by_iterates(result.curve, result.share, result.iterates.history);
      CHECK(left.x == Approx(std::pow(ratio, iterates - 1)));
      CHECK(left.carried == Approx(std::pow(ratio, iterates)));
    }
  }
}

namespace {

/// x' = lg epsilon - x, which is not defined further than `reach` from lg epsilon.
class CloseToEpsilon final : public IterateSystem {
 public:
  CloseToEpsilon(double epsilon, double reach) : at_(std::log10(epsilon)), reach_(reach) {}
  int nx() const override { return 1; }
  int carried() const override { return 1; }
  bool evaluate(const VecX& x, double, const VecX&, VecX& slope, VecX& carried) override {
    slope = VecX{{at_ - x[0]}};
    carried = x;
    return std::abs(at_ - x[0]) <= reach_;
  }
  bool jacobian(const VecX&, double, const VecX&, const VecX&, const VecX&, const VecX&,
                MatX& J) override {
    J.setConstant(1, 1, -1);
    return true;
  }
  std::string failure() const override { return "too far"; }

 private:
  double at_, reach_;
};

class EqualAtBothEnds final : public TwoPointConditions {
 public:
  int count() const override { return 1; }
  void evaluate(const VecX& left, const VecX& right, VecX& r) override { r = left - right; }
  void jacobians(const VecX&, const VecX&, const VecX&, MatX& B0, MatX& B1) override {
    B0.setOnes(1, 1);
    B1.setConstant(1, 1, -1);
  }
};

}  // namespace

TEST_CASE("a first iterate is come to by larger epsilons, in steps as long as succeed",
          "[nonlinear][iterates]") {
  // A tenth at a time is within reach, or a root of it, or nothing is.
  for (const double reach : {1.1, 0.6, 0.3, 0.02}) {
    EqualAtBothEnds conditions;
    NonlinearProblem problem;
    problem.interval = {0, 1};
    problem.epsilon = 1e-4;
    problem.scheme = collocation(Scheme::gauss, 2);
    problem.system = [reach](double epsilon) {
      return std::make_unique<CloseToEpsilon>(epsilon, reach);
    };
    problem.conditions = &conditions;
    problem.guess = [](double) { return VecX::Zero(1).eval(); };
    const Options options{.iterates = 1};
    MeshSolve on_mesh(problem, options, 1e-6, 1e-11);
    const MeshResult result = on_mesh.solve(uniform_mesh(0, 1, 3), nullptr);
    CAPTURE(reach);
    REQUIRE(result.solved() == (reach > 0.1));
    if (!result.solved()) continue;
    CHECK(result.curve.x(0.5)[0] == Approx(-4));
    CHECK_THAT(on_mesh.warning(), contains_text("by way of larger epsilon"));
  }
}

TEST_CASE("what iterates leave of a layer at the begin is told, however little it is elsewhere",
          "[nonlinear][iterates]") {
  problems::PendulumBetween pendulum;
  pendulum.t_end = 0.4;
  ProblemFamily family;
  family.member = [pendulum](const VecX&) { return boundary_problem_of(pendulum); };
  const Options options{.epsilon = 1e-2, .alpha1 = 0.0, .iterates = 3, .shooting_back = false};
  const Posed posed(family, options);
  MeshSolve on_mesh(posed.problem(), options, 1e-6, 1e-11);
  const MeshResult result = on_mesh.solve(uniform_mesh(0, 0.4, 100), nullptr);
  REQUIRE(result.solved());
  const LeftByIterates left =
      on_mesh.left_by_iterates(result.curve, result.share, result.iterates.history);
  REQUIRE(left.newton.converged());
  double error = 0, size = 1;
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < result.curve.scheme().stages; ++j) {
      const double exact = pendulum.y_exact(pendulum.from + result.curve.stage_time(i, j))[0];
      const double found = result.curve.values().carried(0, i * result.curve.scheme().stages + j);
      error = std::max(error, std::abs(found - exact));
      size = std::max(size, 1 + std::abs(exact));
    }
  }
  CAPTURE(left.carried, left.x, error / size);
  CHECK(error > 1e-2 * size);
  CHECK(left.carried > 0.5 * error / size);
  CHECK(left.carried < 2 * error / size);
}

}  // namespace daewave::bvp
