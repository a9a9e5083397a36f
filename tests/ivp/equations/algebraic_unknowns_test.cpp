// Unknowns of index 1, from a start that tells nothing of their size.

#include <cmath>
#include <functional>
#include <random>
#include <utility>

#include "core/adapt/problem_from_functions.hpp"
#include "core/kernels/index_kernels.hpp"
#include "ivp/equations/algebraic_unknowns.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// 0 = A w - b, linear in w, whose solution is given.
DaeProblemPtr linear(const MatX& A, const VecX& solution) {
  const int n = static_cast<int>(solution.size());
  const VecX b = A * solution;
  ProblemFunctions of{.kind = Kind::invariants, .sizes = {.nq = 1, .nw = n}};
  of.f = [](const Points& at, double* out) { std::fill_n(out, at.count, 0.0); };
  of.r = [A, b, n](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      for (int i = 0; i < n; ++i) {
        double sum = -b[i];
        for (int j = 0; j < n; ++j) sum += A(i, j) * at.w[j * at.stride + p];
        out[i * at.count + p] = sum;
      }
    }
  };
  of.h = of.H = [](const Points&, double*) {};
  of.differences = true;
  return problem_from_functions(std::move(of));
}

/// 0 = r(z, w) with dr/dw as it is, of one unknown.
struct OfOne {
  using Function = std::function<double(double z, double w)>;
  DaeProblemPtr problem;
  InvariantKernel kernel;
  AlgebraicUnknowns<InvariantKernel> unknowns;
  long evaluations = 0, jacobians = 0;

  OfOne(Function r, Function r_w, double w)
      : problem(made(std::move(r), std::move(r_w))), kernel(*problem), unknowns(kernel) {
    unknowns.start(VecX::Constant(1, w));
  }
  static DaeProblemPtr made(Function r, Function r_w) {
    const auto each = [](Function of) {
      return [of = std::move(of)](const Points& at, double* out) {
        for (int p = 0; p < at.count; ++p) out[p] = of(at.q[p], at.w[p]);
      };
    };
    ProblemFunctions of{.kind = Kind::invariants, .sizes = {.nq = 1, .nw = 1}};
    of.f = each([](double, double) { return 0.0; });
    of.r = each(std::move(r));
    of.r_w = each(std::move(r_w));
    of.h = of.H = [](const Points&, double*) {};
    return problem_from_functions(std::move(of));
  }
  bool at(double z) {
    const long r_before = unknowns.evaluations(), J_before = unknowns.jacobians();
    const bool found = unknowns.solve(VecX::Constant(1, z), 0);
    evaluations = unknowns.evaluations() - r_before;
    jacobians = unknowns.jacobians() - J_before;
    return found;
  }
  double w() const { return unknowns.w()[0]; }
};

}  // namespace

TEST_CASE("unknowns that vanish beside large ones are found from a start of zeros", "[ivp]") {
  std::mt19937 random(20);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (int run = 0; run < 40; ++run) {
    MatX A(6, 6);
    for (int i = 0; i < 36; ++i) A(i / 6, i % 6) = entry(random);
    A.diagonal().array() += 2;
    const VecX scale = (VecX(6) << 1e3, 1, 1e-2, 80, 1, 1).finished();
    A = scale.asDiagonal() * A;
    const VecX solution = (VecX(6) << 300, 0, 0, -87, 0, 0).finished();
    const DaeProblemPtr problem = linear(A, solution);
    const InvariantKernel kernel(*problem);
    AlgebraicUnknowns<InvariantKernel> unknowns(kernel);
    unknowns.start(VecX::Zero(6));
    const bool found = unknowns.solve(VecX::Zero(1), 0);
    CAPTURE(run, unknowns.failure(), unknowns.evaluations(), unknowns.jacobians());
    REQUIRE(found);
    CHECK((unknowns.w() - solution).cwiseAbs().maxCoeff() < 1e-9);
    // And again from there, where nothing is left to change.
    REQUIRE(unknowns.solve(VecX::Zero(1), 0));
    CHECK((unknowns.w() - solution).cwiseAbs().maxCoeff() < 1e-9);
  }
}

