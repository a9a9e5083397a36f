// The sign of the determinant of what collocation linearizes, where it is known.

#include "bvp/newton/determinant_sign.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "bvp/equations/iterate_systems.hpp"
#include "core/adapt/problem_of.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x' = A x + b(t).
class Linear final : public IterateSystem {
 public:
  explicit Linear(MatX A, std::function<VecX(double)> b = {})
      : A_(std::move(A)), b_(std::move(b)) {}
  int nx() const override { return static_cast<int>(A_.rows()); }
  int carried() const override { return 0; }
  bool evaluate(const VecX& x, double t, const VecX&, VecX& slope, VecX&) override {
    slope = A_ * x;
    if (b_) slope += b_(t);
    return true;
  }
  bool jacobian(const VecX&, double, const VecX&, const VecX&, const VecX&, const VecX&,
                MatX& J) override {
    J = A_;
    return true;
  }
  std::string failure() const override { return ""; }

 private:
  MatX A_;
  std::function<VecX(double)> b_;
};

/// The second component is given at the begin, and something at the end.
class AtBothEnds final : public TwoPointConditions {
 public:
  std::function<VecX(const VecX& right)> at_end;  ///< What that changes by with x there.
  int count() const override { return 2; }
  void evaluate(const VecX&, const VecX&, VecX& r) override { r.setZero(2); }
  void jacobians(const VecX&, const VecX& right, const VecX&, MatX& B0, MatX& B1) override {
    B0 = MatX{{0, 1}, {0, 0}};
    B1.setZero(2, 2);
    B1.row(1) = at_end(right).transpose();
  }
};

/// All components are given at the begin.
class AllAtBegin final : public TwoPointConditions {
 public:
  int count() const override { return 2; }
  void evaluate(const VecX&, const VecX&, VecX& r) override { r.setZero(2); }
  void jacobians(const VecX&, const VecX&, const VecX&, MatX& B0, MatX& B1) override {
    B0.setIdentity(2, 2);
    B1.setZero(2, 2);
  }
};

/// A curve of which nothing but sizes matters.
CollocationCurve ones(int intervals, Scheme scheme, int stages) {
  CollocationValues values;
  values.x.setOnes(2, intervals + 1);
  values.slopes.setOnes(2, stages * intervals);
  values.carried.resize(0, stages * intervals);
  return {uniform_mesh(0, 1, intervals), collocation(scheme, stages), values};
}

}  // namespace

TEST_CASE("the sign of the determinant changes at each eigenvalue, and is that of all meshes",
          "[nonlinear][orientation]") {
  // (y', y) of y'' = -w^2 y: y vanishes at the begin, and at the end where sin w = 0.
  AtBothEnds conditions;
  conditions.at_end = [](const VecX&) { return VecX{{0, 1}}; };
  for (const double w : {1.0, 3.0, 3.3, 6.0, 6.5, 9.0}) {
    Linear swing(MatX{{0, -w * w}, {1, 0}});
    const int expected = std::sin(w) > 0 ? -1 : 1;
    for (const Scheme scheme : {Scheme::gauss, Scheme::radau}) {
      for (const int intervals : {7, 8, 90}) {
        CAPTURE(w, name_of(scheme), intervals);
        CHECK(determinant_sign(swing, conditions, ones(intervals, scheme, 3)) == expected);
      }
    }
  }
}

TEST_CASE("conditions see integrals over the whole interval, which a solution does not keep",
          "[nonlinear][orientation]") {
  // z' = x + b with x constant, and z(1)^2 is given: what it changes by is z(1), of the sign of the
  // integral, which is not that of its last part.
  AtBothEnds conditions;
  conditions.at_end = [](const VecX& right) { return VecX{{0, 2 * right[1]}}; };
  for (const double sign : {-1.0, 1.0}) {
    Linear integral(MatX{{0, 0}, {1, 0}}, [sign](double t) {
      return VecX{{0, sign * (3 - 4 * t) - 1}};
    });
    CollocationCurve curve = ones(4, Scheme::gauss, 2);
    CollocationValues values = curve.values();
    values.slopes.row(0).setZero();
    values.x.row(1).setZero();
    values.slopes.row(1).setZero();
    CAPTURE(sign);
    CHECK(determinant_sign(integral, conditions, {curve.mesh(), curve.scheme(), values}) ==
          (sign > 0 ? -1 : 1));
  }
}

namespace {

/// (y', y) of y'' = -e exp(y) with derivatives by differences, in a unit of y.
struct BratuInUnit {
  using State = Vec<2>;
  double e = 1, unit = 1;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {-unit * e * std::exp(x[1] / unit), x[0]}; }
  Vec<2> conditions(const State& left, const State& right) const { return {left[1], right[1]}; }
};

}  // namespace

TEST_CASE("the sign of the determinant changes at a fold, and is the same in all units",
          "[nonlinear][orientation]") {
  AtBothEnds conditions;
  conditions.at_end = [](const VecX&) { return VecX{{0, 1}}; };
  const Collocation scheme = collocation(Scheme::gauss, 2);
  const Mesh mesh = uniform_mesh(0, 1, 20);
  for (const double unit : {1e-9, 1e-4, 1.0, 1e6}) {
    for (const double c : {1.0, 2.2, 2.6, 5.0}) {  // The fold is at 2.3994.
      const BratuInUnit problem{2 * std::pow(c / std::cosh(c / 2), 2), unit};
      const auto state = [&](double t) -> Vec<2> {
        const double s = c * (t - 0.5);
        return unit * Vec<2>{-2 * c * std::tanh(s), -2 * std::log(std::cosh(s) / std::cosh(c / 2))};
      };
      CollocationValues values;
      values.x.resize(2, 21);
      values.slopes.resize(2, 40);
      values.carried.resize(0, 40);
      for (int i = 0; i <= 20; ++i) values.x.col(i) = state(mesh.node(i));
      for (int j = 0; j < 40; ++j) {
        const double t = mesh.node(j / 2) + scheme.c[j % 2] * mesh.step(j / 2);
        values.slopes.col(j) = problem.f(state(t), t);
      }
      const auto equations = problem_of(problem);
      CAPTURE(unit, c);
      CHECK(determinant_sign(*ordinary_system(*equations), conditions, {mesh, scheme, values}) ==
            (c < 2.3994 ? -1 : 1));
    }
  }
}

TEST_CASE("where all is given at the begin decays have no orientation but that of the conditions",
          "[nonlinear][orientation]") {
  // The midpoint rule forgets what decays at the rate 2 / h within one step, without a remainder.
  AllAtBegin conditions;
  for (const int intervals : {1, 2, 3, 5}) {
    for (const double part : {0.9, 1.0, 1.1}) {
      CAPTURE(intervals, part);
      const double rate = 2 * part * intervals;
      for (const MatX& A : {MatX{{-rate, 0}, {0, -1}}, MatX{{-1, 0}, {0, -rate}},
                            MatX{{-rate, 0}, {0, -rate}}, MatX{{-rate, 0}, {2, -rate}}}) {
        Linear decays(A);
        CHECK(determinant_sign(decays, conditions, ones(intervals, Scheme::gauss, 1)) == 1);
      }
    }
  }
}

TEST_CASE("the sign of a determinant that vanishes is none", "[nonlinear][orientation]") {
  AtBothEnds conditions;
  conditions.at_end = [](const VecX&) { return VecX::Zero(2); };
  Linear constant(MatX::Zero(2, 2));
  CHECK(determinant_sign(constant, conditions, ones(4, Scheme::gauss, 2)) == 0);
}

}  // namespace daewave::bvp
