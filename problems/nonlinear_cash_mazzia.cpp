#include <cmath>
#include <numbers>
#include <string>

#include "problems/cash_mazzia.hpp"

namespace daewave::problems {
namespace {

/// ln cosh x without overflow.
double log_cosh(double x) {
  return std::abs(x) + std::log1p(std::exp(-2 * std::abs(x))) - std::numbers::ln2;
}
Vec<2> exact20(double e, double t) {
  const double x = (t - 0.745) / e;
  return {1 + e * log_cosh(x), std::tanh(x)};
}
Vec<2> exact21(double e, double t) {
  const double w = 1 / std::sqrt(e);
  return {std::exp(-w * t), -w * std::exp(-w * t)};
}

CashMazzia lagerstrom_between(int number, const char* summary, TwoPoint (*make)(double e)) {
  return {number, summary, false, 0.1, make};
}

}  // namespace

std::vector<CashMazzia> nonlinear_cash_mazzia() {
  using P = TwoPoint;
  return {
      {19, "exponentials, a layer at the begin", false, 0.1,
       [](double e) {
         return P{"", 19, e, Interval{0, 1}, 0, 0};
       }},
      {20, "e y'' = 1 - y'^2, a corner inside", false, 0.1,
       [](double e) {
         return P{"", 20, e, Interval{0, 1}, exact20(e, 0)[0], exact20(e, 1)[0]};
       },
       exact20},
      {21, "a layer at the begin, square of y", false, 0.1,
       [](double e) {
         return P{"", 21, e, Interval{0, 1}, 1, exact21(e, 1)[0]};
       },
       exact21},
      {22, "e y'' = -y' - y^2, a layer at the begin", false, 0.1,
       [](double e) {
         return P{"", 22, e, Interval{0, 1}, 0, 0.5};
       }},
      {23, "y'' = sinh(y / e) / e, Troesch's problem", false, 0.2,
       [](double e) {
         return P{"", 23, e, Interval{0, 1}, 0, 1};
       }},
      {24, "a shock in a nozzle", false, 0.1,
       [](double e) {
         return P{"", 24, e, Interval{0, 1}, 0.9129, 0.375};
       }},
      lagerstrom_between(25, "e y'' = y - y y', corners inside",
                         [](double e) {
                           return P{"", 25, e, Interval{0, 1}, -1.0 / 3, 1.0 / 3};
                         }),
      lagerstrom_between(26, "e y'' = y - y y', a layer at the end",
                         [](double e) {
                           return P{"", 26, e, Interval{0, 1}, 1, -1.0 / 3};
                         }),
      lagerstrom_between(27, "e y'' = y - y y', a layer at the end, y > 0",
                         [](double e) {
                           return P{"", 27, e, Interval{0, 1}, 1, 1.0 / 3};
                         }),
      lagerstrom_between(28, "e y'' = y - y y', a layer at the begin",
                         [](double e) {
                           return P{"", 28, e, Interval{0, 1}, 1, 1.5};
                         }),
      lagerstrom_between(29, "e y'' = y - y y', a layer at the begin, from 0",
                         [](double e) {
                           return P{"", 29, e, Interval{0, 1}, 0, 1.5};
                         }),
      lagerstrom_between(30, "e y'' = y - y y', a shock inside",
                         [](double e) {
                           return P{"", 30, e, Interval{0, 1}, -7.0 / 6, 1.5};
                         }),
      {34, "y'' = -e exp(y), Bratu's problem; two solutions up to e = 3.51", false, 1,
       [](double e) {
         return P{"", 34, e, Interval{0, 1}, 0, 0};
       }},
  };
}

std::string name_of(const CashMazzia& one) { return "cash-mazzia-" + std::to_string(one.number); }

}  // namespace daewave::problems
