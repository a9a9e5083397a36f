#include "io/svg_text.hpp"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "io/utf8.hpp"

namespace daewave::io {

namespace {

constexpr double kScriptSize = 0.75;  // of a subscript relative to its base

struct Piece {
  std::string text;
  int level = 0;  // 1 above, -1 below the baseline
};

// A "_{" or "^{" without its "}" is ordinary text.
std::vector<Piece> split_scripts(std::string_view text) {
  std::vector<Piece> pieces(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool opens =
        (text[i] == '_' || text[i] == '^') && i + 1 < text.size() && text[i + 1] == '{';
    const std::size_t close = opens ? text.find('}', i) : std::string_view::npos;
    if (close == std::string_view::npos) {
      pieces.back().text += text[i];
      continue;
    }
    pieces.push_back({std::string(text.substr(i + 2, close - i - 2)), text[i] == '^' ? 1 : -1});
    pieces.push_back({});
    i = close;
  }
  return pieces;
}

// Widths in DejaVu Sans, the widest of the usual fonts, relative to the size.
double letter_width(char32_t c) {
  if (c >= 0x80) {
    std::string letter;
    append_utf8(letter, c);
    const int cells = display_width(letter);
    return cells == 2 ? 1.05 : cells == 0 ? 0 : 0.75;
  }
  const std::string_view narrow = " !'(),./:;I[\\]fijlrt|";
  const std::string_view wide = "#%+<=>@GHMNOQWmw~";
  const char letter = static_cast<char>(c);
  if (narrow.find(letter) != std::string_view::npos) return 0.42;
  if (wide.find(letter) != std::string_view::npos) return 0.86;
  return letter >= 'A' && letter <= 'Z' ? 0.72 : 0.64;
}

std::string set_scripts(std::string_view text, double size) {
  std::string out;
  double raised = 0;
  for (const Piece& piece : split_scripts(text)) {
    if (piece.text.empty()) continue;
    const double wanted = piece.level > 0 ? 0.4 * size : piece.level < 0 ? -0.2 * size : 0;
    std::string attributes;
    if (wanted != raised) attributes += fmt::format(" dy=\"{:.1f}\"", raised - wanted);
    if (piece.level != 0) attributes += fmt::format(" font-size=\"{:.1f}\"", kScriptSize * size);
    raised = wanted;
    const std::string escaped = escape_xml(piece.text);
    out += attributes.empty() ? escaped : fmt::format("<tspan{}>{}</tspan>", attributes, escaped);
  }
  return out;
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  for (const char32_t c : decode_utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      case '\t':
      case '\n':
      case '\r':
        out += ' ';
        break;
      default:
        append_utf8(out, c < 0x20 || c == 0xFFFE || c == 0xFFFF ? 0xFFFD : c);
    }
  }
  return out;
}

std::string plain_text(std::string_view text) {
  std::string out;
  for (const Piece& piece : split_scripts(text)) out += piece.text;
  return out;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const Piece& piece : split_scripts(text)) {
    const double scale = piece.level == 0 ? size : kScriptSize * size;
    for (const char32_t c : decode_utf8(piece.text)) width += scale * letter_width(c);
  }
  return width;
}

std::string fit_text(const std::string& text, double width, double size) {
  if (text_width(text, size) <= width) return text;
  std::string out;
  double used = size;  // the ellipsis
  for (const char32_t c : decode_utf8(plain_text(text))) {
    used += size * letter_width(c);
    if (used > width) break;
    append_utf8(out, c);
  }
  return out + "\u2026";
}

void draw_text(std::string& svg, double x, double y, std::string_view text,
               const TextStyle& style) {
  if (text.empty()) return;
  constexpr const char* anchors[] = {"start", "middle", "end"};
  auto out = std::back_inserter(svg);
  fmt::format_to(out,
                 "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" text-anchor=\"{}\" "
                 "fill=\"{}\"",
                 x, y, style.size, anchors[static_cast<int>(style.anchor)], style.color);
  if (style.bold) svg += " font-weight=\"bold\"";
  if (style.upwards) fmt::format_to(out, " transform=\"rotate(-90 {:.1f} {:.1f})\"", x, y);
  fmt::format_to(out, ">{}</text>\n", set_scripts(text, style.size));
}

}  // namespace daewave::io
