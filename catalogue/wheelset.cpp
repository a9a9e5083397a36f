#include "problems/wheelset.hpp"

#include "catalogue/erased_invariant.hpp"
#include "catalogue/makers.hpp"

namespace daewave::catalogue {

InitialValueProblemPtr make_wheelset(const Parameters& parameters) {
  problems::Wheelset wheelset;
  wheelset.t_end = positive(parameters, "t-end");
  wheelset.v0 = positive(parameters, "speed");
  return std::make_shared<ErasedInvariant<problems::Wheelset>>(wheelset);
}

}  // namespace daewave::catalogue
