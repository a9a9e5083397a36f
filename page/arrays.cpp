#include "page/arrays.hpp"

#include <bit>
#include <cstdint>

namespace daewave::page {
namespace {

std::string base64(const std::vector<double>& values) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((values.size() * 8 + 2) / 3 * 4);
  std::uint32_t bits = 0;
  int bytes = 0;
  const auto put = [&](int count) {
    for (int k = 0; k < count; ++k) text += digits[bits >> (18 - 6 * k) & 63];
  };
  for (const double value : values) {
    const auto word = std::bit_cast<std::uint64_t>(value);
    for (int k = 0; k < 8; ++k) {
      bits |= static_cast<std::uint32_t>(word >> (8 * k) & 255) << (16 - 8 * bytes);
      if (++bytes < 3) continue;
      put(4);
      bits = 0;
      bytes = 0;
    }
  }
  if (bytes > 0) {
    put(bytes + 1);
    text.append(static_cast<std::size_t>(3 - bytes), '=');
  }
  return text;
}

}  // namespace

int Arrays::add(const std::vector<double>& values) {
  std::string text = base64(values);
  const auto [found, is_new] = number_of_.try_emplace(text, static_cast<int>(texts_.size()));
  if (is_new) texts_.push_back(std::move(text));
  return found->second;
}

}  // namespace daewave::page
