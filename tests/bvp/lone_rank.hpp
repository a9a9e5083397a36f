#pragma once
// A rank that is alone: what ranks do, where one of them has all there is.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ranks/communicator.hpp"

namespace daewave::testing {

class LoneRank final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::vector<std::string> gather(std::string_view mine) const override {
    return {std::string(mine)};
  }
  void send(int, std::string_view) const override {}
  std::string receive(int) const override { return {}; }
  std::optional<Message> receive_if_any() const override { return {}; }
  RankUsage usage() const override { return {}; }
};

}  // namespace daewave::testing
