// Where derivatives of a right side jump is found, and nothing where it is smooth.

#include "bvp/residual/kinks.hpp"

#include <cmath>
#include <functional>
#include <numeric>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// In all intervals, of p' - f where p' is the polynomial through f at the stages.
std::vector<double> kinks_of_function(const Mesh& mesh, int stages,
                                      const std::function<double(double)>& f) {
  const Collocation scheme = collocation(Scheme::gauss, stages);
  const StagePolynomials polynomials(scheme.c);
  const Residual residual = [&](int i, const Places& at, ResidualValues& found) {
    VecX at_stages(stages);
    for (int j = 0; j < stages; ++j) at_stages[j] = f(mesh.node(i) + scheme.c[j] * mesh.step(i));
    found.values = (at.values() * at_stages).transpose();
    found.sizes = found.values.cwiseAbs();
    for (Eigen::Index p = 0; p < found.values.cols(); ++p) {
      const double here = f(at.t[static_cast<std::size_t>(p)]);
      found.values(0, p) -= here;
      found.sizes(0, p) += std::abs(here);
    }
  };
  std::vector<int> all(static_cast<std::size_t>(mesh.intervals()));
  std::iota(all.begin(), all.end(), 0);
  return kinks(mesh, polynomials, residual, all);
}

double power(double s, int exponent) { return s < 0 ? 0 : std::pow(s, exponent); }

}  // namespace

TEST_CASE("a derivative that jumps is found as exactly as it matters", "[residual]") {
  const Mesh mesh = uniform_mesh(-1, 2, 9);
  for (const int order : {1, 2, 3}) {
    for (const double height : {10.0, 1e-3, 1e6}) {
      for (int i = 1; i < 40; ++i) {
        const double c = -1 + 3 * (i + 0.1) / 40;
        const auto f = [&](double t) { return std::sin(3 * t) + height * power(t - c, order); };
        CAPTURE(order, height, c);
        const std::vector<double> found = kinks_of_function(mesh, 5, f);
        REQUIRE(found.size() <= 1);
        // What it makes of f may be less than what the smooth part does, or be seen in a thousandth
        // of the interval only.
        const double beside = std::abs(3 * c - std::round(3 * c));
        if (beside < 0.01 * order * order || (height < 1 && (order > 1 || beside < 0.1))) continue;
        REQUIRE(found.size() == 1);
        CHECK(height * std::pow(std::abs(found[0] - c), order) < 3e-11 * (1 + height));
      }
    }
  }
}

TEST_CASE("several kinks are found, one in each interval", "[residual]") {
  const Mesh mesh = uniform_mesh(0, 1, 5);
  const auto f = [](double t) {
    return std::abs(t - 0.13) + std::abs(t - 0.55) - std::abs(t - 0.7);
  };
  const std::vector<double> found = kinks_of_function(mesh, 4, f);
  REQUIRE(found.size() == 3);
  CHECK(found[0] == Approx(0.13).epsilon(1e-11));
  CHECK(found[1] == Approx(0.55).epsilon(1e-11));
  CHECK(found[2] == Approx(0.7).epsilon(1e-11));
}

TEST_CASE("where a right side is smooth there are no kinks, however steep it is", "[residual]") {
  const Mesh mesh = uniform_mesh(0, 1, 6);
  for (const int stages : {2, 4, 7}) {
    for (const double width : {1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5}) {
      for (int i = 1; i < 30; ++i) {
        const double c = (i + 0.3) / 30;
        CAPTURE(stages, width, c);
        const auto s = [&](double t) { return (t - c) / width; };
        CHECK(kinks_of_function(mesh, stages, [&](double t) {
                return std::exp(-s(t) * s(t));
              }).empty());
        CHECK(kinks_of_function(mesh, stages, [&](double t) { return std::tanh(s(t)); }).empty());
        CHECK(kinks_of_function(mesh, stages, [&](double t) {
                return std::sqrt(1 + s(t) * s(t));
              }).empty());
        CHECK(
            kinks_of_function(mesh, stages, [&](double t) { return std::sin(t / width); }).empty());
      }
    }
  }
}

TEST_CASE("noise has no kinks", "[residual]") {
  const Mesh mesh = uniform_mesh(0, 1, 4);
  for (const double noise : {1e-15, 1e-10, 1e-3}) {
    const auto f = [noise](double t) { return std::sin(t) + noise * std::sin(1e17 * t); };
    CAPTURE(noise);
    CHECK(kinks_of_function(mesh, 5, f).empty());
  }
}

}  // namespace daewave::bvp
