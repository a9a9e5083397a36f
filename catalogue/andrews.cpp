#include "problems/andrews.hpp"

#include "catalogue/erased_problem.hpp"
#include "catalogue/makers.hpp"

namespace daewave::catalogue {

InitialValueProblemPtr make_andrews(const Parameters& parameters) {
  return erase_problem(problems::Andrews{}, positive(parameters, "t-end"));
}

}  // namespace daewave::catalogue
