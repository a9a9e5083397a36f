// Right sides of ordinary equations in SIMD lanes, against their points one by one.

#include "core/adapt/lane_right_side.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

/// A rope that hangs and swings: f alone.
struct Rope {
  using State = Vec<3>;
  template <class T>
  VecOf<T, 3> f(const VecOf<T, 3>& x, const T& t) const {
    using std::cos, std::exp, std::sin;
    return {x[1] * cos(t), sin(x[0]) - x[2] * x[2], exp(-x[1] * x[1]) * t};
  }
};

/// The same with its derivative by hand.
struct RopeByHand : Rope {
  template <class T>
  MatOf<T, 3, 3> f_x(const VecOf<T, 3>& x, const T& t) const {
    using std::cos, std::exp;
    MatOf<T, 3, 3> J;
    J << T(0.0), cos(t), T(0.0), cos(x[0]), T(0.0), -2 * x[2], T(0.0),
        -2 * x[1] * exp(-x[1] * x[1]) * t, T(0.0);
    return J;
  }
};

/// One that chooses by `if`, and cannot be in lanes.
struct Switched {
  using State = Vec<1>;
  Vec<1> f(const Vec<1>& x, double t) const { return t < 0.5 ? Vec<1>(-x) : x; }
};

/// A size that is known where the program runs.
struct Row {
  using State = SmallVec;
  template <class T>
  Eigen::Matrix<T, Dynamic, 1, Eigen::ColMajor, most_on_stack, 1> f(
      const Eigen::Matrix<T, Dynamic, 1, Eigen::ColMajor, most_on_stack, 1>& x, const T& t) const {
    Eigen::Matrix<T, Dynamic, 1, Eigen::ColMajor, most_on_stack, 1> slope = x;
    for (int i = 1; i < x.size(); ++i) slope[i] = x[i - 1] * x[i] - t;
    return slope;
  }
};

template <class P>
std::unique_ptr<Evaluation> in_lanes(const P& problem, int nq) {
  Sizes sizes;
  sizes.nq = nq;
  return std::unique_ptr<Evaluation>(right_side_lanes_of<P>().of_one(problem, sizes));
}

/// Largest relative difference of batches of a struct in lanes from its points alone; what lies
/// between the points is not read.
template <class P>
double gap(const P& problem, const DaeProblem& alone, Ask what) {
  const int n = alone.sizes().nq;
  const auto lanes = in_lanes(problem, n), one_by_one = alone.evaluation();
  double largest = 0;
  for (const int count : {1, 2, 3, 4, 5, 7, 8, 9, 15, 33, 2}) {
    const int stride = count + 2;
    std::vector<double> t, x(static_cast<std::size_t>(n * stride), NAN);
    for (int p = 0; p < count; ++p) {
      t.push_back(0.1 + 0.07 * p);
      for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i * stride + p)] = std::sin(i + p);
    }
    const Terms& found =
        lanes->evaluate(what, {count, stride, t.data(), x.data(), nullptr, nullptr});
    CHECK((found.f != nullptr) == asks(what, Ask::f));
    CHECK((found.f_q != nullptr) == asks(what, Ask::f_q));
    CHECK(found.stride >= count);
    for (int p = 0; p < count; ++p) {
      std::vector<double> point;
      for (int i = 0; i < n; ++i) point.push_back(x[static_cast<std::size_t>(i * stride + p)]);
      const Terms& one = one_by_one->evaluate(
          what, {1, 1, &t[static_cast<std::size_t>(p)], point.data(), nullptr, nullptr});
      const auto compare = [&](const double* a, const double* b, int size) {
        for (int i = 0; i < size; ++i) {
          const double here = std::abs(a[i * found.stride + p] - b[i]) / (1 + std::abs(b[i]));
          largest = std::isnan(here) ? here : std::max(largest, here);
        }
      };
      if (asks(what, Ask::f)) compare(found.f, one.f, n);
      if (asks(what, Ask::f_q)) compare(found.f_q, one.f_q, n * n);
    }
  }
  return largest;
}

constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();

}  // namespace

TEST_CASE("right sides in lanes have the values of points, however many there are", "[lanes]") {
  CHECK(gap(Rope{}, *problem_of(Rope{}), Ask::f) < rounding);
  const VecX state = VecX::LinSpaced(5, -1, 1);
  CHECK(gap(Row{}, *problem_of(Row{}, state), Ask::f) < rounding);
}

TEST_CASE("derivatives of right sides in lanes are those by hand, alone and with values",
          "[lanes]") {
  const DaeProblemPtr alone = problem_of(RopeByHand{});
  CHECK(gap(RopeByHand{}, *alone, Ask::f | Ask::f_q) < rounding);
  CHECK(gap(RopeByHand{}, *alone, Ask::f_q) < rounding);
}

TEST_CASE("right sides are differentiated in lanes where with_autodiff() says so", "[lanes]") {
  const auto rope = with_autodiff(Rope{});
  CHECK(gap(rope, *problem_of(RopeByHand{}), Ask::f | Ask::f_q) < rounding);
  CHECK(gap(rope, *problem_of(rope), Ask::f_q) < rounding);
}

TEST_CASE("a right side has lanes where they are asked for, and problems with them solve as others",
          "[lanes]") {
  static_assert(detail::RightSideInLanesOf<Rope, Lanes<4>>);
  static_assert(!detail::RightSideInLanesOf<Switched, Lanes<4>>);
  CHECK(problem_of(Rope{})->lanes() == 1);
  const DaeProblemPtr with = problem_of(RopeByHand{}, right_side_lanes_of<RopeByHand>());
  CHECK(with->lanes() == CompiledSimd::numbers);
  CHECK(with->structure().has_f_jacobian);
  CHECK(with->sizes().nq == 3);
}

TEST_CASE("right sides in lanes keep the numbers of one point from those of another", "[lanes]") {
  const auto lanes = in_lanes(Rope{}, 3);
  constexpr int count = 6;
  std::vector<double> t(count, 0.5), x(3 * count, 0.25);
  x[2] = NAN;  // Of the third point.
  const Terms& found =
      lanes->evaluate(Ask::f, {count, count, t.data(), x.data(), nullptr, nullptr});
  for (int p = 0; p < count; ++p) {
    CAPTURE(p);
    CHECK(std::isnan(found.f[found.stride + p]) == (p == 2));
  }
}

}  // namespace daewave
