#include "problems/andrews.hpp"

#include "catalogue/makers.hpp"

namespace daewave::catalogue {

InitialValueProblemPtr make_andrews(const Parameters& parameters) {
  return initial_value_problem(problems::Andrews{}, positive(parameters, "t-end"));
}

}  // namespace daewave::catalogue
