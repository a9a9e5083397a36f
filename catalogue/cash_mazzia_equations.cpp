// The collection of Cash and Mazzia as formulas.

#include "catalogue/cash_mazzia_equations.hpp"

#include <array>

namespace daewave::catalogue {

std::string cash_mazzia_equations(int number) {
  constexpr int numbers = 35;
  static const std::array<const char*, numbers> all{
      "e y'' = y;  y(0) = 1, y(1) = 0",
      "e y'' = y';  y(0) = 1, y(1) = 0",
      "e y'' + (2 + cos pi t) y' - y = -(1 + e pi^2) cos pi t - (2 + cos pi t) pi sin pi t;\n"
      "y(-1) = y(1) = -1;  y = cos pi t",
      "e y'' + y' - (1 + e) y = 0;  y(-1) = 1 + exp(-2), y(1) = 1 + exp(-2 (1 + e) / e)",
      "e y'' - t y' - y = -(1 + e pi^2) cos pi t + pi t sin pi t;\n"
      "y(-1) = y(1) = -1;  y = cos pi t",
      "e y'' + t y' = -e pi^2 cos pi t - pi t sin pi t;  y(-1) = -2, y(1) = 0;\n"
      "y = cos pi t + erf(t / sqrt(2 e)) / erf(1 / sqrt(2 e))",
      "e y'' + t y' - y = -(1 + e pi^2) cos pi t - pi t sin pi t;  y(-1) = -1, y(1) = 1",
      "e y'' + y' = 0;  y(0) = 1, y(1) = 2",
      "(e + t^2) y'' + 4 t y' + 2 y = 0;  y(-1) = y(1) = 1 / (1 + e);  y = 1 / (e + t^2)",
      "e y'' + t y' = 0;  y(-1) = 0, y(1) = 2;  y = 1 + erf(t / sqrt(2 e)) / erf(1 / sqrt(2 e))",
      "e y'' - y = -(1 + e pi^2) cos pi t;  y(-1) = y(1) = -1;  y = cos pi t",
      "e y'' - y = -(1 + e pi^2) cos pi t;  y = cos pi t + exp((t - 1) / sqrt e) at -1 and 1",
      "e y'' - y = -(1 + e pi^2) cos pi t;  y = cos pi t + exp(-(t + 1) / sqrt e) at -1 and 1",
      "e y'' - y = -(1 + e pi^2) cos pi t;\n"
      "y = cos pi t + exp(-(t + 1) / sqrt e) + exp((t - 1) / sqrt e) at -1 and 1",
      "e y'' - t y = 0;  y(-1) = y(1) = 1",
      "e^2 y'' + pi^2 y / 4 = 0;  y(0) = 0, y(1) = sin(pi / 2 e);  y = sin(pi t / 2 e)",
      "y'' = -3 e y / (e + t^2)^2;  y = t / sqrt(e + t^2) at -0.1 and 0.1",
      "e y'' + y' = 0;  y(0) = 1, y(1) = exp(-1 / e);  y = exp(-t / e)",
      "e y'' + e^y y' - (pi/2) sin(pi t / 2) e^{2 y} = 0;  y(0) = y(1) = 0",
      "e y'' + y'^2 = 1;  y = 1 + e ln cosh((t - 0.745) / e) at 0 and 1",
      "e y'' = y + y^2 - exp(-2 t / sqrt e);  y(0) = 1, y(1) = exp(-1 / sqrt e);\n"
      "y = exp(-t / sqrt e)",
      "e y'' + y' + y^2 = 0;  y(0) = 0, y(1) = 1/2",
      "y'' = sinh(y / e) / e;  y(0) = 0, y(1) = 1",
      "e A y y'' - ((1 + 1.4)/2 - e A') y y' + y' / y + (A' / A) (1 - 0.2 y^2) = 0, A = 1 + t^2;\n"
      "y(0) = 0.9129, y(1) = 0.375",
      "e y'' + y y' - y = 0;  y(0) = -1/3, y(1) = 1/3",
      "e y'' + y y' - y = 0;  y(0) = 1, y(1) = -1/3",
      "e y'' + y y' - y = 0;  y(0) = 1, y(1) = 1/3",
      "e y'' + y y' - y = 0;  y(0) = 1, y(1) = 3/2",
      "e y'' + y y' - y = 0;  y(0) = 0, y(1) = 3/2",
      "e y'' + y y' - y = 0;  y(0) = -7/6, y(1) = 3/2",
      "y' = sin p,  p' = M,  e M' = -Q,  e Q' = (y - 1) cos p - M (sec p + e Q tan p);\n"
      "y = M = 0 at 0 and 1",
      "e y'''' = y' y'' - y y''';  y = y' = 0 at 0, y = 1 and y' = 0 at 1",
      "e f'''' + f f''' + g g' = 0,  e g'' + f g' - f' g = 0;\n"
      "f = f' = 0 at 0 and 1, g(0) = -1, g(1) = 1",
      "y'' + e exp(y) = 0;  y(0) = y(1) = 0",
      "e y'' - t y' + y = 0;  y(-1) = 1, y(1) = 2"};
  return number >= 1 && number <= numbers ? all[static_cast<std::size_t>(number - 1)] : "";
}

}  // namespace daewave::catalogue
