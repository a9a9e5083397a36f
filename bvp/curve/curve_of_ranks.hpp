#pragma once
// Parts of a curve that ranks share, handed on to ranks that have other intervals of the next mesh,
// or that ask for it at other times.

#include <memory>
#include <optional>

#include "bvp/curve/collocation_curve.hpp"
#include "core/ranks/mesh_share.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// Some intervals of the whole curve, wherever they are. All ranks call it, each for what it needs;
/// each sends what it has of that, and no rank sees more than it asks for.
///
/// @param mine   what is here of it. @param share  of its mesh, with the whole mesh where that is
///               shared.
/// @param range  intervals of the whole mesh, at least one.
CollocationCurve intervals_of(const CollocationCurve& mine, const MeshShare& share,
                              const IntervalRange& range);

/// The intervals of the whole mesh that a time from `begin` to `end` lies in, with the one on
/// either side, which dense output of schemes of one stage needs.
IntervalRange intervals_between(const Mesh& whole, double begin, double end);

/// The whole mesh, where it was chosen. @param mine  what is here of it.
inline const Mesh& mesh_of_all(const MeshShare& share, const Mesh& mine) {
  return share.mesh ? *share.mesh : mine;
}

/// A curve with those it is shared with; by default whole, and with nobody.
struct SharedCurve {
  CollocationCurve curve{};  ///< What is here of it.
  MeshShare share{};         ///< Of its mesh, with the whole mesh where that is shared.

  const Mesh& mesh_of_all() const { return bvp::mesh_of_all(share, curve.mesh()); }
};

/// How ranks take a mesh on which nothing is solved for, in pieces of equal numbers of intervals.
/// @param mesh   the whole one; becomes that of this rank. @param ranks  null: there are none.
MeshShare share_evenly(const Communicator* ranks, Mesh& mesh);

/// A curve on another mesh. All ranks call it; each range of intervals that the share tells is
/// found by itself, so that its bits are not those of others.
/// @param share_of_curve  with the whole mesh where that is shared.
/// @param mesh            what is here of it. @param share  of it.
CollocationValues on_mesh(const CollocationCurve& curve, const MeshShare& share_of_curve,
                          const Mesh& mesh, const MeshShare& share, const Collocation& scheme);

/// A curve that ranks share as a function of the times that each of them asks for next.
class CurveAround {
 public:
  /// All ranks make theirs together.
  /// @param share  of its mesh, with the whole mesh where that is shared.
  CurveAround(std::shared_ptr<const CollocationCurve> curve, MeshShare share);

  /// Hands on what is between two times. All ranks call it, each for its own.
  void attend(double begin, double end);

  /// @throws Error for times that were not attended to, but for both ends of the curve.
  VecX x(double t) const;
  VecX carried(double t) const;

  const CollocationCurve& curve() const { return *curve_; }  ///< What is here of it.
  const MeshShare& share() const { return share_; }

 private:
  const CollocationCurve* around(double t) const;

  std::shared_ptr<const CollocationCurve> curve_;
  MeshShare share_;
  std::optional<CollocationCurve> here_;  ///< What was attended to, where it is shared.
  /// At both ends, where it is shared.
  VecX first_, last_, first_carried_, last_carried_;
};

}  // namespace daewave::bvp
