#include "problems/wheelset.hpp"

#include "catalogue/makers.hpp"

namespace daewave::catalogue {

InitialValueProblemPtr make_wheelset(const Parameters& parameters) {
  problems::Wheelset wheelset;
  wheelset.t_end = positive(parameters, "t-end");
  wheelset.v0 = positive(parameters, "speed");
  return initial_value_problem(wheelset, wheelset.t_end);
}

}  // namespace daewave::catalogue
