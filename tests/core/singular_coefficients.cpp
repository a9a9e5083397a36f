#include "tests/core/singular_coefficients.hpp"

#include <cmath>

namespace daewave::testing {

std::vector<SingularKind> singular_kinds(double t_star) {
  const auto regular = [](double) { return MatX(MatX::Identity(2, 2)); };
  const auto vanishing = [t_star](double t) { return MatX{{t - t_star, 0}, {0, 1}}; };
  const auto dependent = [t_star](double t) { return MatX{{1, 1}, {1, 1 + (t - t_star)}}; };
  const auto deficient = [t_star](double t) { return MatX{{t - t_star, 0}, {1, 1}}; };
  return {{"vanishing row", vanishing, regular},
          {"dependent rows", dependent, regular},
          {"rank-deficient B", regular, deficient},
          {"vanishing row of C; rank-deficient B", vanishing, deficient}};
}

MatX smooth_V(double t) {
  return MatX{{1, 0.3 * std::sin(t)}, {0.2, 1}, {0.4 * std::cos(t), 0.1}, {0, 0.5}};
}
MatX smooth_W(double t) { return MatX{{1, 0.1 * t, 0.2, 0}, {0.3 * std::cos(t), 1, 0, 0.4}}; }
MatX smooth_projector(double t) {
  const MatX V = smooth_V(t), W = smooth_W(t);
  const MatX WV = W * V, inverse = WV.inverse();
  return V * inverse * W;
}

ManufacturedDae singular_dae(const SingularKind& kind, Interval span) {
  const auto A = [](double t) {
    return MatX{{-1, 0.2, 0, std::sin(t)}, {0, -0.5, 0.3, 0}, {0.1, 0, -1, 0}, {0, 0.2, 0, -0.7}};
  };
  const auto B = [kind](double t) { return MatX(smooth_V(t) * kind.F(t)); };
  const auto C = [kind](double t) { return MatX(kind.G(t) * smooth_W(t)); };
  const MatX B0 = free_directions(smooth_W(span.begin));
  return {span, A, B, C, B0, MatX::Zero(2, 4), 53};
}

}  // namespace daewave::testing
