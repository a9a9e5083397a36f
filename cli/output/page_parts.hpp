#pragma once
// What pages of initial and of boundary value solves have in common.

#include <string>

#include "core/report/report.hpp"
#include "io/figure.hpp"
#include "page/page.hpp"

namespace daewave::cli {

/// A little more than a wide screen has.
inline constexpr int rows_of_a_screen = 3000;
/// More marks would lie over each other.
inline constexpr std::size_t most_marks = 100;

/// How it went, and the singular points on the way. @param json  of the report.
page::Run run_about(const Report& report, const std::string& label, const std::string& json);

/// A panel of a picture as a plot: those series that are over the t of the first.
page::Plot plot_of(const io::Panel& panel);

/// What components of that unit are: "Velocities".
std::string title_of_unit(const std::string& unit);

/// What a problem is called on its page: of a model file its title.
std::string title_of(const std::string& problem);

/// Name and version of the program.
std::string made_by();

}  // namespace daewave::cli
