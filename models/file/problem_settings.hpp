#pragma once
// What the tables `solve` and `output` of a file say of the problem itself, and not of how it is
// solved: whoever reads the file is given that problem.
//
//   [solve]
//   set = ["m=5", "l=3"]   # instead of what [parameters] says
//   links = 4              # the same as "links=4"
//   t-end = 3              # instead of the end that t says

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/expression/syntax.hpp"
#include "models/file/table_reader.hpp"

namespace daewave::models {

struct ProblemSettings {
  std::vector<std::pair<std::string, double>> set;
  std::optional<Written> t_end;  ///< May be made of parameters.
};

/// Whether a key of these tables is one of such; with _ for - too.
bool is_of_problem(const std::string& key);

/// @throws ModelError  for what is no parameter of the file, no number, or said twice.
ProblemSettings problem_settings(TableReader& file);

}  // namespace daewave::models
