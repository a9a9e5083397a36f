#pragma once
// What the program says. Text that is lost must not cost the files of a long run: it is told at the
// end, when these are written.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace daewave::cli {

/// Where the program was begun with a stream closed, the next file opened would take its place:
/// fills these places. What is then said is lost, and told so. Call first. A reader that has left
/// ends no run: what is said is lost then, and told so.
void fill_standard_streams();

/// To standard output. Throws nothing where that cannot be written.
void say_text(std::string_view text);
/// To standard error, likewise.
void complain_text(std::string_view text);

template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  say_text(fmt::format(format, std::forward<T>(values)...));
}
template <class... T>
void complain(fmt::format_string<T...> format, T&&... values) {
  complain_text(fmt::format(format, std::forward<T>(values)...));
}

/// Sends on what was said, where the reader takes it at once: for ends that do not wait.
void flush_standard_output();

/// Ends standard output. Empty where all that was said has arrived; otherwise why not, in words.
std::string end_standard_output();

}  // namespace daewave::cli
