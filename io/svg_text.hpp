#pragma once
// Text in SVG: escaped, measured, shortened, with subscripts and superscripts.

#include <string>
#include <string_view>

namespace daewave::io {

/// `text` for use in XML text or attributes: markup escaped; what XML 1.0 forbids, and bytes that
/// are not UTF-8, replaced by U+FFFD.
std::string escape_xml(std::string_view text);

/// `text` without the marks of "_{...}" and "^{...}".
std::string plain_text(std::string_view text);

/// An upper estimate of the width in pixels; fonts differ from viewer to viewer.
double text_width(std::string_view text, double size);

/// `text` where it fits into `width` pixels, else its beginning as plain text and an ellipsis.
std::string fit_text(const std::string& text, double width, double size);

enum class Anchor { start, middle, end };

/// How a text is set; the point given with it is on its baseline.
struct TextStyle {
  double size = 12;
  Anchor anchor = Anchor::middle;
  const char* color = "#222222";
  bool bold = false;
  bool upwards = false;  ///< Rotated by a quarter turn to the left.
};

/// Appends a text element to `svg`.
void draw_text(std::string& svg, double x, double y, std::string_view text,
               const TextStyle& style = {});

}  // namespace daewave::io