TEST_CASE("why unknowns were not found is told until they are", "[ivp]") {
  // 0 = 1 before t = 1, and 0 = w - 2 then.
  ProblemFunctions of{.kind = Kind::invariants, .sizes = {.nq = 1, .nw = 1}};
  of.f = [](const Points& at, double* out) { std::fill_n(out, at.count, 0.0); };
  of.r = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) out[p] = at.t[p] < 1 ? 1 : at.w[p] - 2;
  };
  of.h = of.H = [](const Points&, double*) {};
  of.differences = true;
  const DaeProblemPtr problem = problem_from_functions(std::move(of));
  const InvariantKernel kernel(*problem);
  AlgebraicUnknowns<InvariantKernel> unknowns(kernel);
  unknowns.start(VecX::Zero(1));
  CHECK(unknowns.failure().empty());
  CHECK_FALSE(unknowns.solve(VecX::Zero(1), 0.5));
  CHECK_THAT(unknowns.failure(), contains_text("singular or not finite at t = 0.5"));
  REQUIRE(unknowns.solve(VecX::Zero(1), 2));
  CHECK(unknowns.w()[0] == Approx(2));
  CHECK(unknowns.failure().empty());
}

TEST_CASE("an infinite slope is none by which unknowns are found", "[ivp]") {
  // 0 = sqrt(w) - 10 from w = 0, where r over dr/dw is 0.
  OfOne root([](double, double w) { return std::sqrt(w) - 10; },
             [](double, double w) { return 0.5 / std::sqrt(w); }, 0);
  CHECK_FALSE(root.at(0));
  OfOne near([](double, double w) { return std::sqrt(w) - 10; },
             [](double, double w) { return 0.5 / std::sqrt(w); }, 1e-3);
  REQUIRE(near.at(0));
  CHECK(near.w() == Approx(100).epsilon(1e-12));
}

TEST_CASE("a linear equation is followed with the inverse of its start", "[ivp]") {
  // 0 = 2 w - z; all of these numbers are exact.
  OfOne linear([](double z, double w) { return 2 * w - z; }, [](double, double) { return 2; }, 0);
  REQUIRE(linear.at(4));
  // To the solution, and to see that it is one.
  CHECK(linear.w() == 2);
  CHECK(linear.evaluations == 2);
  CHECK(linear.jacobians == 2);
  REQUIRE(linear.at(4));  // Nothing is left to do.
  CHECK(linear.evaluations == 1);
  CHECK(linear.jacobians == 0);
  REQUIRE(linear.at(8));
  CHECK(linear.w() == 4);
  CHECK(linear.evaluations == 2);
  CHECK(linear.jacobians == 0);
  // Of how fast it comes nearer a part of 1e-4 is believed: a change of 1e-12 is then the last one,
  // that of 1e-10 is looked at once more.
  REQUIRE(linear.at(8 * (1 + 4e-12)));
  CHECK(linear.evaluations == 1);
  REQUIRE(linear.at(8 * (1 + 4e-10)));
  CHECK(linear.evaluations == 2);
  // A start forgets the inverse.
  linear.unknowns.start(VecX::Constant(1, 1));
  REQUIRE(linear.at(8));
  CHECK(linear.jacobians == 2);
}

TEST_CASE("an equation that is not linear is followed by secants, and anew where these are slow",
          "[ivp]") {
  const auto root = [](double from) {
    return OfOne([](double z, double w) { return w * w - z; },
                 [](double, double w) { return 2 * w; }, from);
  };
  OfOne square = root(1);
  REQUIRE(square.at(2));
  CHECK(square.w() == Approx(std::sqrt(2.0)).epsilon(1e-15));
  // Newton's changes from 1 are, relative to the larger of w and 1: 0.5, 0.06, 2e-3, 2e-6, 1e-12.
  CHECK(square.jacobians == 5);
  CHECK(square.evaluations == 5);
  for (const double z : {2.02, 2.04, 2.0, 1.9}) {
    CAPTURE(z);
    REQUIRE(square.at(z));
    CHECK(square.w() == Approx(std::sqrt(z)).epsilon(1e-15));
    CHECK(square.jacobians == 0);
    // Changes of a part of 0.01: each next one is, of the one before, as large as the two before.
    CHECK(square.evaluations >= 4);
    CHECK(square.evaluations <= 5);
  }
  // Far away the old inverse makes the second change more than half of the first.
  REQUIRE(square.at(40));
  CHECK(square.w() == Approx(std::sqrt(40.0)).epsilon(1e-15));
  CHECK(square.jacobians > 0);
}

