#include "ivp/options/srm.hpp"

#include "ivp/options/number_rules.hpp"

namespace daewave::ivp {

namespace {

constexpr int most_iterates = 10000;

}  // namespace

void check(const Srm& srm) {
  detail::require_positive("epsilon", srm.epsilon);
  detail::require_at_least_one("iterates", srm.iterates);
  if (srm.iterates) {
    detail::require(*srm.iterates <= most_iterates, "iterates", *srm.iterates,
                    "<= 10000; each gains a factor epsilon, and a smaller one serves better");
  }
  detail::require_not_negative("alpha1", srm.alpha1);
  detail::require_not_negative("alpha2", srm.alpha2);
  detail::require_not_negative("alpha3", srm.alpha3);
  if (srm.exact_start) {
    detail::require(*srm.exact_start >= -1 && *srm.exact_start <= 2, "exact_start",
                    *srm.exact_start, "-1 (y_0 = 0), 0, 1 or 2");
  }
}

}  // namespace daewave::ivp
