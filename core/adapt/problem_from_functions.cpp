#include "core/adapt/problem_from_functions.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/adapt/foreseen.hpp"
#include "core/adapt/function_arrays.hpp"
#include "core/adapt/function_evaluation.hpp"
#include "core/error.hpp"
#include "core/problem/by_differences.hpp"
#include "core/problem/dear_calls.hpp"

namespace daewave {
namespace {

Structure structure_of(const ProblemFunctions& of) {
  Structure structure;
  structure.mass = of.mass;
  structure.mass_constant = of.mass_constant;
  if (!of.pattern.empty()) structure.constraints = Structure::Constraints::sparse;
  structure.has_curvature = static_cast<bool>(of.curvature) || of.differences;
  structure.has_energy = static_cast<bool>(of.energy);
  structure.has_f_jacobian = static_cast<bool>(of.f_q);
  if (of.kind == Kind::invariants) {
    structure.has_jacobian = structure.has_curvature = false;
    structure.position_invariants = of.position_invariants.value_or(of.sizes.nh);
    structure.positions = of.positions.value_or(of.sizes.nq);
  }
  return structure;
}

class FunctionProblem final : public DaeProblem, public DearCalls, public KnowsDifferences {
 public:
  explicit FunctionProblem(ProblemFunctions of)
      : DaeProblem(of.kind, of.sizes, structure_of(of)),
        of_(std::make_shared<const ProblemFunctions>(std::move(of))),
        foreseen_(of_->dear_calls ? std::make_shared<Foreseen>() : nullptr) {
    if (of_->pattern.empty()) return;
    pattern_ = std::make_shared<const SparsePattern>(sizes().nl(), sizes().nq, of_->pattern);
  }

  std::unique_ptr<Evaluation> evaluation() const override {
    return function_evaluation(of_, pattern_, foreseen_);
  }
  std::string name() const override { return of_->name; }
  bool calls_are_dear() const override { return of_->dear_calls; }
  bool is_by_differences(Ask what) const override {
    if (!of_->differences) return false;
    const bool given = what == Ask::G           ? static_cast<bool>(of_->G)
                       : what == Ask::g_t       ? static_cast<bool>(of_->g_t)
                       : what == Ask::curvature ? static_cast<bool>(of_->curvature)
                       : what == Ask::H         ? static_cast<bool>(of_->H)
                                                : true;
    return !given;
  }
  void foresee(Ask what, const Points& at) const override {
    if (!foreseen_) return;
    foreseen_->forget();
    if (at.count == 0) return;
    const auto evaluation = function_evaluation(of_, pattern_, nullptr);
    know(what, at, evaluation->evaluate(what, at));
  }
  void know(Ask what, const Points& at, const Terms& terms) const override {
    if (foreseen_) foreseen_->set(foreseen_points(*of_, what, at, terms));
  }
  double energy(const double* q, const double* v) const override {
    return of_->energy ? of_->energy(q, v) : 0;
  }
  std::optional<VecX> start() const override { return of_->start; }
  std::optional<VecX> start_algebraic() const override { return of_->start_algebraic; }
  std::optional<Interval> interval() const override { return of_->interval; }

 private:
  std::shared_ptr<const ProblemFunctions> of_;
  SparsePatternPtr pattern_;
  std::shared_ptr<Foreseen> foreseen_;
};

bool may_follow_by_differences(Ask what) {
  return what == Ask::G || what == Ask::g_t || what == Ask::curvature || what == Ask::r_w ||
         what == Ask::H;
}

void check(const ProblemFunctions& of) {
  const auto refuse = [&of](const std::string& why) {
    throw InvalidProblem(
        fmt::format("a problem of functions, of kind \"{}\": {}", name_of(of.kind), why));
  };
  if (of.mass == Structure::Mass::bodies) refuse("mass = bodies: give dense or diagonal");
  if (!of.pattern.empty() && of.kind != Kind::multibody) {
    refuse(fmt::format("pattern has {} entries: only G of multibody has one; leave it empty",
                       of.pattern.size()));
  }
  if (!of.pattern.empty() && of.mass == Structure::Mass::dense) {
    refuse(
        fmt::format("pattern has {} entries: it goes with mass = diagonal; give that, or leave "
                    "the pattern empty and give dense G",
                    of.pattern.size()));
  }
  if (of.differences && of.sizes.nk > 0) {
    refuse(
        "differences = true: they are of g alone, and there are constraints on velocities, nk = " +
        std::to_string(of.sizes.nk) + "; give G, g_t and curvature");
  }
  const std::vector<FunctionArray> arrays = arrays_of(of);
  const FunctionArray* const stated = first_of_f_jacobian(of, arrays, true);
  const FunctionArray* const missing = first_of_f_jacobian(of, arrays, false);
  if (stated != nullptr && missing != nullptr) {
    refuse(fmt::format("{} is given and {} is not: give all derivatives of f and r, or none",
                       stated->name, missing->name));
  }
  for (const FunctionArray& array : arrays) {
    if (of.*array.function || array.rows * array.columns == 0) continue;
    if (is_of_f_jacobian(array.what)) continue;
    if (array.what == Ask::curvature || (array.what == Ask::g_t && of.sizes.nk == 0)) continue;
    const bool follows = may_follow_by_differences(array.what);
    if (follows && of.differences) continue;
    refuse(fmt::format("{} is missing; give it{}", array.name,
                       follows ? ", or take differences = true" : ""));
  }
  const auto check_size = [&](const char* what, const std::optional<VecX>& given, int size) {
    if (!given || given->size() == size) return;
    refuse(fmt::format("{} has {} entries; it must have {}", what, given->size(), size));
  };
  const bool halves = of.kind == Kind::multibody || of.kind == Kind::second_order;
  check_size("start", of.start, (halves ? 2 : 1) * of.sizes.nq);
  check_size("start_algebraic", of.start_algebraic, of.sizes.nw);
}

}  // namespace

DaeProblemPtr problem_from_functions(ProblemFunctions functions) {
  check(functions);
  return std::make_shared<FunctionProblem>(std::move(functions));
}

}  // namespace daewave
