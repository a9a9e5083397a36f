#include "problems/scissors.hpp"

#include "catalogue/makers.hpp"

namespace daewave::catalogue {

InitialValueProblemPtr make_scissors(const Parameters& parameters) {
  const problems::Scissors scissors(whole_number(parameters, "links", 100000));
  return initial_value_problem(scissors, positive(parameters, "t-end"));
}

}  // namespace daewave::catalogue
