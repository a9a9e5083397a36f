#pragma once
// Where results may go: looked at before work starts, so that an hour's solve is not lost to a
// typo.

#include <string>
#include <vector>

namespace daewave::cli {

/// A file that was named on the command line.
struct NamedPath {
  std::string option;  ///< "--csv".
  std::string path;    ///< Empty: not given; "-": standard output.
};

/// @param outputs  are written, each in one piece.
/// @throws InvalidOption when a directory does not exist, cannot be written to, or a path is one;
///         when two of them are the same file, by whatever names, or one is that to which standard
///         output goes.
void check_output_paths(const std::vector<NamedPath>& outputs);

/// @throws InvalidOption when `input` would be replaced by one of `outputs`.
void check_input_path(const NamedPath& input, const std::vector<NamedPath>& outputs);

/// @param problem  of the command line. @throws as check_input_path() where it is a model file.
void check_model_path(const std::string& problem, const std::vector<NamedPath>& outputs);

}  // namespace daewave::cli
