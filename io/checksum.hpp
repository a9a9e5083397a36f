#pragma once
// 64 bits of Fowler, Noll and Vo (FNV-1a): tells what was changed by accident or by hand.

#include <cstdint>
#include <string>
#include <string_view>

namespace daewave::io {

class Checksum {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) sum_ = (sum_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  }
  /// 16 digits, hexadecimal.
  std::string text() const {
    std::string digits(16, '0');
    for (int i = 0; i < 16; ++i) digits[15 - i] = "0123456789abcdef"[sum_ >> (4 * i) & 15U];
    return digits;
  }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325U;
};

}  // namespace daewave::io
