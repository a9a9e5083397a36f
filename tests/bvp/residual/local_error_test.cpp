// What residuals become within an interval.

#include "bvp/residual/local_error.hpp"

#include <Eigen/LU>
#include <cmath>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// h times a residual of 1 in `row`, of e' = J e + delta.
VecX error_of(const MatX& J, double h, const VecX& sizes, int row) {
  LocalError local;
  local.find(J, h, sizes);
  RowsOfPoints values = VecX::Unit(J.rows(), row), terms = values;
  local.take(values, terms);
  CHECK((terms.array() >= values.array().abs() - 1e-15).all());
  return h * values;
}

}  // namespace

TEST_CASE("a residual is an error of h delta where nothing is stiff", "[nonlinear]") {
  const MatX J = MatX{{0, 1}, {-2, 0.5}};
  const VecX error = error_of(J, 0.1, VecX::Ones(2), 1);
  CHECK(error[0] == 0);
  CHECK(error[1] == 0.1);
}

TEST_CASE("of modes that decay fast, and of those that grow fast, it is 4 delta over their rate",
          "[nonlinear]") {
  for (const double rate : {-1e6, 1e6}) {
    const MatX J = MatX{{rate, 0}, {0, -1}};
    CHECK(std::abs(error_of(J, 0.1, VecX::Ones(2), 0)[0]) == Approx(4e-6).epsilon(1e-4));
    CHECK(error_of(J, 0.1, VecX::Ones(2), 1)[1] >= 0.08);
  }
  // e y'' = y': y stays, y' = v is stiff, and an error of v moves y by as much less.
  const double e = 1e-6;
  const VecX error = error_of(MatX{{0, 1}, {0, 1 / e}}, 0.1, VecX{{1, 1 / e}}, 1);
  CHECK(std::abs(error[1]) == Approx(4 * e).epsilon(1e-3));
  CHECK(std::abs(error[0]) <= 8 * e);
}

TEST_CASE("a mode that is near 4 / h hides no other mode", "[nonlinear]") {
  // e y'' = y, of which one mode grows as fast as the other one decays: where h times their rate is
  // about 4, I - h/4 J and I + h/4 J are both almost singular.
  constexpr double h = 0.1;
  for (const double rate_of_step : {2.0, 3.0, 3.6, 3.9, 3.96, 3.999, 4 - 1e-9, 4.0, 4 + 1e-13,
                                    4.001, 4.04, 4.1, 4.4, 6.0, 12.0}) {
    const double rate = rate_of_step / h;
    CAPTURE(rate_of_step);
    const MatX J = MatX{{0, 1}, {rate * rate, 0}};
    for (const VecX& sizes : {VecX{{1, rate}}, VecX{{2, 1 + rate}}, VecX{{1, 0.5 * rate}}}) {
      for (const double mode : {-rate, rate}) {
        const VecX residual{{1, mode}};
        LocalError local;
        local.find(J, h, sizes);
        RowsOfPoints values = residual, terms = values;
        local.take(values, terms);
        const double error = h * VecX(values).cwiseQuotient(sizes).cwiseAbs().maxCoeff();
        const double of_mode =
            h / (1 + 0.25 * rate_of_step) * residual.cwiseQuotient(sizes).cwiseAbs().maxCoeff();
        CHECK(error >= 0.6 * of_mode);
        CHECK(error <= 5 * of_mode);
      }
    }
  }
}

TEST_CASE("of several modes each is an error as it is alone", "[nonlinear]") {
  // Pairs of modes, of rates that differ, in components that know all of them.
  constexpr double h = 0.1;
  const MatX V =
      MatX{{1, 0.2, 0.1, -0.3}, {-0.1, 1, 0.3, 0.2}, {0.2, -0.2, 1, 0.1}, {0.3, 0.1, -0.2, 1}};
  for (const double factor : {0.9, 0.99, 1.0001, 1.02, 1.3}) {
    CAPTURE(factor);
    const VecX rates = factor / h * VecX{{4, -4, 30, -0.1}};
    const MatX J = V * rates.asDiagonal() * V.inverse();
    for (Eigen::Index mode = 0; mode < 4; ++mode) {
      LocalError local;
      local.find(J, h, VecX::Ones(4));
      RowsOfPoints values = V.col(mode), terms = values;
      local.take(values, terms);
      const double of_mode = 1 / (1 + 0.25 * h * std::abs(rates[mode]));
      const double error = VecX(values).cwiseAbs().maxCoeff();
      CHECK(error >= 0.6 * of_mode);
      CHECK(error <= 5 * of_mode);
    }
  }
}

TEST_CASE("no residual becomes more than 2 h delta, in units of the sizes", "[nonlinear]") {
  for (const double growth : {36.0, 40.0, 44.0, 160.0}) {
    // h / 4 times these rates is about 1, where I - h/4 J or I + h/4 J is singular, or both are.
    for (const double other : {-40.0, 0.0, 40.0}) {
      const MatX J = MatX{{growth, 3}, {0, other}};
      const VecX sizes{{1, 5}};
      for (const int row : {0, 1}) {
        const VecX error = error_of(J, 0.1, sizes, row).cwiseQuotient(sizes);
        CHECK(error.cwiseAbs().maxCoeff() <= 0.2 / sizes[row] * 5 + 1e-12);
      }
    }
  }
  LocalError local;
  local.find(MatX::Constant(2, 2, NAN), 0.1, VecX::Ones(2));
  RowsOfPoints values = VecX::Ones(2), terms = values;
  local.take(values, terms);
  CHECK(values == VecX::Ones(2));
}

}  // namespace daewave::bvp
