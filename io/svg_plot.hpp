#pragma once
// A figure as an SVG file that needs nothing else to be looked at.

#include <string>

#include "io/figure.hpp"

namespace daewave::io {

/// The picture: panels on a grid under the titles, on white, with a description for readers who do
/// not see it. Series of any length are thinned so that every peak stays visible and a series takes
/// some 20 kB.
///
/// @throws InvalidOption when `columns` < 1; Error when a series has unequal numbers of x and y.
std::string render_svg(const Figure& figure);

/// Writes `render_svg`. @throws the same; FileError, and then `path` is as it was.
void write_svg(const std::string& path, const Figure& figure);

}  // namespace daewave::io
