#pragma once
// Pictures of errors over step sizes.

#include <string>
#include <vector>

#include "io/figure.hpp"
#include "reproduce/effort_precision.hpp"

namespace daewave::cli {

/// A panel for each, two side by side; both axes logarithmic.
io::Figure effort_figure(const std::string& title,
                         const std::vector<reproduce::ErrorPanel>& panels);

}  // namespace daewave::cli
