// What residuals in one equation do to other components, and sizes that units do not change.

#include "bvp/residual/influences.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "bvp/residual/local_error.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// x1' = 5 x2 and x2' = 0 for residuals on the right, x(0) = 0, by Euler's formula.
VecX chain(const Mesh& mesh, const VecX& right) {
  VecX u = VecX::Zero(right.size());
  for (int i = 0; i < mesh.intervals(); ++i) {
    u[2 * i + 2] = u[2 * i] + 5 * mesh.step(i) * u[2 * i + 1] + right[2 * i];
    u[2 * i + 3] = u[2 * i + 1] + right[2 * i + 1];
  }
  return u;
}

}  // namespace

TEST_CASE("a residual is told by what it does to all components that matter", "[residual]") {
  const Mesh mesh = uniform_mesh(0, 1, 1000);
  const auto solve = [&](const VecX& right) { return chain(mesh, right); };
  const VecX both = probed_influences(mesh, {}, 2, Vec<2>(1, 1), solve);
  CHECK(both[0] == Approx(1));
  CHECK(both[1] == Approx(2.5).epsilon(0.01));  // 5 int_0^1 t dt in x1, and 1 in x2.
  const VecX first = probed_influences(mesh, {}, 2, Vec<2>(1e-3, infinity), solve);
  CHECK(first[0] == Approx(1e3));
  CHECK(first[1] == Approx(2500).epsilon(0.01));
  const VecX second = probed_influences(mesh, {}, 2, Vec<2>(infinity, 1), solve);
  CHECK(second[0] == 0);
  CHECK(second[1] == Approx(1));
}

TEST_CASE("where the interval begins is no matter of what residuals do", "[residual]") {
  const auto rights_from = [](double begin) {
    std::vector<VecX> rights;
    const Mesh mesh = uniform_mesh(begin, begin + 2, 16);
    probed_influences(mesh, {}, 2, Vec<2>(1, 1), [&](const VecX& right) {
      rights.push_back(right);
      return chain(mesh, right);
    });
    return rights;
  };
  const std::vector<VecX> from_zero = rights_from(0);
  REQUIRE(from_zero.size() == 4);
  // One that is the same everywhere, and one whose sign changes.
  CHECK(from_zero[0].minCoeff() == 0);
  CHECK(from_zero[1].minCoeff() < 0);
  for (const double begin : {0.25, -0.25, 0.5, -2.0, 64.0}) {
    CAPTURE(begin);
    const std::vector<VecX> rights = rights_from(begin);
    REQUIRE(rights.size() == from_zero.size());
    for (std::size_t i = 0; i < rights.size(); ++i) CHECK(rights[i] == from_zero[i]);
  }
}

TEST_CASE("rows count as their component does, or as what they move", "[residual]") {
  CHECK(residual_sizes(Vec<2>(1, 2), VecX()) == Vec<2>(1, 2));
  // All alike, however much is amplified.
  CHECK(residual_sizes(Vec<2>(1, 1), Vec<2>(1e4, 1e4)) == Vec<2>(1, 1));
  CHECK(residual_sizes(Vec<2>(1, infinity), Vec<2>(1, 0))[1] == infinity);
  CHECK(residual_sizes(Vec<2>(1, infinity), Vec<2>(1, 50))[1] == Approx(0.02));
  CHECK(residual_sizes(Vec<2>(1, 1e6), Vec<2>(1, 50))[1] == Approx(0.02));
  CHECK(residual_sizes(Vec<2>(1e-3, infinity), Vec<2>(1e5, 50))[1] == Approx(2));
}

TEST_CASE("balancing sizes follow the units of components", "[residual]") {
  const MatX J{{-1, 2, 0.5}, {3, -2, 1}, {0.7, -4, 1}};
  const VecX units = Vec<3>(1e-9, 1, 1e7);
  const MatX in_units = units.asDiagonal() * J * units.cwiseInverse().asDiagonal();
  const VecX sizes = LocalError::balancing(J), of_units = LocalError::balancing(in_units);
  for (int i = 1; i < 3; ++i) {
    CHECK(of_units[i] / of_units[0] ==
          Approx(sizes[i] / sizes[0] * units[i] / units[0]).epsilon(0.2));
  }
  // What nothing comes back to is not stiff, in whatever unit.
  const MatX chain{{0, 1e14}, {0, 0}};
  CHECK_FALSE(LocalError::matters(chain, 1, LocalError::balancing(chain)));
  const MatX stiff{{-1e4, 1e14}, {1e-12, -1}};
  CHECK(LocalError::matters(stiff, 1, LocalError::balancing(stiff)));
}

}  // namespace daewave::bvp
