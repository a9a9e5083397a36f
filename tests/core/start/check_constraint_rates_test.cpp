// Derivatives in time that linear problems give, and such as only seem to be wrong.

#include "core/start/check_constraint_rates.hpp"

#include <cmath>

#include "core/derivatives/linear_derivatives.hpp"
#include "core/error.hpp"
#include "core/problem/linear_dae.hpp"
#include "problems/al1.hpp"
#include "problems/ap91.hpp"
#include "problems/lin.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

/// A constraint that moves fast, hardly, or not at all, in small and large units.
struct Moving {
  double rate = 1, unit = 1, offset = 0, wrong = 0, wrong_r = 0;
  Interval span{0, 1};

  std::string name() const { return "moving"; }
  Interval interval() const { return span; }
  Mat<2, 2> A(double) const { return Mat<2, 2>::Zero(); }
  Vec<2> B(double) const { return {1, 0}; }
  Vec<2> q(double) const { return {0, 0}; }
  Mat<1, 2> C(double t) const { return unit * Mat<1, 2>{offset + std::sin(rate * t), 2}; }
  Vec<1> r(double t) const { return Vec<1>{unit * std::cos(rate * t)}; }
  Mat<1, 2> C_t(double t) const {
    return unit * Mat<1, 2>{(1 + wrong) * rate * std::cos(rate * t), 0};
  }
  Vec<1> r_t(double t) const { return Vec<1>{-unit * (1 + wrong_r) * rate * std::sin(rate * t)}; }
  Boundary boundary() const { return initial_conditions(MatX{{0, 1}}, VecX::Constant(1, 1.0)); }
};

template <class P>
void check_of(const P& problem) {
  check_constraint_rates(*erase(problem));
}

}  // namespace

TEST_CASE("derivatives of linear constraints that contradict them are refused with the entry",
          "[linear][refused]") {
  for (const double rate : {1e-3, 1.0, 30.0, 1e4}) {
    for (const double unit : {1e-12, 1.0, 1e12}) {
      for (const Interval span :
           {Interval{0, 1}, Interval{-1e-3, 1e-3}, Interval{0, 1e3}, Interval{1e6, 1e6 + 1}}) {
        CAPTURE(rate, unit, span.begin, span.end);
        const Moving good{.rate = rate, .unit = unit, .offset = 3, .span = span};
        CHECK_NOTHROW(check_of(good));
        if (rate * span.length() > 30) continue;
        for (const double by : {0.2, -0.3, -2.0}) {
          Moving wrong = good, wrong_r = good;
          wrong.wrong = wrong_r.wrong_r = by;
          CAPTURE(by);
          CHECK_THROWS_AS(check_of(wrong), InvalidProblem);
          // Where the cosine is flat, r_t is as small as rounding.
          if (rate * span.length() > 1e-4) CHECK_THROWS_AS(check_of(wrong_r), InvalidProblem);
        }
      }
    }
  }
  CHECK_THROWS_WITH(check_of(Moving{.wrong = 1}), contains_text("C_t row 1, column 1"));
  CHECK_THROWS_WITH(check_of(Moving{.wrong_r = 1}),
                    contains_text("r_t row 1") && contains_text("with_differences()"));
}

TEST_CASE("of times so far away that few are told apart nothing is said", "[linear]") {
  for (const double end : {1e9, 1e12, 1e17, 1e300}) {
    for (const double rate : {1e-3, 1.0, 1e3}) {
      CAPTURE(end, rate);
      CHECK_NOTHROW(check_of(Moving{.rate = rate, .span = {0, end}}));
      CHECK_NOTHROW(check_of(Moving{.rate = rate, .span = {-end, end}}));
    }
  }
  CHECK_NOTHROW(check_of(problems::Lin{.t_end = 1e300}));
}

TEST_CASE("waves that are shorter than steps contradict nothing, nor what is not finite",
          "[linear]") {
  struct Wavy : Moving {
    double width = 1, phase = 0;
    Vec<1> r(double t) const { return Vec<1>{t + 0.3 * width * std::sin(t / width + phase)}; }
    Vec<1> r_t(double t) const { return Vec<1>{1 + 0.3 * std::cos(t / width + phase)}; }
  };
  for (const double width : {1e-2, 1e-4, 1e-6, 1e-7}) {
    for (int i = 0; i < 300; ++i) {
      Wavy wavy;
      wavy.width = width;
      wavy.phase = 0.02 * i;
      CAPTURE(width, i);
      CHECK_NOTHROW(check_of(wavy));
    }
  }
  struct Hollow : Moving {
    Vec<2> q(double t) const { return Vec<2>::Constant(t > 0.5 ? std::nan("") : 0); }
  };
  CHECK_NOTHROW(check_of(Hollow{}));
}

TEST_CASE("derivatives of the problems of papers are right, and differences too", "[linear]") {
  CHECK_NOTHROW(check_of(problems::Ap91{.lambda = 50}));
  CHECK_NOTHROW(check_of(problems::Al1Example1{}));
  CHECK_NOTHROW(check_of(problems::Lin{.t_end = 1000}));
  CHECK_NOTHROW(check_of(with_differences(problems::Ap91{.lambda = 50})));
}

}  // namespace daewave
