#pragma once
// What the scripts of a page read, as JSON.

#include <string>

#include "page/page.hpp"

namespace daewave::page {

/// @throws InvalidOption as html_of(). May stand inside of a script element.
std::string data_of(const Page& page);

}  // namespace daewave::page
