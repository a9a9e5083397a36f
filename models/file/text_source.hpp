#pragma once
// The text of a model, and messages that show a place in it.

#include <string>
#include <vector>

#include "core/error.hpp"

namespace daewave::models {

/// Line and column of the file, from 1; 0 where it is of no place.
struct Place {
  int line = 0, column = 0;
};

/// Larger files are refused.
inline constexpr std::size_t largest_file = 4'000'000;

/// The whole of a file. @throws FileError, ModelError where it is too large.
std::string read_model_text(const std::string& path);

/// What is wrong with a model, with the place, its line and a mark below it:
///
///   mine.toml:7:15: unknown name 'mas' (did you mean mass?)
///     inertia = "mas*l^2/12"
///                ^
class ModelError : public InvalidProblem {
 public:
  using InvalidProblem::InvalidProblem;
};

class TextSource {
 public:
  /// @param name  of the file, or whatever messages are to say.
  TextSource(std::string name, const std::string& text);

  const std::string& name() const { return name_; }
  /// Counted from 1; empty beyond the end.
  const std::string& line(int number) const;

  [[noreturn]] void fail(const Place& at, const std::string& what) const;
  /// Of an expression that begins in a string at `at`, `offset` bytes into it. Where the string is
  /// not there as it is (several lines, escapes), the expression itself is shown.
  [[noreturn]] void fail(const Place& at, const std::string& expression, std::size_t offset,
                         const std::string& what) const;

 private:
  std::string name_;
  std::vector<std::string> lines_;
};

}  // namespace daewave::models
