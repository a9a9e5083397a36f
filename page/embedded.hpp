#pragma once
// Texts that a page is made of, put into the library when it is built (embed.cmake).

#include <string_view>

namespace daewave::page::embedded {

extern const std::string_view page, styles, scripts;  ///< Of web/.
extern const std::string_view dygraphs, dygraphs_synchronizer, dygraphs_styles, dygraphs_licence;
extern const std::string_view three, three_orbit_controls, three_licence;

}  // namespace daewave::page::embedded
