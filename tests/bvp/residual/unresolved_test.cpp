// What stages have not seen is found between them: where, and to rounding where it jumps.

#include "bvp/residual/unresolved.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "bvp/mesh/fixed_nodes.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// p' - f, where p' is the polynomial through f at the stages.
Residual residual_of(const Mesh& mesh, const Collocation& scheme,
                     const std::function<double(double)>& f) {
  return [=](int i, const Places& at, ResidualValues& found) {
    const auto points = static_cast<Eigen::Index>(at.t.size());
    VecX stages(scheme.stages);
    for (int j = 0; j < scheme.stages; ++j) {
      stages[j] =
          f(scheme.c[j] == 1 ? mesh.node(i + 1) : mesh.node(i) + scheme.c[j] * mesh.step(i));
    }
    found.values = (at.values() * stages).transpose();
    found.sizes = found.values.cwiseAbs();
    for (Eigen::Index p = 0; p < points; ++p) {
      const double here = f(at.t[static_cast<std::size_t>(p)]);
      found.values(0, p) -= here;
      found.sizes(0, p) += std::abs(here);
    }
  };
}

ResidualLimits limits(double integral) {
  constexpr double none = std::numeric_limits<double>::infinity();
  return {VecX::Constant(1, integral), VecX::Constant(1, none), 1};
}

Unresolved look(const Mesh& mesh, const Collocation& scheme, const std::function<double(double)>& f,
                double integral, int samples = 1) {
  return unresolved(mesh, scheme, StagePolynomials(scheme.c), residual_of(mesh, scheme, f),
                    limits(integral), samples, 1000);
}

}  // namespace

TEST_CASE("a jump between any two stages is found to rounding", "[residual]") {
  const Mesh mesh = uniform_mesh(0, 1, 7);
  for (const Scheme family : {Scheme::gauss, Scheme::radau, Scheme::lobatto}) {
    for (const int stages : {2, 3, 4}) {
      const Collocation scheme = collocation(family, stages);
      for (int i = 1; i < 60; ++i) {
        const double c = i == 30 ? 3.0 / 7 : i / 60.0;
        const Unresolved seen = look(
            mesh, scheme, [c](double t) { return t < c ? 2.0 : -1; }, 1e-9);
        INFO(name_of(family) << " of " << stages << ", jump at " << c);
        // At a node Gauss sees both sides, each from its own interval.
        if (family == Scheme::gauss && i == 30) {
          CHECK_FALSE(seen.any());
          continue;
        }
        REQUIRE(seen.any());
        REQUIRE_FALSE(seen.jumps.empty());
        CHECK(std::abs(seen.jumps.back() - c) <= 1e-15);
        const Mesh with = with_nodes(mesh, seen.nodes, seen.jumps);
        CHECK_FALSE(look(
                        with, scheme, [c](double t) { return t < c ? 2.0 : -1; }, 1e-9)
                        .any());
      }
    }
  }
}

TEST_CASE("jumps of several intervals are each found to rounding", "[residual]") {
  const Mesh mesh = uniform_mesh(0, 1, 7);
  const std::vector<double> at{0.031, 0.3456, 0.637, 0.95};
  const auto steps = [&](double t) {
    double sum = std::exp(t);
    for (const double c : at) sum += t < c ? 0 : 1;
    return sum;
  };
  for (const Scheme family : {Scheme::gauss, Scheme::radau, Scheme::lobatto}) {
    for (const int stages : {2, 3, 4}) {
      const Unresolved seen = look(mesh, collocation(family, stages), steps, 1e-9);
      INFO(name_of(family) << " of " << stages);
      CAPTURE(seen.jumps);
      const auto nearest = [](double t, const std::vector<double>& others) {
        double least = INFINITY;
        for (const double other : others) least = std::min(least, std::abs(t - other));
        return least;
      };
      for (const double c : at) CHECK(nearest(c, seen.jumps) <= 1e-15);
      // Those with a stage at each end tell both sides.
      for (const double jump : seen.jumps) CHECK(nearest(jump, at) <= 1e-12);
    }
  }
}

