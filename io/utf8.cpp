#include "io/utf8.hpp"

namespace daewave::io {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Decoded {
  char32_t point = kReplacement;
  std::size_t length = 1;
};

Decoded decode_first(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  char32_t point = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {};
    point = (point << 6) | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (overlong || surrogate || point > 0x10FFFF) return {};
  return {point, length};
}

int cells(char32_t c) {
  if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return 0;
  if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || (c >= 0x20D0 && c <= 0x20FF) ||
      (c >= 0xFE00 && c <= 0xFE0F)) {
    return 0;
  }
  const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                    (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                    (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                    (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) ||
                    (c >= 0x20000 && c <= 0x3FFFD);
  return wide ? 2 : 1;
}

}  // namespace

std::u32string decode_utf8(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  while (!text.empty()) {
    const Decoded first = decode_first(text);
    points.push_back(first.point);
    text.remove_prefix(first.length);
  }
  return points;
}

void append_utf8(std::string& text, char32_t point) {
  const auto push = [&](char32_t bits) { text.push_back(static_cast<char>(bits)); };
  if (point < 0x80) {
    push(point);
    return;
  }
  const int tail = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  push((0xFF00u >> (tail + 1) & 0xFFu) | (point >> (6 * tail)));
  for (int i = tail - 1; i >= 0; --i) push(0x80u | (point >> (6 * i) & 0x3Fu));
}

int display_width(std::string_view text) {
  int width = 0;
  for (const char32_t point : decode_utf8(text)) width += cells(point);
  return width;
}

}  // namespace daewave::io
