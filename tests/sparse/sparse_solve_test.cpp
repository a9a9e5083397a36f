// Large sparse problems on small ones, whose solutions are known.

#include <cmath>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "sparse/consistent_start.hpp"
#include "sparse/regularized_step.hpp"
#include "sparse/solve.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using namespace daewave::sparse;

namespace {

/// With all entries, zeros too: the pattern does not depend on them.
SparseMatrix sparse_of(const MatX& dense) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < dense.rows(); ++i) {
    for (int j = 0; j < dense.cols(); ++j) entries.emplace_back(i, j, dense(i, j));
  }
  SparseMatrix sparse(dense.rows(), dense.cols());
  sparse.setFromTriplets(entries.begin(), entries.end());
  return sparse;
}

/// 2 x1' = -x1^3 - x2 y + ..., x2' = ... + x1 y, 0 = x1^2 + x2^2 - 1: x = (sin t, cos t), y = t,
/// with B = (x2, -x1)^T replaced by a constant matrix and the difference in f.
class Circle final : public SparseDae {
 public:
  explicit Circle(bool with_explicit) : explicit_(with_explicit) {
    M_ = sparse_of(MatX{{2.0, 0.0}, {0.0, 1.0}});
  }
  int nx() const override { return 2; }
  int ny() const override { return 1; }
  const SparseMatrix& M() const override { return M_; }
  void f(const VecX& x, double t, VecX& out) const override {
    const double s = std::sin(t), c = std::cos(t);
    // M x' + B y at the solution, and what is zero there.
    out = VecX{{2 * c + 3 * t - (std::pow(x[0], 3) - s * s * s), -s + t - (x[1] - c) * (1 + x[0])}};
    if (explicit_) out[1] -= std::cos(x[0]);
  }
  void f_jacobian(const VecX& x, double t, SparseMatrix& out) const override {
    out =
        sparse_of(MatX{{-3 * x[0] * x[0], 0.0},
                       {-(x[1] - std::cos(t)) + (explicit_ ? std::sin(x[0]) : 0.0), -(1 + x[0])}});
  }
  bool has_explicit() const override { return explicit_; }
  void e(const VecX& x, double, VecX& out) const override {
    out = VecX{{0.0, explicit_ ? std::cos(x[0]) : 0.0}};
  }
  void g(const VecX& x, double, VecX& out) const override { out = VecX{{x.squaredNorm() - 1}}; }
  void G(const VecX& x, double, SparseMatrix& out) const override {
    out = sparse_of(MatX{{2 * x[0], 2 * x[1]}});
  }
  std::optional<SparseMatrix> B() const override { return sparse_of(MatX{{3.0}, {1.0}}); }
  bool linear() const override { return false; }
  bool symmetric() const override { return false; }

 private:
  bool explicit_;
  SparseMatrix M_;
};

double circle_error(bool with_explicit, double h, double* of_y = nullptr) {
  const Solution solution = solve(Circle(with_explicit), VecX{{0.0, 1.0}}, {0, 1},
                                  {.h = h, .epsilon = 1e-6, .iterates = 2});
  REQUIRE(solution.report.usable());
  if (of_y != nullptr) *of_y = std::abs(solution.y[0] - 1);
  return largest_size(solution.x - VecX{{std::sin(1.0), std::cos(1.0)}});
}

}  // namespace

TEST_CASE("steps of sparse problems are of order 2, nonlinear and with a B of their own",
          "[sparse][AL2-2.12]") {
  for (const bool with_explicit : {false, true}) {
    double y1 = 0, y2 = 0;
    const double e1 = circle_error(with_explicit, 0.02, &y1);
    const double e2 = circle_error(with_explicit, 0.01, &y2);
    CHECK(std::log2(e1 / e2) == Approx(2).margin(0.3));
    CHECK(std::log2(y1 / y2) == Approx(2).margin(0.5));
  }
}

TEST_CASE("each iterate of a sparse step gains a factor epsilon in the constraint",
          "[sparse][AL2-2.12]") {
  const Circle circle(false);
  for (const double alpha1 : {0.0, 1.0}) {
    std::vector<double> drifts[2];
    for (const int k : {0, 1}) {
      const Solution solution = solve(circle, VecX{{0.0, 1.0}}, {0, 0.5},
                                      {.h = 0.05,
                                       .epsilon = k == 0 ? 4e-3 : 1e-3,
                                       .iterates = 3,
                                       .alpha1 = alpha1,
                                       .first = FirstMultiplier::zero,
                                       .newton_tolerance = 1e-13});
      REQUIRE(solution.report.usable());
      drifts[k] = solution.drifts.back();
    }
    // What the iterates before leave of g is damped from step to step by alpha2 alone.
    for (std::size_t s = 0; s < 3; ++s) {
      const double order = std::log(drifts[0][s] / drifts[1][s]) / std::log(4.0);
      CHECK(order > static_cast<double>(s) + 0.8);
    }
  }
}

TEST_CASE("a start is moved onto the constraint, or refused where that cannot be", "[sparse]") {
  const Circle circle(false);
  const ConsistentStart start = consistent_start(circle, VecX{{0.05, 1.1}}, 0);
  CHECK(start.drift < 1e-9);
  CHECK(start.moved < 0.2);
  CHECK(std::abs(start.x.squaredNorm() - 1) < 1e-9);
  CHECK_THROWS_WITH(consistent_start(circle, VecX{{1.0}}, 0), contains_text("nx = 2"));
  CHECK_THROWS_WITH(consistent_start(circle, VecX{{NAN, 1.0}}, 0), contains_text("not finite"));
}

