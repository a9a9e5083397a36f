#include "ivp/variation/difference_step.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// x' = F(x), entry by entry.
class EachEntry final : public OdeSystem {
 public:
  explicit EachEntry(std::function<double(double)> slope) : slope_(std::move(slope)) {}
  bool rhs(double, const VecX& z, VecX& slope) override {
    slope = z.unaryExpr(slope_);
    return slope.allFinite();
  }
  bool multiplier(double, const VecX&, VecX&) override { return false; }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return {}; }

 private:
  std::function<double(double)> slope_;
};

DifferenceStep step_of(std::function<double(double)> slope, double size = 1) {
  EachEntry system(std::move(slope));
  return difference_step(system, {{0, VecX{{0.3 * size, 1.1 * size}}}}, VecX{{size, size}}, 0.1);
}

/// What differences leave in a function of size one: no two arguments have the same.
double noise(double x) { return std::sin(1e13 * x); }

}  // namespace

TEST_CASE("an equation that is smooth is differentiated by short steps", "[sensitivities]") {
  for (const double size : {1e-6, 1.0, 1e6}) {
    CAPTURE(size);
    const DifferenceStep step = step_of([=](double x) { return size * std::sin(x / size); }, size);
    CHECK(step.part == 1e-4);
    CHECK(step.apart < 1e-10);
  }
}

TEST_CASE("one that is noisy is differentiated by longer steps, and told how well",
          "[sensitivities]") {
  for (const double level : {1e-12, 1e-10, 1e-8, 1e-6}) {
    CAPTURE(level);
    const DifferenceStep step = step_of([=](double x) { return std::sin(x) + level * noise(x); });
    CHECK(step.part >= (level < 1e-11 ? 1e-3 : 1e-2));
    CHECK(step.apart > 0.1 * level / step.part);
    CHECK(step.apart < 10 * level / step.part + 1e-7);
  }
}

TEST_CASE("the noisiest of all states tells", "[sensitivities]") {
  EachEntry system([](double x) { return std::sin(x) + (x > 1 ? 1e-8 * noise(x) : 0.0); });
  const auto over = [&](std::vector<StateAt> states) {
    return difference_step(system, states, VecX{{1}}, 0.1);
  };
  CHECK(over({{0, VecX{{0.5}}}}).part == 1e-4);
  CHECK(over({{0, VecX{{0.5}}}, {1, VecX{{1.5}}}}).part == 1e-2);
}

TEST_CASE("steps at which the equation cannot be evaluated are not taken", "[sensitivities]") {
  const auto within = [](double far) {
    return [far](double x) {
      const bool here = std::abs(x - 0.3) < far || std::abs(x - 1.1) < far;
      return here ? x * x + 1e-8 * noise(x) : std::nan("");
    };
  };
  CHECK(step_of(within(1)).part == 1e-2);
  CHECK(step_of(within(5e-3)).part == 1e-3);
  const DifferenceStep nowhere = step_of(within(0));
  CHECK(nowhere.part == 1e-4);
  CHECK(nowhere.apart == 0);
}

}  // namespace daewave::ivp
