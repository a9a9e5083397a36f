#include "core/kkt/any_mass.hpp"

#include <type_traits>

#include "core/not_finite.hpp"

namespace daewave {

int AnyMass::rows() const {
  return visit([](const auto& M) { return static_cast<int>(M.rows()); });
}

MatX AnyMass::dense() const {
  return visit([](const auto& M) -> MatX {
    if constexpr (std::is_same_v<std::decay_t<decltype(M)>, BodyMass<3>>) {
      return M * MatX::Identity(M.rows(), M.cols());
    } else {
      return M;
    }
  });
}

VecX AnyMass::times(const VecX& x) const {
  return visit([&x](const auto& M) -> VecX { return M * x; });
}
MatX AnyMass::times(const MatX& x) const {
  return visit([&x](const auto& M) -> MatX { return M * x; });
}

bool all_finite(const char* equation, const AnyMass& M, double t, std::string& failure) {
  return M.visit([&](const auto& of_structure) {
    using Mass = std::decay_t<decltype(of_structure)>;
    if constexpr (std::is_same_v<Mass, MatX>) {
      return all_finite(equation, of_structure, t, failure);
    } else if constexpr (std::is_same_v<Mass, DiagonalMass>) {
      return all_finite(equation, of_structure.diagonal(), t, failure);
    } else {
      return true;
    }
  });
}

bool InverseMass<AnyMass>::factorize(const AnyMass& M) {
  return M.visit([this](const auto& of_structure) {
    using Inverse = InverseMass<std::decay_t<decltype(of_structure)>>;
    return inverse_.become<Inverse>().factorize(of_structure);
  });
}

void InverseMass<AnyMass>::apply(VecX& b) const {
  inverse_.visit([&b](const auto& inverse) { inverse.apply(b); });
}

void InverseMass<AnyMass>::blocks(double* out) const {
  if (const auto* const diagonal = inverse_.as<InverseMass<DiagonalMass>>()) {
    Eigen::Map<VecX>(out, diagonal->diagonal().size()) = diagonal->diagonal();
  } else if (const auto* const bodies = inverse_.as<InverseMass<BodyMass<3>>>()) {
    for (int i = 0; i < bodies->bodies(); ++i)
      Eigen::Map<Mat<3, 3>>(out + 9 * i) = bodies->block(i);
  }
}

bool BodyWeights<3, AnyMass>::invert(const AnyMass& M) {
  return M.visit([this](const auto& of_structure) {
    using Mass = std::decay_t<decltype(of_structure)>;
    if constexpr (std::is_same_v<Mass, MatX>) {
      return false;
    } else {
      return weights_.template become<BodyWeights<3, Mass>>().invert(of_structure);
    }
  });
}

}  // namespace daewave