TEST_CASE("a root of several equations that are one is found as far as so many steps lead",
          "[ivp]") {
  // Each step leaves a half of the distance to the double root, from 1; one of 1e-9 is the last.
  OfOne twice([](double, double w) { return w * w; }, [](double, double w) { return 2 * w; }, 1);
  REQUIRE(twice.at(0));
  CHECK(twice.jacobians == 30);
  CHECK(std::abs(twice.w()) < 1.1e-9);
  // And two thirds to a triple one, which is too slow.
  OfOne thrice([](double, double w) { return w * w * w; },
               [](double, double w) { return 3 * w * w; }, 1);
  CHECK_FALSE(thrice.at(0));
  CHECK(thrice.jacobians == 30);
  CHECK(thrice.evaluations == 31 + 3);  // Three tell whether what is left is rounding.
  CHECK(thrice.unknowns.w()[0] == 1);   // That found last is where the next search begins.
  CHECK_THAT(thrice.unknowns.failure(), contains_text("Newton's method does not converge"));
}

TEST_CASE("steps to a root are halved where neither r nor the next step falls", "[ivp]") {
  // From 3 Newton's steps for atan overshoot more and more, to where r asks for shorter ones in
  // units of where they lead to.
  OfOne arc([](double z, double w) { return std::atan(w - z); },
            [](double z, double w) { return 1 / (1 + (w - z) * (w - z)); }, 3);
  const bool found = arc.at(0);
  CAPTURE(arc.unknowns.failure(), arc.w());
  REQUIRE(found);
  CHECK(std::abs(arc.w()) < 1e-14);
  // One step of 12.5 is halved twice: from 3 to -0.12; then it is cubic.
  CHECK(arc.jacobians == 4);
  CHECK(arc.evaluations == 6);
  // Where there is no root, so many halvings are tried at the place where r is least.
  OfOne none([](double, double w) { return 1 + w * w; }, [](double, double w) { return 2 * w; },
             1e-3);
  CHECK_FALSE(none.at(0));
  CHECK(none.jacobians == 1);
  CHECK(none.evaluations == 1 + 13 + 3);
}

TEST_CASE("what a step that was not taken saw of unknowns is not their size", "[ivp]") {
  // 0 = w^3 + w - z; at w = 1 it is known to 1e-15.
  OfOne cubic([](double z, double w) { return w * w * w + w - z; },
              [](double, double w) { return 3 * w * w + 1; }, 1);
  REQUIRE(cubic.at(2));
  CHECK(cubic.w() == Approx(1).epsilon(1e-15));
  const auto stages_far_away = [&] {
    for (double z = 10; z < 3e24; z *= 10) REQUIRE(cubic.at(z));
    CHECK(cubic.w() == Approx(1e8).epsilon(0.1));
  };
  for (int i = 0; i < 3; ++i) {
    cubic.unknowns.tries_from(0);
    stages_far_away();
    // Beside 1e8, no change of w would be left to be made; and none is by dr/dw from there.
    cubic.unknowns.tries_from(0);
    CHECK(cubic.w() == Approx(1).epsilon(1e-15));
    REQUIRE(cubic.at(2.004));
    CHECK(std::abs(std::pow(cubic.w(), 3) + cubic.w() - 2.004) < 1e-14);
  }
  // That of one that was taken is.
  stages_far_away();
  const double last = cubic.w();
  cubic.unknowns.tries_from(1);
  cubic.unknowns.tries_from(1);
  CHECK(cubic.w() == last);
}

TEST_CASE("unknowns that begin as zeros are found of any size", "[ivp]") {
  for (const double K : {1.0, 1e8, 1.5e9, 1e40, 1e90}) {
    CAPTURE(K);
    OfOne pressure([K](double v, double p) { return p - K * (1 - v); },
                   [](double, double) { return 1; }, 0);
    const bool found = pressure.at(0.5);
    CAPTURE(pressure.unknowns.failure());
    REQUIRE(found);
    CHECK(pressure.w() == 0.5 * K);
  }
}

}  // namespace daewave::ivp
