#include <cmath>
#include <numbers>

#include "problems/boundary_layers.hpp"
#include "problems/cash_mazzia.hpp"

namespace daewave::problems {
namespace {

constexpr double pi = std::numbers::pi;
using Exact = CashMazzia::Exact;

/// With the values of the exact solution at both ends.
TwoPoint between_exact(int number, double e, Interval span, Exact exact) {
  return {"", number, e, span, exact(e, span.begin)[0], exact(e, span.end)[0]};
}

template <class P>
Vec<2> exact_of(double e, double t) {
  P problem;
  problem.e = e;
  return problem.x_exact(t);
}

Vec<2> cosine(double, double t) { return {std::cos(pi * t), -pi * std::sin(pi * t)}; }

Vec<2> layer_at_begin(double e, double t) {
  const double w = 1 / std::sqrt(e), layer = std::exp(-(t + 1) * w);
  return {layer, -w * layer};
}

Vec<2> layer_at_end(double e, double t) {
  const double w = 1 / std::sqrt(e), layer = std::exp((t - 1) * w);
  return {layer, w * layer};
}

// e y'' = -t y', the step within numbers 6 and 10.
Vec<2> step_at_zero(double e, double t) {
  const double most = std::erf(1 / std::sqrt(2 * e));
  return {std::erf(t / std::sqrt(2 * e)) / most,
          std::sqrt(2 / (pi * e)) * std::exp(-t * t / (2 * e)) / most};
}

Vec<2> exact6(double e, double t) { return cosine(e, t) + step_at_zero(e, t); }
Vec<2> exact9(double e, double t) {
  const double below = e + t * t;
  return {1 / below, -2 * t / (below * below)};
}
Vec<2> exact10(double e, double t) { return Vec<2>{1, 0} + step_at_zero(e, t); }
Vec<2> exact12(double e, double t) { return cosine(e, t) + layer_at_end(e, t); }
Vec<2> exact13(double e, double t) { return cosine(e, t) + layer_at_begin(e, t); }
Vec<2> exact14(double e, double t) { return exact12(e, t) + layer_at_begin(e, t); }
Vec<2> exact16(double e, double t) {
  const double k = pi / (2 * e);
  return {std::sin(k * t), k * std::cos(k * t)};
}
Vec<2> exact17(double e, double t) {
  const double root = std::sqrt(e + t * t);
  return {t / root, e / (root * root * root)};
}
Vec<2> exact18(double e, double t) { return {std::exp(-t / e), -std::exp(-t / e) / e}; }

constexpr Interval unit{0, 1}, around_zero{-1, 1}, narrow{-0.1, 0.1};

}  // namespace

std::vector<CashMazzia> linear_cash_mazzia() {
  using P = TwoPoint;
  return {
      {1, "e y'' = y, a layer at the begin", true, 0.5,
       [](double e) { return P{"", 1, e, unit, 1, 0}; }, exact_of<LayerAtBegin>},
      {2, "e y'' = y', a layer at the end", true, 0.5,
       [](double e) { return P{"", 2, e, unit, 1, 0}; }, exact_of<LayerAtEnd>},
      {3, "smooth where there could be a layer", true, 0.5,
       [](double e) { return P{"", 3, e, around_zero, -1, -1}; }, cosine},
      {4, "a layer at the begin and a growing mode", true, 0.5,
       [](double e) { return between_exact(4, e, around_zero, exact_of<LayerAndGrowth>); },
       exact_of<LayerAndGrowth>},
      {5, "smooth across a turning point", true, 0.5,
       [](double e) { return P{"", 5, e, around_zero, -1, -1}; }, cosine},
      {6, "a step at a turning point", true, 0.5,
       [](double e) { return P{"", 6, e, around_zero, -2, 0}; }, exact6},
      {7, "a corner at a turning point", true, 0.5,
       [](double e) { return P{"", 7, e, around_zero, -1, 1}; }, exact_of<CornerLayer>},
      {8, "e y'' = -y', a layer at the begin", true, 0.5,
       [](double e) { return P{"", 8, e, unit, 1, 2}; }, exact_of<DampedLayer>},
      {9, "a peak of height 1 / e", true, 0.5,
       [](double e) { return P{"", 9, e, around_zero, 1 / (1 + e), 1 / (1 + e)}; }, exact9},
      {10, "e y'' = -t y', a step at a turning point", true, 0.5,
       [](double e) { return P{"", 10, e, around_zero, 0, 2}; }, exact10},
      {11, "a cosine where there could be two layers", true, 0.5,
       [](double e) { return P{"", 11, e, around_zero, -1, -1}; }, cosine},
      {12, "a cosine and a layer at the end", true, 0.5,
       [](double e) { return between_exact(12, e, around_zero, exact12); }, exact12},
      {13, "a cosine and a layer at the begin", true, 0.5,
       [](double e) { return between_exact(13, e, around_zero, exact13); }, exact13},
      {14, "a cosine and layers at both ends", true, 0.5,
       [](double e) { return between_exact(14, e, around_zero, exact14); }, exact14},
      {15, "e y'' = t y, fast oscillation that turns into a layer", true, 0.5,
       [](double e) { return P{"", 15, e, around_zero, 1, 1}; }},
      {16, "e^2 y'' = -pi^2 y / 4, oscillation; singular where 1 / e is even", true, 1.0 / 3,
       [](double e) { return P{"", 16, e, unit, 0, std::sin(pi / (2 * e))}; }, exact16},
      {17, "y'' = -3 e y / (e + t^2)^2, a step; singular at e = 0.01", true, 0.5,
       [](double e) { return between_exact(17, e, narrow, exact17); }, exact17},
      {18, "e y'' = -y', a layer that decays to its end", true, 0.5,
       [](double e) { return P{"", 18, e, unit, 1, std::exp(-1 / e)}; }, exact18},
      {35, "e y'' = t y' - y, ill-conditioned by exp(1 / 2e)", true, 0.5,
       [](double e) { return P{"", 35, e, around_zero, 1, 2}; }},
  };
}

}  // namespace daewave::problems
