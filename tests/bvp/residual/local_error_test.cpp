// What residuals become within an interval.

#include "bvp/residual/local_error.hpp"

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
