#include "ivp/one_step/stage_sum.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/types.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

TEST_CASE("stages are summed for every number of terms and entries", "[steppers]") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto vector = [&](int n) {
    return VecX(VecX::NullaryExpr(n, [&]() { return unit(random); }));
  };
  const double h = 0.3;
  for (int count = 1; count <= most_stages; ++count) {
    for (const int n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 24, 97}) {
      CAPTURE(count, n);
      Combination row;
      row.count = count;
      std::vector<VecX> k;
      std::vector<const double*> stages;
      const VecX z = vector(n);
      VecX expected = z, size = z.cwiseAbs();
      for (int i = 0; i < count; ++i) {
        row.coefficient[i] = unit(random);
        k.push_back(vector(n));
        expected += h * row.coefficient[i] * k[i];
        size += std::abs(h * row.coefficient[i]) * k[i].cwiseAbs();
      }
      for (const VecX& stage : k) stages.push_back(stage.data());
      VecX out = VecX::Constant(n + 1, 7);
      stage_sum(count)(z.data(), h, row.coefficient.data(), stages.data(), n, out.data());
      CHECK(out[n] == 7);  // Nothing is written behind the end.
      // Each term is rounded at most `count + 2` times, in both sums.
      const double rounding = (count + 2) * std::numeric_limits<double>::epsilon();
      CHECK(((out.head(n) - expected).cwiseAbs().array() <= rounding * size.array()).all());
      stage_sum_alone(count)(nullptr, h, row.coefficient.data(), stages.data(), n, out.data());
      CHECK(out[n] == 7);
      expected -= z;
      CHECK(((out.head(n) - expected).cwiseAbs().array() <= rounding * size.array()).all());
    }
  }
}

TEST_CASE("a stage that is not a number is not lost in a sum", "[steppers]") {
  Combination row;
  row.count = 2;
  row.coefficient[0] = row.coefficient[1] = 1;
  VecX z = VecX::Ones(11), good = z, bad = z, out = z;
  bad[9] = NAN;
  const double* const stages[] = {bad.data(), good.data()};
  stage_sum(2)(z.data(), 0.1, row.coefficient.data(), stages, 11, out.data());
  for (int i = 0; i < 11; ++i) CHECK(std::isnan(out[i]) == (i == 9));
}

}  // namespace daewave::ivp
