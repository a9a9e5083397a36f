#include "cli/sweep/shard.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "core/error.hpp"

namespace daewave::cli {
namespace {

/// 0 where it is none.
int positive(const char* begin, const char* end) {
  int value = 0;
  const auto [last, error] = std::from_chars(begin, end, value);
  return error == std::errc() && last == end && value > 0 ? value : 0;
}

}  // namespace

Shard shard_from(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t slash = text.find('/');
  Shard shard{0, 0};
  if (slash != std::string::npos) {
    const char* const begin = text.data();
    shard = {positive(begin, begin + slash), positive(begin + slash + 1, begin + text.size())};
  }
  if (shard.number == 0 || shard.of == 0 || shard.number > shard.of) {
    throw InvalidOption(fmt::format(
        "--shard {}: must be K/N with 1 <= K <= N, such as 3/64, the third of 64 parts", text));
  }
  return shard;
}

}  // namespace daewave::cli