TEST_CASE("constraints that contradict each other are told, those that repeat each other pass",
          "[sparse]") {
  // x' = -y1 - y2, 0 = x - t, 0 = x - t - e.
  class Twice final : public SparseDae {
   public:
    explicit Twice(double e) : e_(e), M_(sparse_of(MatX{{1.0}})) {}
    int nx() const override { return 1; }
    int ny() const override { return 2; }
    const SparseMatrix& M() const override { return M_; }
    void f(const VecX&, double, VecX& out) const override { out = VecX{{0.0}}; }
    void f_jacobian(const VecX&, double, SparseMatrix& out) const override {
      out = sparse_of(MatX{{0.0}});
    }
    void g(const VecX& x, double t, VecX& out) const override {
      out = VecX{{x[0] - t, x[0] - t - e_ * t}};
    }
    void G(const VecX&, double, SparseMatrix& out) const override {
      out = sparse_of(MatX{{1.0}, {1.0}});
    }
    bool linear() const override { return true; }
    bool symmetric() const override { return true; }

   private:
    double e_;
    SparseMatrix M_;
  };
  const Options options{.h = 0.01, .epsilon = 1e-4};
  const Solution agree = solve(Twice(0), VecX{{0.0}}, {0, 1}, options);
  REQUIRE(agree.report.usable());
  CHECK(agree.x[0] == Approx(1));
  CHECK(agree.y.sum() == Approx(-1).epsilon(1e-3));
  for (const int iterates : {1, 3}) {
    Options asked = options;
    asked.iterates = iterates;
    const Solution contradict = solve(Twice(1e-3), VecX{{0.0}}, {0, 1}, asked);
    CHECK(contradict.report.termination == Termination::singular_constraint);
    CHECK_THAT(contradict.report.message, contains_text("contradict each other"));
  }
}

TEST_CASE("the error in time is estimated by a run with twice the step", "[sparse]") {
  // 51: half as many are not whole.
  for (const double steps : {50.0, 51.0}) {
    const Solution solution =
        solve(Circle(false), VecX{{0.0, 1.0}}, {0, 1},
              {.h = 1 / steps, .epsilon = 1e-6, .iterates = 2, .estimate_error = true});
    const double error = largest_size(solution.x - VecX{{std::sin(1.0), std::cos(1.0)}});
    REQUIRE(solution.report.error.available);
    // The largest x of the run is 1.
    CHECK(solution.report.error.x == Approx(error).epsilon(0.5));
  }
}

TEST_CASE("the error in time of few steps is estimated as well", "[sparse]") {
  for (const int steps : {2, 3, 4, 5, 7, 8, 9, 11}) {
    const Solution solution =
        solve(Circle(false), VecX{{0.0, 1.0}}, {0, 1},
              {.h = 1.0 / steps, .epsilon = 1e-6, .iterates = 2, .estimate_error = true});
    const ErrorEstimate& claimed = solution.report.error;
    REQUIRE(claimed.available);
    const double of_x = largest_size(solution.x - VecX{{std::sin(1.0), std::cos(1.0)}});
    const double of_y = std::abs(solution.y[0] - 1);
    CHECK(claimed.x > 0.5 * of_x);
    CHECK(claimed.x < 10 * of_x);
    CHECK(claimed.By > 0.5 * of_y / largest_size(solution.y));
    CHECK(claimed.By < 20 * of_y / largest_size(solution.y));
  }
}

TEST_CASE("the estimated error has what iterates leave", "[sparse]") {
  for (const double epsilon : {0.1, 0.3}) {
    for (const int steps : {4, 100}) {
      const Solution solution =
          solve(Circle(false), VecX{{0.0, 1.0}}, {0, 1},
                {.h = 1.0 / steps, .epsilon = epsilon, .iterates = 1, .estimate_error = true});
      const double error = largest_size(solution.x - VecX{{std::sin(1.0), std::cos(1.0)}});
      REQUIRE(solution.report.error.available);
      CHECK(solution.report.error.x > 0.5 * error);
      CHECK(solution.report.error.x < 10 * error);
    }
  }
}

TEST_CASE("options of sparse problems are refused with the rule", "[sparse]") {
  const auto refuses = [](const Options& options, const char* said) {
    CHECK_THROWS_WITH(check(options, Interval{0, 1}), contains_text(said));
  };
  refuses({.h = 0}, "h = 0");
  refuses({.h = 1e-12}, "below 1e-9 of the interval");
  refuses({.h = 0.1, .epsilon = 0}, "epsilon = 0");
  refuses({.h = 0.1, .iterates = 0}, "iterates = 0");
  refuses({.h = 0.1, .alpha1 = -1}, "alpha1 = -1");
  refuses({.h = 0.1, .alpha1 = 0, .alpha2 = 0}, "alpha2 = 0");
  refuses({.h = 0.1, .steady = NAN}, "steady");
  CHECK_THROWS_AS(check({.h = 0.1}, Interval{1, 1}), InvalidOption);
}
