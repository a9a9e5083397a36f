#include "core/kkt/any_kkt.hpp"

#include <limits>
#include <type_traits>

#include "core/kkt/chain_kkt.hpp"
#include "core/kkt/joint_kkt.hpp"
#include "core/kkt/kkt.hpp"
#include "core/kkt/sparse_kkt.hpp"
#include "core/problem/terms.hpp"

namespace daewave {
namespace {

using DenseElimination = NullSpaceKkt<VecX, VecX>;
using JointElimination = JointKkt<3, 2, AnyMass>;

template <class Jacobian>
struct EliminationTrait {
  using type = DenseElimination;
};
template <>
struct EliminationTrait<ChainJacobian> {
  using type = ChainKkt;
};
template <>
struct EliminationTrait<JointJacobian<3, 2>> {
  using type = JointElimination;
};
template <>
struct EliminationTrait<SparseJacobian> {
  using type = SparseKkt;
};

/// In the type of M that each of them goes with.
bool weigh_by(DenseElimination& kkt, const AnyMass& M) {
  return M.visit([&kkt](const auto& of_structure) { return kkt.weigh(of_structure); });
}
bool weigh_by(ChainKkt& kkt, const AnyMass& M) {
  return M.visit([&kkt](const auto& of_structure) {
    if constexpr (std::is_same_v<std::decay_t<decltype(of_structure)>, DiagonalMass>) {
      return kkt.weigh(of_structure);
    } else {
      return false;
    }
  });
}
bool weigh_by(JointElimination& kkt, const AnyMass& M) { return kkt.weigh(M); }
bool weigh_by(SparseKkt& kkt, const AnyMass& M) { return kkt.weigh(M); }

}  // namespace

struct AnyKkt::Elimination {
  OneOf<DenseElimination, ChainKkt, JointElimination, SparseKkt> of_structure;
  VecX lambda;  ///< Where it is not asked for.
};

AnyKkt::AnyKkt() : elimination_(std::make_unique<Elimination>()) {}
AnyKkt::AnyKkt(AnyKkt&&) noexcept = default;
AnyKkt& AnyKkt::operator=(AnyKkt&&) noexcept = default;
AnyKkt::~AnyKkt() = default;

void AnyKkt::eliminate(const AnyJacobian& G, double rank_tolerance) {
  G.visit([this, rank_tolerance](const auto& of_structure) {
    using Kkt = typename EliminationTrait<std::decay_t<decltype(of_structure)>>::type;
    elimination_->of_structure.become<Kkt>().eliminate(of_structure, rank_tolerance);
  });
}

void AnyKkt::eliminate(const AnyJacobian& G, const AnyMass& M, double rank_tolerance) {
  const MatX* const dense = G.as<MatX>();
  if (dense == nullptr) return eliminate(G, rank_tolerance);
  auto& kkt = elimination_->of_structure.become<DenseElimination>();
  M.visit([&](const auto& of_structure) { kkt.eliminate(*dense, of_structure, rank_tolerance); });
}

bool AnyKkt::weigh(const AnyMass& M) {
  return elimination_->of_structure.visit([&M](auto& kkt) { return weigh_by(kkt, M); });
}

int AnyKkt::rank() const {
  return elimination_->of_structure.visit([](const auto& kkt) { return kkt.rank(); });
}
int AnyKkt::free() const {
  return elimination_->of_structure.visit([](const auto& kkt) { return kkt.free(); });
}
int AnyKkt::dropped_row(int i) const {
  return elimination_->of_structure.visit([i](const auto& kkt) { return kkt.dropped_row(i); });
}
double AnyKkt::smallest_pivot() const {
  return elimination_->of_structure.visit([](const auto& kkt) {
    if constexpr (requires { kkt.knows_pivots; }) {
      return kkt.smallest_pivot();
    } else {
      return std::numeric_limits<double>::infinity();
    }
  });
}

void AnyKkt::solve(const AnyMass& M, const VecX& f, const VecX& c, VecX& a, VecX& lambda) {
  elimination_->of_structure.visit([&](auto& kkt) {
    if constexpr (std::is_same_v<std::decay_t<decltype(kkt)>, DenseElimination>) {
      M.visit([&](const auto& of_structure) { kkt.solve(of_structure, f, c, a, lambda); });
    } else {
      kkt.solve(M, f, c, a, lambda);
    }
  });
}

void AnyKkt::solve(const AnyMass& M, const VecX& f, const VecX& c, VecX& a) {
  if (auto* const kkt = elimination_->of_structure.as<DenseElimination>()) {
    M.visit([&](const auto& of_structure) { kkt->solve(of_structure, f, c, a); });
  } else {
    solve(M, f, c, a, elimination_->lambda);
  }
}

void AnyKkt::correct(const AnyMass& M, const VecX& c, VecX& a) {
  elimination_->of_structure.visit([&](auto& kkt) { kkt.correct(M, c, a); });
}
void AnyKkt::correct_orthogonal(const VecX& c, VecX& a) {
  elimination_->of_structure.visit([&](auto& kkt) { kkt.correct_orthogonal(c, a); });
}
void AnyKkt::correct_orthogonal(const VecX& c, VecX& a, VecX& mu) {
  elimination_->of_structure.visit([&](auto& kkt) { kkt.correct_orthogonal(c, a, mu); });
}
void AnyKkt::forbidden(const VecX& v, VecX& Pv) {
  elimination_->of_structure.visit([&](auto& kkt) { kkt.forbidden(v, Pv); });
}

}  // namespace daewave
