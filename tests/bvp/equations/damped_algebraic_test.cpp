// Roots w of r(w) = 0 from where Newton's method alone does not come to them.

#include "bvp/equations/damped_algebraic.hpp"

#include <cmath>
#include <functional>
#include <vector>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// Terms of points whose r and dr/dw are functions of w and of the number of the point.
class Asked {
 public:
  using At = std::function<void(int p, const VecX& w, VecX& r, MatX& r_w)>;
  Asked(int nw, int count, int stride, At at)
      : nw_(nw), count_(count), stride_(stride), at_(std::move(at)) {}

  const Terms& operator()(const double* w) {
    ++times;
    r_.assign(static_cast<std::size_t>(nw_ * stride_), 0);
    r_w_.assign(static_cast<std::size_t>(nw_ * nw_ * stride_), 0);
    VecX here(nw_), r(nw_);
    MatX J(nw_, nw_);
    for (int p = 0; p < count_; ++p) {
      for (int i = 0; i < nw_; ++i) here[i] = w[i * stride_ + p];
      at_(p, here, r, J);
      for (int i = 0; i < nw_; ++i) r_[static_cast<std::size_t>(i * stride_ + p)] = r[i];
      for (int k = 0; k < nw_ * nw_; ++k) {
        r_w_[static_cast<std::size_t>(k * stride_ + p)] = J(k % nw_, k / nw_);
      }
    }
    terms_.stride = stride_;
    terms_.r = r_.data();
    terms_.r_w = r_w_.data();
    return terms_;
  }

  int times = 0;

 private:
  int nw_, count_, stride_;
  At at_;
  std::vector<double> r_, r_w_;
  Terms terms_;
};

}  // namespace

TEST_CASE("a cubic's root is found from where the first step leads far beyond it", "[algebraic]") {
  const std::vector<double> roots{0, 1e-3, -7, 829, -1e5, 3e7};
  const int count = static_cast<int>(roots.size()), stride = count + 2;
  Asked asked(1, count, stride, [&](int p, const VecX& w, VecX& r, MatX& r_w) {
    const double root = roots[static_cast<std::size_t>(p)];
    r[0] = w[0] - root + (std::pow(w[0], 3) - std::pow(root, 3));
    r_w(0, 0) = 1 + 3 * w[0] * w[0];
  });
  std::vector<double> w(static_cast<std::size_t>(stride), 0.0);
  DampedAlgebraic damped(1);
  REQUIRE(damped.find(count, stride, std::ref(asked), w.data()) == -1);
  for (int p = 0; p < count; ++p) {
    CHECK(w[static_cast<std::size_t>(p)] ==
          Approx(roots[static_cast<std::size_t>(p)]).epsilon(1e-12).margin(1e-12));
  }
  CHECK(asked.times <= 50);
}

TEST_CASE("units of rows and unknowns do not matter to which roots are found", "[algebraic]") {
  // atan(u) = 1, which Newton's method leaves from u = 3, and v + u^3 = 2.
  std::vector<VecX> found;
  for (const double unit : {1.0, 1e6}) {
    Asked asked(2, 2, 2, [&](int p, const VecX& w, VecX& r, MatX& r_w) {
      const double u = w[0], v = w[1] / unit;
      r = VecX{{unit * (std::atan(u) - 1), v + u * u * u - 2 - p}};
      r_w = MatX{{unit / (1 + u * u), 0}, {3 * u * u, 1 / unit}};
    });
    std::vector<double> w{3, -30, 0, 0};
    DampedAlgebraic damped(2);
    REQUIRE(damped.find(2, 2, std::ref(asked), w.data()) == -1);
    for (int p = 0; p < 2; ++p) {
      const auto here = static_cast<std::size_t>(p);
      CHECK(w[here] == Approx(std::tan(1.0)).epsilon(1e-12));
      CHECK(w[here + 2] / unit == Approx(2 + p - std::pow(std::tan(1.0), 3)).epsilon(1e-11));
    }
  }
}

TEST_CASE("the point at which there is no root is told", "[algebraic]") {
  const auto find = [](const Asked::At& at, double from) {
    Asked asked(1, 3, 3, at);
    std::vector<double> w(3, from);
    DampedAlgebraic damped(1);
    return damped.find(3, 3, std::ref(asked), w.data());
  };
  const auto square = [](double constant) {
    return [constant](int p, const VecX& w, VecX& r, MatX& r_w) {
      r[0] = w[0] * w[0] + (p == 1 ? constant : -4);
      r_w(0, 0) = 2 * w[0];
    };
  };
  CHECK(find(square(-4), 5) == -1);
  CHECK(find(square(1), 5) == 1);
  // dr/dw is singular where the method starts, or something is no number.
  CHECK(find(square(-4), 0) == 0);
  CHECK(find(square(NAN), 5) == 1);
}

}  // namespace daewave::bvp
