#pragma once
// UTF-8 text as code points, and how many terminal cells they take.

#include <string>
#include <string_view>

namespace daewave::io {

/// The code points of `text`; each byte that is no part of valid UTF-8 becomes U+FFFD.
std::u32string decode_utf8(std::string_view text);

/// Appends one code point to `text`.
void append_utf8(std::string& text, char32_t point);

/// Cells `text` takes on a terminal: 0 for combining marks and controls, 2 for wide East Asian
/// characters and pictographs, else 1.
int display_width(std::string_view text);

}  // namespace daewave::io
