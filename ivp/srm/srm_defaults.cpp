#include "ivp/srm/srm_defaults.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/eigenvalues.hpp"
#include "core/error.hpp"
#include "core/kernels/with_kernel.hpp"
#include "ivp/srm/srm_look.hpp"

namespace daewave::ivp {
namespace {

/// Of what is stable; the rest is for rates that are larger than at the start.
constexpr double safety = 0.9;

void add(SrmChoices& chosen, const char* name, std::string value, bool by_user,
         std::string reason) {
  chosen.choices.push_back({name, std::move(value), by_user, by_user ? "" : std::move(reason)});
}

/// Of the constraints, times epsilon: h rate / epsilon is what must be stable.
double rate(const SrmStart& start, const Regularization& form) {
  const double damping = form.alpha2 * start.GBE;
  if (form.alpha1 == 0) return damping;
  return form.epsilon * form.alpha2 / form.alpha1;  // Not stiff: v' + (alpha2 / alpha1) v.
}

/// epsilon / (alpha1 |GBE|): the error that the first iterate leaves, which the second one squares.
double share_of_alpha1(const Options& options) {
  return options.h ? 1e-4 : std::min(1e-4, 0.1 * std::sqrt(options.rtol));
}

const char* reason_for(Variant variant) {
  return carries_By(variant) ? "passes points where the constraints become dependent" : "";
}

void choose_epsilon(const SrmStart& start, const Srm& asked, const Options& options,
                    const SrmFormula& formula, SrmChoices& chosen) {
  Regularization& form = chosen.form;
  const auto& given = asked.epsilon;
  const double unit = rate(start, form);
  if (form.alpha1 != 0) {
    form.epsilon = given.value_or(form.alpha1 * start.GBE * share_of_alpha1(options));
    add(chosen, "epsilon", fmt::format("{:.3g}", form.epsilon), given.has_value(),
        fmt::format("alpha1 > 0 is not stiff, and each iterate gains epsilon / (alpha1 |GBE|), "
                    "with |GBE| = {:.3g}: small enough for two",
                    start.GBE));
    return;
  }
  if (options.h) {
    const bool implicit = std::isinf(formula.stable);
    // Halfway to the limit of stability: epsilon = h for Heun's formula and E = (GB)^-1. Measured
    // for collocation: with epsilon = h/10 or less each iterate gains a power of h.
    const double ratio = implicit ? 10 : formula.stable / 2;
    form.epsilon = given.value_or(*options.h * unit / ratio);
    add(chosen, "epsilon", fmt::format("{:.3g}", form.epsilon), given.has_value(),
        implicit
            ? fmt::format("h |GBE| / epsilon = 10 for h = {:g}: small beside h, as {} is stable "
                          "with any",
                          *options.h, formula.name)
            : fmt::format("h = {:g} is half of what is stable then: h |GBE| / epsilon = {:.3g}",
                          *options.h, ratio));
    return;
  }
  const double share = 0.1 * std::pow(options.rtol, 1.0 / formula.order);
  form.epsilon = given.value_or(share * start.time_scale);
  add(chosen, "epsilon", fmt::format("{:.3g}", form.epsilon), given.has_value(),
      fmt::format("0.1 rtol^(1/{}) of the time scale {:.3g} of the solution at its start: as short "
                  "as the steps of that tolerance are",
                  formula.order, start.time_scale));
}

void choose_iterates(const SrmStart& start, const Srm& asked, const Options& options,
                     const SrmFormula& formula, SrmChoices& chosen) {
  const auto& given = asked.iterates;
  if (given && *given < 1) {
    throw InvalidOption(fmt::format("iterates = {}: must be >= 1", *given));
  }
  if (chosen.form.alpha1 != 0) {
    chosen.iterates = given.value_or(2);
    add(chosen, "iterates", fmt::format("{}", chosen.iterates), given.has_value(),
        "alpha1 > 0 is not stiff: epsilon is so small that one suffices, and another tells its "
        "error");
    return;
  }
  if (options.h) {
    const int enough = formula.reached + 1;
    chosen.iterates = given.value_or(enough);
    add(chosen, "iterates", fmt::format("{}", chosen.iterates), given.has_value(),
        fmt::format("epsilon is in proportion to h: {} iterates reach the order {} that x has then",
                    enough, formula.reached));
    return;
  }
  const double gain = std::log(std::min(0.5, 2 * chosen.form.epsilon / start.time_scale));
  const double needed = 1 + std::ceil(std::log(options.rtol) / gain);
  chosen.one_suffices = needed <= 2;
  chosen.iterates = given.value_or(static_cast<int>(std::clamp(needed, 2.0, 12.0)));
  add(chosen, "iterates", fmt::format("{}", chosen.iterates), given.has_value(),
      fmt::format("(2 epsilon / time scale)^iterates below rtol = {:g}, and one more",
                  options.rtol));
}

void check_growth(const SrmStart& start, const Regularization& form) {
  // Where GB vanishes its sign is that of rounding.
  if (!(start.least_eigenvalue < -1e-10)) return;
  throw InvalidOption(fmt::format(
      "weight = {}: GB has the eigenvalue {:.3g} |GB| at the start, so the regularized equation "
      "grows; take weight = inverse; or weight = transpose",
      name_of(form.weight), start.least_eigenvalue));
}

/// Least pivot of a matrix whose diagonal is scaled to 1; 0 where that has what is not positive.
double least_pivot(const MatX& M) {
  if (!(M.diagonal().array() > 0).all()) return 0;
  const VecX scale = M.diagonal().cwiseSqrt().cwiseInverse();
  const MatX scaled = scale.asDiagonal() * M * scale.asDiagonal();
  return Eigen::LDLT<MatX>(scaled).vectorD().minCoeff();
}

/// Forces are divided by M here, on all motions; index reduction needs it on those only that the
/// constraints allow. Of a matrix that is singular to rounding a factor may still be found.
void require_regular_mass(const DaeProblem& problem, const VecX& z, double t) {
  const bool dense = problem.structure().mass == Structure::Mass::dense;
  if (problem.kind() != Kind::multibody || !dense) return;
  const int n = problem.sizes().nq;
  const auto evaluation = problem.evaluation();
  const double* const entries =
      evaluation->evaluate(Ask::M, {.t = &t, .q = z.data(), .v = z.data() + n}).M;
  if (entries == nullptr) return;
  const MatX M = Eigen::Map<const MatX>(entries, n, n);
  const double pivot = M.allFinite() ? least_pivot(M) : 1;
  if (pivot > 16 * n * std::numeric_limits<double>::epsilon()) return;
  throw InvalidOption(fmt::format(
      "method = srm: M is singular at t = {:g} (least pivot {:.1e} of a diagonal of 1), and srm "
      "divides by it; take method = s-both2, which needs M regular on the motions alone that the "
      "constraints allow{}",
      t, pivot,
      problem.structure().has_curvature
          ? ""
          : ", with curvature(q, v, t) given or with_autodiff(problem), and without constraints "
            "that are stated twice"));
}

void warn_of_undamped_mode(const SrmStart& start, const Options& options, const SrmFormula& formula,
                           SrmChoices& chosen) {
  constexpr double oblique = 1.01;
  const Regularization& form = chosen.form;
  if (!options.h || formula.damps || form.alpha1 != 0 || start.obliqueness < oblique) return;
  // With the epsilon that is chosen where none is given, a tenth of h, the mode is damped.
  if (form.epsilon >= 0.09 * *options.h * rate(start, form)) return;
  chosen.warnings.push_back(fmt::format(
      "{} with epsilon = {:g} far below h = {:.3g} does not damp the constraint mode, which may "
      "grow over a long horizon, as the constraint is not normal to the range of B; leave epsilon "
      "open; or take stepper = radau",
      formula.name, form.epsilon, *options.h));
}

}  // namespace

double detail::least_eigenvalue(const MatX& A) {
  const double size = A.cwiseAbs().maxCoeff();
  if (!(size > 0) || !A.allFinite()) return 0;
  return eigenvalues(A).real().minCoeff() / size;
}

SrmChoices choose_form(const SrmStart& start, const Srm& asked, double rank_tolerance) {
  SrmChoices chosen;
  Regularization& form = chosen.form;
  const bool differentiated = asked.alpha1 && *asked.alpha1 > 0;
  Variant open = Variant::singular;
  std::string reason = reason_for(open);
  if (differentiated) {
    open = start.second_order ? Variant::baumgarte_form : Variant::direct;
    reason = "the one that has alpha1";
  } else if (asked.weight && *asked.weight != Weight::inverse) {
    open = start.second_order ? Variant::invariant : Variant::direct;
    reason = "the one that has the weight asked for";
  }
  form.variant = asked.variant.value_or(open);
  add(chosen, "variant", name_of(form.variant), asked.variant.has_value(), reason);

  const bool cheap = start.multibody && form.variant == Variant::invariant;
  form.weight = asked.weight.value_or(cheap ? Weight::identity : Weight::inverse);
  add(chosen, "weight", name_of(form.weight), asked.weight.has_value(),
      cheap ? "G M^-1 G^T is positive definite, and E = I never forms it"
            : "damps all constraints at the rate 1/epsilon");
  form.alpha1 = asked.alpha1.value_or(0);
  form.alpha2 = asked.alpha2.value_or(1);
  form.alpha3 = asked.alpha3.value_or(1);
  form.rank_tolerance = rank_tolerance;
  if (start.second_order) {
    check_index_3(form, start.reducible);
  } else {
    check_index_2(form);
  }
  return chosen;
}

[[noreturn]] void refuse_unstable(double h, double largest, const Regularization& form,
                                  const SrmFormula& formula) {
  if (form.alpha1 != 0) {
    throw InvalidOption(
        fmt::format("h = {:g} with alpha1 = {:g} and alpha2 = {:g}: constraints are damped at the "
                    "rate alpha2 / "
                    "alpha1, whatever epsilon is, and {} is stable for h <= {:.3g}; take h = "
                    "{:.3g}; or leave h "
                    "open",
                    h, form.alpha1, form.alpha2, formula.name, largest, 0.99 * largest));
  }
  throw InvalidOption(fmt::format(
      "h = {:g} with epsilon = {:g}: {} is stable for h <= {:.3g} epsilon; leave epsilon "
      "open; or take h = {:.3g}; or epsilon = {:.3g}",
      h, form.epsilon, formula.name, largest / form.epsilon, 0.99 * largest,
      1.01 * h * form.epsilon / largest));
}

void choose_numbers(const SrmStart& start, const Srm& asked, const Options& options,
                    const SrmFormula& formula, SrmChoices& chosen) {
  chosen.time_scale = start.time_scale;
  choose_epsilon(start, asked, options, formula, chosen);
  const Regularization& form = chosen.form;
  if (start.second_order) {
    check_index_3(form, start.reducible);
  } else {
    check_index_2(form);
  }
  check_growth(start, form);
  warn_of_undamped_mode(start, options, formula, chosen);
  const double largest = formula.stable * form.epsilon / rate(start, form);
  // With E = (GB)^-1 the rate is the same everywhere, and certain.
  if (options.h && *options.h > largest * (1 + 1e-12) && form.weight == Weight::inverse) {
    refuse_unstable(*options.h, largest, form, formula);
  }
  chosen.largest_step = std::min(safety * largest, options.largest_step.value_or(largest));
  choose_iterates(start, asked, options, formula, chosen);
}

SrmChoices choose_srm(const DaeProblem& problem, const VecX& z, const Interval& span,
                      const Srm& asked, const Options& options, const SrmFormula& formula) {
  require_regular_mass(problem, z, span.begin);
  SrmStart kind;
  kind.second_order = problem.has_velocity();
  kind.multibody = problem.kind() == Kind::multibody;
  kind.reducible = problem.kind() == Kind::index_2 || problem.structure().has_curvature;
  SrmChoices chosen = choose_form(kind, asked, options.rank_tolerance);
  const SrmStart start =
      with_kernel(problem, [&](const auto& kernel) { return look(kernel, z, span, chosen.form); });
  choose_numbers(start, asked, options, formula, chosen);
  return chosen;
}

}  // namespace daewave::ivp
