// Sparse problems in small and large units of their unknowns.

#include <cmath>
#include <cstdlib>

#include "core/not_finite.hpp"
#include "sparse/consistent_start.hpp"
#include "sparse/solve.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using namespace daewave::sparse;

namespace {

constexpr double pico = 1e-12;  ///< m^3 / s, what flows in the network are.

/// Three pipes in a triangle, between a reservoir and two nodes that water is taken from:
///   I q' = p_a - p_b - R q |q|,  0 = q_1 - q_3 - d(t),  0 = q_2 + q_3 - 2 d(t),
/// q of about 1e-12 m^3 / s in a unit of flow that is given, pressures in Pa.
class Triangle final : public SparseDae {
 public:
  /// @param contradicts  A third row asks as much more of the first node.
  explicit Triangle(double unit, double contradicts = 0, double demand = pico)
      : unit_(unit), contradicts_(contradicts), demand_(demand) {
    M_ = SparseMatrix(MatX(MatX::Identity(3, 3) * 1e15 * unit).sparseView());
    G_ = contradicts == 0 ? SparseMatrix(MatX{{1, 0, -1}, {0, 1, 1}}.sparseView())
                          : SparseMatrix(MatX{{1, 0, -1}, {0, 1, 1}, {1, 0, -1}}.sparseView());
  }
  int nx() const override { return 3; }
  int ny() const override { return static_cast<int>(G_.rows()); }
  const SparseMatrix& M() const override { return M_; }
  void f(const VecX& q, double, VecX& out) const override {
    out.resize(3);
    for (int i = 0; i < 3; ++i) {
      const double flow = q[i] * unit_;
      out[i] = (i < 2 ? 1e5 : 0) - 1e27 * (1 + i) * flow * std::abs(flow);
    }
  }
  void f_jacobian(const VecX& q, double, SparseMatrix& out) const override {
    out = SparseMatrix(3, 3);
    for (int i = 0; i < 3; ++i) {
      out.insert(i, i) = -2e27 * (1 + i) * std::abs(q[i] * unit_) * unit_;
    }
    out.makeCompressed();
  }
  void g(const VecX& q, double t, VecX& out) const override {
    const double taken = demand_ / unit_ * (1 - std::exp(-t));
    out = G_ * q;
    out[0] -= taken;
    out[1] -= 2 * taken;
    if (contradicts_ != 0) out[2] -= (1 + contradicts_) * taken;
  }
  void G(const VecX&, double, SparseMatrix& out) const override { out = G_; }
  bool linear() const override { return false; }
  bool symmetric() const override { return false; }

 private:
  double unit_, contradicts_, demand_;
  SparseMatrix M_, G_;
};

Solution solved(const Triangle& network, double epsilon) {
  return solve(network, VecX::Zero(3), {0, 1}, {.h = 0.02, .epsilon = epsilon});
}

}  // namespace

TEST_CASE("what a network of pipes comes to does not depend on the unit of flow", "[sparse]") {
  const Solution own = solved(Triangle(pico), 1e-6);
  REQUIRE(own.report.usable());
  for (const double unit : {1e-18, 1e-9, 1.0, 1e6}) {
    const Solution other = solved(Triangle(unit), 1e-6 * pico / unit);
    REQUIRE(other.report.usable());
    CHECK(largest_size(other.x * (unit / pico) - own.x) < 1e-7);
    CHECK(largest_size(other.y - own.y) < 1e-7 * largest_size(own.y));
    CHECK(other.report.linear_solve.solves == own.report.linear_solve.solves);
    const Solution contradict = solved(Triangle(unit, 0.1), 1e-6 * pico / unit);
    CHECK(contradict.report.termination == Termination::singular_constraint);
    CHECK_THAT(contradict.report.advice, contains_text("no epsilon"));
  }
}

TEST_CASE("an epsilon that is far too large for the unit of flow is refused with one that works",
          "[sparse]") {
  const Solution own = solved(Triangle(pico), 1e-6);
  for (const double epsilon : {1.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-14}) {
    const Triangle network(1);
    const Solution refused = solved(network, epsilon);
    CHECK(refused.report.termination == Termination::singular_constraint);
    const std::string advice = refused.report.advice, words = "take epsilon = ";
    REQUIRE_THAT(advice, contains_text(words));
    const double advised = std::atof(advice.c_str() + advice.find(words) + words.size());
    const Solution followed = solved(network, advised);
    REQUIRE(followed.report.usable());
    CHECK(largest_size(followed.x / pico - own.x) < 1e-4);
    CHECK(largest_size(followed.y - own.y) < 1e-4 * largest_size(own.y));
  }
}

TEST_CASE("a network at rest, whose forces are held by pressures, is no contradiction",
          "[sparse]") {
  for (const double unit : {1e-12, 1.0, 1e6}) {
    for (const double epsilon : {1e-6, 1e-9, 1e-12}) {
      const Solution rest = solved(Triangle(unit, 0, 0), epsilon * pico / unit);
      REQUIRE(rest.report.usable());
      CHECK(largest_size(rest.y - VecX::Constant(2, 1e5)) < 1e-7 * 1e5);
    }
  }
}

TEST_CASE("a start in a large unit is moved onto the constraint as well", "[sparse]") {
  const ConsistentStart start = consistent_start(Triangle(1), VecX::Zero(3), 1);
  CHECK(start.drift < 1e-9 * pico);
  CHECK(start.drift_before == Approx(2 * pico * (1 - std::exp(-1.0))));
  CHECK(start.x[1] + start.x[2] == Approx(start.drift_before));
  CHECK_THROWS_WITH(consistent_start(Triangle(1, 0.1), VecX::Zero(3), 1),
                    contains_text("cannot be met"));
}
