#include "core/ranks/reversed_ranks.hpp"

#include <algorithm>

namespace daewave {
namespace {

std::vector<int> from_the_end(const std::vector<int>& borders, int all) {
  std::vector<int> reversed(borders.rbegin(), borders.rend());
  for (int& border : reversed) border = all - border;
  return reversed;
}

}  // namespace

std::vector<std::string> ReversedRanks::gather(std::string_view mine) const {
  std::vector<std::string> all = ranks_.gather(mine);
  std::reverse(all.begin(), all.end());
  return all;
}

std::optional<Communicator::Message> ReversedRanks::receive_if_any() const {
  std::optional<Message> message = ranks_.receive_if_any();
  if (message) message->from = reversed(message->from);
  return message;
}

MeshShare time_reversed(const MeshShare& share, int intervals, const Communicator& reversed) {
  MeshShare back;
  back.ranks = &reversed;
  back.all = share.all;
  back.first = share.all - share.first - intervals;
  back.end = share.end - share.begin;
  back.borders = from_the_end(share.borders, share.all);
  back.shares = from_the_end(share.shares, share.all);
  back.is_alike = share.is_alike;
  return back;
}

}  // namespace daewave
