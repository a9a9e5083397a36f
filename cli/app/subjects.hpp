#pragma once
// Pages of daewave help that are of no command.

#include <string>
#include <vector>

namespace daewave::cli {

struct Subject {
  const char* name;
  const char* summary;  ///< One line.
  const char* text;
};

const std::vector<Subject>& subjects();

}  // namespace daewave::cli
