#pragma once
// What the problems of the catalogues are, in words and formulas: for those who have their names.

#include <string>

namespace daewave::catalogue {

struct Description {
  std::string equations;    ///< Lines, with the conditions or the start; solution where known.
  std::string coordinates;  ///< What x, or q, is.
  std::string units;
};

/// Of a name in any of the catalogues. @throws Error where there is none.
Description description_of(const std::string& name);

}  // namespace daewave::catalogue
