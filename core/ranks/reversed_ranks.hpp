#pragma once
// Ranks counted from the other end, for what runs backward: the last has the begin.

#include "core/ranks/communicator.hpp"
#include "core/ranks/mesh_share.hpp"

namespace daewave {

/// Rank r of P as rank P - 1 - r.
class ReversedRanks final : public Communicator {
 public:
  /// Kept by reference.
  explicit ReversedRanks(const Communicator& ranks) : ranks_(ranks) {}

  int rank() const override { return reversed(ranks_.rank()); }
  int size() const override { return ranks_.size(); }
  std::vector<std::string> gather(std::string_view mine) const override;
  void send(int to, std::string_view text) const override { ranks_.send(reversed(to), text); }
  std::string receive(int from) const override { return ranks_.receive(reversed(from)); }
  std::optional<Message> receive_if_any() const override;
  RankUsage usage() const override { return ranks_.usage(); }

 private:
  int reversed(int rank) const { return ranks_.size() - 1 - rank; }

  const Communicator& ranks_;
};

/// The share of the same intervals in the time tau = end - t, with the same partitions.
/// @param intervals  that are here. @param reversed  its ranks; not owned.
MeshShare time_reversed(const MeshShare& share, int intervals, const Communicator& reversed);

}  // namespace daewave
