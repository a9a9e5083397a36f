#pragma once
// The linear system of a constrained multibody system whose structure is known at run time:
//
//   [ M  G^T ] [ a      ]   [ f ]
//   [ G   0  ] [ lambda ] = [ c ]
//
// G that is dense is eliminated as in core/kkt/kkt.hpp, that of a chain and of joints in O(n) as in
// core/kkt/chain_kkt.hpp and core/kkt/joint_kkt.hpp, any other sparse one as in
// core/kkt/sparse_kkt.hpp: these are compiled here once for all.

#include <memory>

#include "core/kkt/any_jacobian.hpp"
#include "core/kkt/any_mass.hpp"
#include "core/types.hpp"

namespace daewave {

/// Interface of NullSpaceKkt, and answers of the elimination that the structure of G asks for.
/// Allocates where that elimination does, and where the structure is another than before.
class AnyKkt {
 public:
  AnyKkt();
  AnyKkt(AnyKkt&&) noexcept;
  AnyKkt& operator=(AnyKkt&&) noexcept;
  ~AnyKkt();

  /// Takes G; the other functions may be called after that.
  /// @param rank_tolerance  decides where G is dense: a row of which no more than this times the
  ///                        largest entry of G is left takes no part.
  void eliminate(const AnyJacobian& G, double rank_tolerance);
  /// The same with M as weigh() will have it, by which a dense G is given its pivots.
  void eliminate(const AnyJacobian& G, const AnyMass& M, double rank_tolerance);
  /// False where the system is singular or G is not finite, and for an M that the elimination does
  /// not go with: that of a chain goes with a diagonal one, that of joints and of sparse G with
  /// bodies too.
  bool weigh(const AnyMass& M);

  int rank() const;
  /// Degrees of freedom, nq - rank.
  int free() const;
  /// Row of G that takes no part, i in [rank, nl).
  int dropped_row(int i) const;
  /// Costs nothing to be asked for.
  static constexpr bool knows_pivots = true;
  /// That of the elimination, where it has it at hand; infinite for a chain, whose rows are never
  /// dependent.
  double smallest_pivot() const;

  /// M a + G^T lambda = f, G a = c; M as given to weigh().
  void solve(const AnyMass& M, const VecX& f, const VecX& c, VecX& a, VecX& lambda);
  /// The same for a alone.
  void solve(const AnyMass& M, const VecX& f, const VecX& c, VecX& a);
  /// a = M^-1 G^T (G M^-1 G^T)^-1 c.                                          [ACPR] (5.5)
  void correct(const AnyMass& M, const VecX& c, VecX& a);
  /// a = G^T (G G^T)^-1 c. Needs no weigh().                                  [ACPR] (5.6)
  void correct_orthogonal(const VecX& c, VecX& a);
  /// The same with a = G^T mu told: mu = (G G^T)^-1 c.
  void correct_orthogonal(const VecX& c, VecX& a, VecX& mu);
  /// The part of v that the constraints forbid, in the metric of M.
  void forbidden(const VecX& v, VecX& Pv);

 private:
  struct Elimination;

  std::unique_ptr<Elimination> elimination_;
};

}  // namespace daewave
