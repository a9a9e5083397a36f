#include "catalogue/makers.hpp"
#include "problems/al2.hpp"

namespace daewave::catalogue {
namespace {

template <SemiExplicitDae P>
InitialValueProblemPtr example(const P& problem, const Parameters& parameters) {
  Known known{problem.name(), {0, positive(parameters, "t-end")}};
  known.reference = [problem](double t) { return VecX(problem.z_exact(t)); };
  return std::make_shared<const InitialValueProblem>(problem_of(problem), VecX(problem.start()),
                                                     known);
}

}  // namespace

InitialValueProblemPtr make_al2_example3_1(const Parameters& parameters) {
  return example(problems::Al2Example31{}, parameters);
}
InitialValueProblemPtr make_al2_example6_1(const Parameters& parameters) {
  return example(problems::Al2Example61{}, parameters);
}
InitialValueProblemPtr make_al2_example6_2(const Parameters& parameters) {
  return example(problems::Al2Example62{}, parameters);
}
InitialValueProblemPtr make_al2_example6_3(const Parameters& parameters) {
  return example(problems::Al2Example63{}, parameters);
}

}  // namespace daewave::catalogue
