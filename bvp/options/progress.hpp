#pragma once
// How far a long solve has come.

#include <functional>
#include <string>

namespace daewave::bvp {

struct Progress {
  std::string phase;    ///< "condense", "iterate 2", "looking between the stages", ...
  double fraction = 0;  ///< Of this phase, 0 to 1.
  int intervals = 0;    ///< Of the mesh in work.
};

/// Returns false to stop.
using ProgressFunction = std::function<bool(const Progress&)>;

}  // namespace daewave::bvp
