#include "core/problem/linear_dae.hpp"

#include <limits>

#include "core/derivatives/linear_derivatives.hpp"
#include "core/error.hpp"
#include "problems/lin.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A problem of run-time sizes in which one thing can be made wrong.
struct Faulty {
  std::string function;      ///< Which function is at fault,
  double from = 2;           ///< at and after this t,
  bool wrong_shape = false;  ///< by its shape instead of by a value.
  double bad = nan;
  Interval span{0, 1};

  Interval interval() const { return span; }
  Boundary boundary() const { return initial_conditions(MatX{{1, 0}}, VecX{{0}}); }
  MatX A(double t) const { return spoil("A", t, MatX{{1, 2}, {3, 4}}); }
  MatX B(double t) const { return spoil("B", t, MatX{{0}, {1}}); }
  VecX q(double t) const { return spoil("q", t, MatX{{5}, {6}}); }
  MatX C(double t) const { return spoil("C", t, MatX{{7, 8}}); }
  VecX r(double t) const { return spoil("r", t, MatX{{9}}); }
  MatX C_t(double t) const { return spoil("C_t", t, MatX{{0, 0}}); }
  VecX r_t(double t) const { return spoil("r_t", t, MatX{{0}}); }

  MatX spoil(const std::string& name, double t, MatX value) const {
    if (name != function || t < from) return value;
    if (wrong_shape) return MatX::Zero(value.rows() + 1, value.cols());
    value(value.rows() - 1, value.cols() - 1) = bad;
    return value;
  }
};

const std::vector<std::string> functions{"A", "B", "q", "C", "r", "C_t", "r_t"};

CoefficientBatch evaluate(const LinearDae& problem, const std::vector<double>& t) {
  CoefficientBatch batch(problem.nx(), problem.ny(), problem.has_constraint_derivatives());
  problem.evaluate(t.data(), static_cast<int>(t.size()), batch);
  return batch;
}

}  // namespace

TEST_CASE("a value that is not finite is refused with function, entry and t", "[problem]") {
  for (const double bad : {nan, std::numeric_limits<double>::infinity()}) {
    for (const std::string& function : functions) {
      Faulty faulty;
      faulty.function = function;
      faulty.from = 0.5;
      faulty.bad = bad;
      const auto problem = erase(faulty);
      CHECK_NOTHROW(evaluate(*problem, {0, 0.25, 0.49}));
      CHECK_THROWS_AS(evaluate(*problem, {0, 0.625, 0.75}), InvalidProblem);
      const bool two_rows = function == "A" || function == "B" || function == "q";
      const bool two_columns = function == "A" || function == "C" || function == "C_t";
      const std::string entry =
          std::string("entry (") + (two_rows ? "1" : "0") + ", " + (two_columns ? "1" : "0") + ")";
      CHECK_THROWS_WITH(evaluate(*problem, {0, 0.625, 0.75}), contains_text(function + "(0.625)") &&
                                                                  contains_text(entry) &&
                                                                  contains_text("finite"));
    }
  }
}

TEST_CASE("a shape that changes is refused with the right one", "[problem]") {
  for (const std::string& function : functions) {
    Faulty faulty;
    faulty.function = function;
    faulty.from = 0.5;
    faulty.wrong_shape = true;
    const auto problem = erase(faulty);
    CHECK_THROWS_AS(evaluate(*problem, {0.25, 0.5}), InvalidProblem);
    CHECK_THROWS_WITH(evaluate(*problem, {0.25, 0.5}),
                      contains_text(function + "(0.5) is ") && contains_text("must be "));
  }
}

TEST_CASE("the constraint alone is checked as well", "[problem]") {
  for (const std::string function : {"C", "r"}) {
    Faulty faulty;
    faulty.function = function;
    faulty.from = 0.5;
    const auto problem = erase(faulty);
    MatX C(1, 2);
    VecX r(1);
    CHECK_NOTHROW(problem->evaluate_constraint(0, C, r));
    CHECK(C == MatX{{7, 8}});
    CHECK(r == VecX{{9}});
    CHECK_THROWS_WITH(problem->evaluate_constraint(0.75, C, r), contains_text("0.75"));
  }
}

TEST_CASE("an interval that is empty or not finite is refused", "[problem]") {
  for (const Interval& span :
       {Interval{1, 1}, Interval{1, 0}, Interval{0, nan}, Interval{-INFINITY, 0}}) {
    Faulty faulty;
    faulty.span = span;
    CHECK_THROWS_AS(erase(faulty), InvalidProblem);
    CHECK_THROWS_WITH(erase(faulty), contains_text("interval [") && contains_text("begin < end"));
  }
}

TEST_CASE("more multipliers than components are refused", "[problem]") {
  struct TooMany : Faulty {
    MatX B(double) const { return MatX::Zero(2, 3); }
  };
  CHECK_THROWS_WITH(erase(TooMany{}), contains_text("B is 2 x 3") && contains_text("ny <= nx"));
  struct None : Faulty {
    MatX B(double) const { return MatX::Zero(2, 0); }
  };
  CHECK_THROWS_WITH(erase(None{}), contains_text("B is 2 x 0"));
}

TEST_CASE("fixed and run-time sizes give the same coefficients", "[problem]") {
  const auto fixed = erase(problems::Lin{10});
  const auto dynamic = erase(problems::LinBlocks{10, 1});
  REQUIRE(fixed->nx() == 4);
  REQUIRE(dynamic->nx() == 4);
  CHECK(fixed->name() == "lin");
  CHECK(fixed->has_constraint_derivatives());
  const CoefficientBatch one = evaluate(*fixed, {0, 1.7, 10}),
                         other = evaluate(*dynamic, {0, 1.7, 10});
  for (int i = 0; i < 3; ++i) {
    // A single block is coupled to itself by 0.05 I, and its q makes up for it.
    CHECK((other.A(i) - one.A(i) - 0.05 * MatX::Identity(4, 4)).cwiseAbs().maxCoeff() < 1e-15);
    CHECK((other.B(i) - one.B(i)).isZero(0));
    CHECK((other.C(i) - one.C(i)).isZero(0));
    CHECK((other.r(i) - one.r(i)).isZero(1e-15));
    CHECK((other.C_t(i) - one.C_t(i)).isZero(0));
    CHECK((other.r_t(i) - one.r_t(i)).isZero(1e-15));
  }
}

TEST_CASE("coefficients in one call equal those in five", "[problem]") {
  struct InOneCall {
    Faulty parts;
    struct All {
      MatX A, B;
      VecX q;
      MatX C;
      VecX r;
    };
    Interval interval() const { return parts.interval(); }
    Boundary boundary() const { return parts.boundary(); }
    MatX A(double) const { return MatX::Constant(2, 2, nan); }  // Never asked for.
    MatX B(double t) const { return parts.B(t); }
    VecX q(double) const { return VecX::Constant(2, nan); }
    MatX C(double t) const { return parts.C(t); }
    VecX r(double t) const { return parts.r(t); }
    All coefficients(double t) const {
      return {parts.A(t), parts.B(t), parts.q(t), parts.C(t), parts.r(t)};
    }
  };
  const CoefficientBatch one = evaluate(*erase(InOneCall{}), {0.5}),
                         five = evaluate(*erase(Faulty{}), {0.5});
  CHECK(one.A(0) == five.A(0));
  CHECK(one.B(0) == five.B(0));
  CHECK(one.q(0) == five.q(0));
  CHECK(one.C(0) == five.C(0));
  CHECK(one.r(0) == five.r(0));
  CHECK_FALSE(one.with_derivatives());
}

}  // namespace daewave
