#include "core/derivatives/linear_derivatives.hpp"

#include <cmath>

#include "core/problem/linear_dae.hpp"
#include "problems/al1.hpp"
#include "problems/ap91.hpp"
#include "problems/lin.hpp"
#include "tests/catch.hpp"
#include "tests/core/manufactured_dae.hpp"

namespace daewave {
namespace {

/// Derivatives by differences against those the problem gives, in the whole interval.
template <class P>
void check_differences(const P& problem, double accuracy) {
  const auto by_differences = with_differences(problem);
  const Interval span = problem.interval();
  for (const double part : {0.0, 1e-7, 1e-3, 0.02, 0.37, 0.5, 0.98, 0.9999, 1.0}) {
    const double t = part == 1.0 ? span.end : span.begin + part * span.length();
    CAPTURE(t);
    CHECK((MatX(by_differences.C_t(t)) - MatX(problem.C_t(t))).cwiseAbs().maxCoeff() < accuracy);
    CHECK((VecX(by_differences.r_t(t)) - VecX(problem.r_t(t))).cwiseAbs().maxCoeff() < accuracy);
  }
}

}  // namespace

TEST_CASE("differences are accurate to 1e-9, at the ends of the interval too", "[derivatives]") {
  check_differences(problems::Al1Example1{}, 1e-9);
  check_differences(problems::Ap91{50}, 1e-9);
  check_differences(problems::Lin{100}, 1e-9);
  check_differences(problems::LinBlocks{30, 2}, 1e-9);
}

TEST_CASE("nothing outside the interval is asked for", "[derivatives]") {
  struct Guarded : problems::Al1Example1 {
    Mat<1, 2> C(double t) const {
      if (t < 0 || t > 1) return {NAN, NAN};
      return problems::Al1Example1::C(t);
    }
  };
  const auto problem = with_differences(Guarded{});
  for (const double t : {0.0, 1e-9, 0.019, 0.5, 0.981, 1 - 1e-9, 1.0}) {
    CHECK(problem.C_t(t).allFinite());
  }
}

TEST_CASE("differences are as good on short intervals, and ask for nothing outside of them",
          "[derivatives]") {
  struct Fast : problems::Al1Example1 {
    double length = 1;
    Interval interval() const { return {0, length}; }
    Mat<1, 2> C(double t) const {
      if (t < 0 || t > length) return {NAN, NAN};
      return {std::sin(t / length), 1};
    }
  };
  for (const double length : {1e-6, 1e-3, 1.0}) {
    Fast fast;
    fast.length = length;
    const auto problem = with_differences(fast);
    for (const double part : {0.0, 0.01, 0.4, 0.99, 1.0}) {
      CAPTURE(length, part);
      const double t = part * length;
      CHECK(length * problem.C_t(t)(0, 0) == Approx(std::cos(part)).epsilon(1e-8));
      CHECK(std::abs(length * problem.C_t(t)(0, 1)) < 1e-8);
    }
  }
}

TEST_CASE("a problem with differences is the problem with derivatives", "[derivatives]") {
  const auto plain = testing::random_symmetric_dae(3, 1, 81);
  CHECK_FALSE(erase(plain)->has_constraint_derivatives());
  const auto erased = erase(with_differences(plain));
  CHECK(erased->has_constraint_derivatives());
  CHECK(erased->name() == plain.name());
  CHECK(erased->nx() == 3);
}

}  // namespace daewave
