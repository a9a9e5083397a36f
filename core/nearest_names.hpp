#pragma once
// Names that someone may have meant who wrote another.

#include <string>
#include <vector>

namespace daewave {

/// Those that differ from `name` by a few letters left out, put in, changed or exchanged, or that
/// begin with it; the nearest first, three at most.
std::vector<std::string> nearest_names(const std::string& name,
                                       const std::vector<std::string>& known);

/// " (did you mean pendulum?)"; empty where nothing is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

}  // namespace daewave