TEST_CASE("a jump close to a node is found while it matters", "[residual]") {
  const Mesh mesh = uniform_mesh(0, 1, 10);
  const Collocation scheme = collocation(Scheme::gauss, 3);
  for (const double beside : {1e-2, 1e-4, 1e-6, 1e-8}) {
    for (const double c : {0.3 - beside, 0.3 + beside}) {
      const Unresolved seen = look(
          mesh, scheme, [c](double t) { return t < c ? 2.0 : -1; }, 1e-9);
      REQUIRE(seen.jumps.size() == 1);
      CHECK(std::abs(seen.jumps[0] - c) <= 1e-15);
    }
  }
}

TEST_CASE("of a smooth right side nothing is left, long before it is resolved to the limit",
          "[residual]") {
  const auto smooth = [](double t) { return std::exp(t) * std::sin(3 * t); };
  for (const int stages : {2, 3, 4, 5}) {
    CHECK_FALSE(
        look(uniform_mesh(0, 1, 40), collocation(Scheme::gauss, stages), smooth, 1e-6).any());
  }
}

TEST_CASE("noise jumps everywhere, which is no jump", "[residual]") {
  // Of each number its own, as of tables that end after some digits.
  const auto noise = [](double t) { return std::sin(1e9 * t + 1e3 * std::sin(1e7 * t)); };
  const Mesh mesh = uniform_mesh(0, 1, 5);
  for (const int stages : {2, 3, 4}) {
    const Unresolved seen = look(
        mesh, collocation(Scheme::gauss, stages),
        [&](double t) { return std::sin(t) + 1e-3 * noise(t * 1e6); }, 1e-9);
    CAPTURE(stages, seen.jumps.size());
    CHECK(seen.any());
    CHECK(seen.jumps.empty());
  }
}

TEST_CASE(
    "a peak between all stages is met by enough samples, and resolved by the nodes it asks for",
    "[residual]") {
  const Collocation scheme = collocation(Scheme::gauss, 3);
  const Mesh mesh = uniform_mesh(0, 1, 4);
  const auto peak = [](double t) { return std::exp(-std::pow((t - 0.7071) / 3e-4, 2)); };
  CHECK_FALSE(look(mesh, scheme, peak, 1e-7).any());
  const Unresolved seen = look(mesh, scheme, peak, 1e-7, 1000);
  CHECK(seen.any());
  CHECK(seen.jumps.empty());
  CHECK(std::abs(seen.at - 0.7071) < 0.25);
  const Mesh with = with_nodes(mesh, seen.nodes, seen.jumps);
  CHECK(with.intervals() < 200);
  CHECK_FALSE(look(with, scheme, peak, 1e-7, 1000).any());
}

TEST_CASE("between the sides of a jump a residual counts where times far from zero part them",
          "[residual]") {
  const Collocation scheme = collocation(Scheme::gauss, 2);
  constexpr double of_integral = 1e-6;
  // Of 3 and -4 between the sides, and of nothing elsewhere.
  const Residual residual = [](int i, const Places& at, ResidualValues& found) {
    const auto points = static_cast<Eigen::Index>(at.t.size());
    found.values.setZero(1, points);
    found.sizes.setOnes(1, points);
    if (i == 1) found.values.setConstant(3);
    if (i == 1) found.values(0, points / 2) = -4;
  };
  const auto integrals = [&](double begin, double apart) {
    const Mesh mesh({begin, begin + 0.4, begin + 0.4 + apart, begin + 1});
    CAPTURE(begin, apart);
    REQUIRE(is_between_sides(mesh, 1));
    const Unresolved seen = unresolved(mesh, scheme, StagePolynomials(scheme.c), residual,
                                       limits(of_integral), 1, 1000);
    CHECK(seen.integral[0] == 0);
    CHECK(seen.integral[2] == 0);
    CHECK(seen.nodes.empty());
    return std::pair(seen.integral[1], mesh.step(1) * 4 / of_integral);
  };
  for (const double begin : {1e5, -3e6}) {
    const auto [told, expected] = integrals(begin, 2e-9);
    CHECK(told > 1e-3);
    CHECK(told == Approx(expected));
  }
  // Closer ones are an error of nothing.
  CHECK(integrals(0, 2e-12).first == 0);
}

}  // namespace daewave::bvp
