#include "bvp/linear/choose.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "bvp/linear/mode_rates.hpp"
#include "bvp/linear/parasitic_growth.hpp"
#include "bvp/mesh/fixed_nodes.hpp"
#include "bvp/mesh/mesh_memory.hpp"
#include "bvp/residual/local_error.hpp"
#include "core/error.hpp"

namespace daewave::bvp {
namespace {

constexpr double default_tolerance = 1e-6;

/// Growth rate times step up to which a growing mode is safe from being taken for a decaying one: a
/// part of where it would be, as rates between samples, and near singular points, may be larger.
double most_growth(const Collocation& scheme) {
  constexpr double part = 0.25, least = 1;
  return std::max(least, part * scheme.growing_up_to());
}

/// Bound of the rates of A, with components in units in which its rows and columns are alike: an
/// entry by which one of them sees another one enlarged is no rate.
double rate_of_A(const ConstraintScan& scan) {
  const VecX sizes = LocalError::balancing(scan.entries_of_A);
  const VecX rates = (scan.entries_of_A * sizes).cwiseQuotient(sizes);
  return std::min(scan.largest_A, rates.maxCoeff());
}

class Chooser {
 public:
  Chooser(const LinearDae& problem, const Options& options, const ConstraintScan& scan)
      : problem_(problem), options_(options), scan_(scan), fastest_rate_(rate_of_A(scan)) {}

  Chosen run() {
    chosen_.max_intervals = options_.max_intervals.value_or(chosen_.max_intervals);
    chosen_.max_parasitic_growth =
        options_.max_parasitic_growth.value_or(chosen_.max_parasitic_growth);
    choose_tolerance();
    choose_regularization_form();
    choose_scheme();
    choose_mesh();
    choose_epsilon();
    choose_iterates();
    choose_shooting_back();
    choose_linear_solver();
    guard_against_parasitic_growth();
    if (chosen_.setting.scheme.damps() && chosen_.fastest_mode > 0) {
      chosen_.largest_step = most_growth(chosen_.setting.scheme) / chosen_.fastest_mode;
    }
    // A mesh that is taken as it is may be too coarse for A itself, and takes modes that grow for
    // decaying ones then (all four of `lin`, in steps of 11). Constraint errors slower than A gain
    // nothing there, and errors of x were up to 2e5 times as large by them.
    if (!(chosen_.tolerance > 0)) chosen_.least_decay = fastest_rate_;
    if (carries_parasitic_mode()) chosen_.largest_step = chosen_.setting.mesh.largest_step();
    return std::move(chosen_);
  }

 private:
  void note(std::string name, std::string value, bool by_user, std::string reason) {
    chosen_.choices.push_back(
        {std::move(name), std::move(value), by_user, by_user ? "" : std::move(reason)});
  }

  bool mesh_is_given() const { return options_.mesh || options_.intervals; }

  void choose_tolerance() {
    if (!options_.tolerances.is_open()) {
      const double open = plain_tolerance(options_);
      chosen_.tolerance = wanted_tolerance(options_);
      chosen_.sizes = sizes_of(options_.tolerances, open, problem_.nx(), problem_.nx());
      note("tolerances", text_of(options_.tolerances, open), true, "");
    } else if (options_.tolerance) {
      chosen_.tolerance = *options_.tolerance;
      note("tolerance", fmt::format("{:g}", chosen_.tolerance), true, "");
    } else if (!mesh_is_given()) {
      chosen_.tolerance = default_tolerance;
      note("tolerance", fmt::format("{:g}", chosen_.tolerance), false,
           "neither tolerance nor mesh was given");
    }
  }

  void choose_regularization_form() {
    Regularization& regularization = chosen_.setting.regularization;
    regularization.weight = options_.weight.value_or(Weight::inverse);
    regularization.delta = options_.delta.value_or(regularization.delta);
    note("weight", name_of(regularization.weight), options_.weight.has_value(),
         "B E C is the projector, so all constraint modes decay at the same rate");
    const bool differentiable = problem_.has_constraint_derivatives();
    if (options_.alpha1) {
      regularization.alpha1 = *options_.alpha1;
      note("alpha1", fmt::format("{:g}", regularization.alpha1), true, "");
    } else if (!scan_.regular()) {
      regularization.alpha1 = 0;
      note("alpha1", "0", false, "C B is singular in the interval");
    } else if (!differentiable) {
      regularization.alpha1 = 0;
      note("alpha1", "0", false, "the problem gives no C_t and r_t");
    } else if (regularization.weight != Weight::inverse || options_.epsilon ||
               (options_.scheme && *options_.scheme == Scheme::radau)) {
      regularization.alpha1 = 0;
      note("alpha1", "0", false,
           "the form (3.4), as epsilon, weight or a damping scheme was given");
    } else {
      regularization.alpha1 = 1;
      note("alpha1", "1", false, "C B is regular: no initial layer and no stiffness");
    }
    regularization.alpha2 = options_.alpha2.value_or(1.0);
    note("alpha2", fmt::format("{:g}", regularization.alpha2), options_.alpha2.has_value(),
         "constraint errors decay within a unit of time, or of epsilon where alpha1 = 0");
    if (regularization.alpha1 != 0 && !differentiable) {
      throw InvalidOption(fmt::format(
          "alpha1 = {}: needs C'(t) and r'(t); give the problem C_t(t) and r_t(t), wrap "
          "it in with_differences(problem), or use alpha1 = 0",
          regularization.alpha1));
    }
  }

  void choose_scheme() {
    Scheme scheme = Scheme::gauss;
    if (options_.scheme) {
      scheme = *options_.scheme;
      note("scheme", name_of(scheme), true, "");
    } else if (chosen_.setting.regularization.alpha1 != 0) {
      note("scheme", "gauss", false, "symmetric: treats growing and decaying modes alike");
    } else {
      scheme = Scheme::radau;
      note("scheme", "radau", false, "damps the initial layer and the constraint mode");
    }
    if (scheme == Scheme::radau) chosen_.fastest_mode = fastest_growing_mode(problem_, scan_);
    const StageRange range = stage_range(scheme);
    int stages = range.least;
    if (options_.stages) {
      stages = *options_.stages;
    } else if (scheme != Scheme::midpoint) {
      const double tolerance = chosen_.tolerance > 0 ? chosen_.tolerance : default_tolerance;
      stages = tolerance >= 1e-3 ? 4 : tolerance >= 1e-5 ? 6 : tolerance >= 1e-7 ? 7 : 8;
      if (scheme != Scheme::gauss) ++stages;  // B y has one order less.
      stages = std::clamp(stages, range.least, range.most);
    }
    note("stages", fmt::format("{}", stages), options_.stages.has_value(), "from the tolerance");
    chosen_.setting.scheme = collocation(scheme, stages);
  }

  void choose_mesh() {
    const Interval& interval = problem_.interval();
    check_fixed_nodes(options_, interval, chosen_.max_intervals);
    chosen_.setting.fixed_nodes = options_.fixed_nodes;
    chosen_.bytes_per_interval = bytes_per_interval(
        {problem_.nx(), problem_.ny(), chosen_.setting.scheme},
        chosen_.tolerance > 0 ? KeepSlopes::yes : KeepSlopes::no, options_.linear_solver);
    if (options_.intervals) {
      const int ranks = options_.ranks != nullptr ? options_.ranks->size() : 1;
      check_memory(*options_.intervals / ranks, chosen_.bytes_per_interval);
    }
    const auto with_fixed_nodes = [&](Mesh mesh) {
      if (options_.fixed_nodes.empty()) return mesh;
      return no_more_than(chosen_.max_intervals, with_nodes(mesh, {}, options_.fixed_nodes),
                          options_.fixed_nodes);
    };
    if (options_.mesh) {
      const double slack = 1e-12 * interval.length();
      if (std::abs(options_.mesh->begin() - interval.begin) > slack ||
          std::abs(options_.mesh->end() - interval.end) > slack) {
        throw InvalidOption(fmt::format(
            "mesh on [{}, {}]: must span the interval [{}, {}] of the "
            "problem",
            options_.mesh->begin(), options_.mesh->end(), interval.begin, interval.end));
      }
      chosen_.setting.mesh = with_fixed(*options_.mesh, options_.fixed_nodes);
      note("mesh", fmt::format("{} given intervals", chosen_.setting.mesh.intervals()), true, "");
    } else if (options_.intervals) {
      chosen_.setting.mesh =
          with_fixed_nodes(uniform_mesh(interval.begin, interval.end, *options_.intervals));
      note("intervals", fmt::format("{}", *options_.intervals), true, "");
    } else {
      const double wanted = std::clamp(first_intervals(), 5.0, 65536.0);
      const int intervals = std::min(static_cast<int>(std::ceil(wanted)), chosen_.max_intervals);
      chosen_.setting.mesh =
          with_fixed_nodes(uniform_mesh(interval.begin, interval.end, intervals));
      note("intervals", fmt::format("{} at first", intervals), false,
           "from the time scale of A; chosen anew until the error estimate is met");
    }
    if (!options_.fixed_nodes.empty()) {
      note("fixed_nodes", fmt::format("{:g}", fmt::join(options_.fixed_nodes, ", ")), true, "");
    }
    chosen_.setting.singular = options_.singular;
    if (!scan_.regular()) {
      note("singular", name_of(options_.singular), options_.singular != SingularHandling::automatic,
           "stages at singular points take limits from both sides");
    }
  }

  /// About as many points as time scales of A, where these are few; many may be those of layers,
  /// which a uniform mesh is not made for, or of oscillations.
  double first_intervals() const {
    constexpr double few = 6, of_oscillation = 2;
    if (chosen_.setting.scheme.damps()) return first_intervals_of_damping();
    const double length = problem_.interval().length();
    const double scales = length * fastest_rate_ / chosen_.setting.scheme.stages;
    if (scales <= few) return scales;
    return std::clamp(of_oscillation * oscillations(problem_), few, scales);
  }

  /// Fine enough for the fastest growing mode not to be mistaken for a decaying one. And much finer
  /// where that is cheap: residuals next to rounding are what a mode that grows from the begin
  /// needs, by which errors there are amplified.
  double first_intervals_of_damping() const {
    constexpr double cheap = 1024, finer = 2;
    const double length = problem_.interval().length();
    const Collocation& scheme = chosen_.setting.scheme;
    const double fine = length * std::max(0.5 * fastest_rate_, 2 * chosen_.fastest_mode);
    if (fine <= cheap) return fine;
    const double growing = finer * length * chosen_.fastest_mode / most_growth(scheme);
    return std::max({cheap, growing, length * fastest_rate_ / scheme.stages});
  }

  double damping_numerator() const {
    const double k = chosen_.setting.scheme.stages;
    return chosen_.setting.scheme.scheme == Scheme::lobatto ? 2 * k * (k - 1) : 2 * k * (k + 1);
  }

  int most_sweeps() const { return options_.iterates.value_or(most_iterates); }

  const ParasiticMode& mode() {
    if (mode_.t.empty()) mode_ = parasitic_mode(problem_, scan_, chosen_.setting.mesh);
    return mode_;
  }

  ParasiticGrowth growth_with(double epsilon) {
    return parasitic_growth(mode(), damping_numerator(),
                            epsilon / chosen_.setting.regularization.alpha2, most_sweeps());
  }

  /// 0 when there is none.
  double epsilon_against_growth() {
    return bvp::epsilon_against_growth(mode(), damping_numerator(), most_sweeps(),
                                       chosen_.max_parasitic_growth) *
           chosen_.setting.regularization.alpha2;
  }

  /// On a mesh that is fine enough for it not to be large, where that is open. 0: there is none.
  double damping_epsilon() {
    constexpr double large = 1e-3;
    constexpr int most_intervals = 4096;
    const double length = problem_.interval().length();
    double epsilon = 1.5 * epsilon_against_growth();
    while (!mesh_is_given() && !(epsilon > 0 && epsilon <= large * std::min(1.0, length))) {
      const int intervals = 2 * chosen_.setting.mesh.intervals();
      if (intervals > std::min(most_intervals, chosen_.max_intervals)) break;
      chosen_.setting.mesh = chosen_.setting.mesh.halved();
      mode_ = {};
      epsilon = 1.5 * epsilon_against_growth();
      for (Choice& choice : chosen_.choices) {
        if (choice.name != "intervals") continue;
        choice.value = fmt::format("{} at first", intervals);
        choice.reason = "so that a small epsilon damps the constraint mode";
      }
    }
    return epsilon;
  }

  /// Symmetric schemes leave the constraint mode undamped when alpha1 = 0 and epsilon << h.
  bool carries_parasitic_mode() const {
    return !chosen_.setting.scheme.damps() && chosen_.setting.regularization.alpha1 == 0;
  }

  void choose_epsilon() {
    Regularization& regularization = chosen_.setting.regularization;
    if (options_.epsilon) {
      regularization.epsilon = *options_.epsilon;
      note("epsilon", fmt::format("{:g}", regularization.epsilon), true, "");
      return;
    }
    std::string reason;
    if (regularization.alpha1 != 0) {
      regularization.epsilon = 1e-12;
      reason = "one iterate brings the regularization error to rounding level, a second tells";
    } else if (chosen_.setting.scheme.damps()) {
      regularization.epsilon = 1e-10 * std::min(1.0, problem_.interval().length());
      reason = "far below the step, where a damping scheme has no layer to resolve";
    } else {
      regularization.epsilon = 1e-6 * std::min(1.0, problem_.interval().length());
      reason = "far below the step";
      const ParasiticGrowth growth = growth_with(regularization.epsilon);
      if (growth.factor() > chosen_.max_parasitic_growth) {
        const double damping = damping_epsilon();
        if (damping > 0) {
          regularization.epsilon = damping;
          reason =
              fmt::format("damps the constraint mode, which grows at the rate {:.2g}", growth.rate);
        }
      }
    }
    note("epsilon", fmt::format("{:g}", regularization.epsilon), false, reason);
  }

  void choose_iterates() {
    if (options_.iterates) {
      chosen_.control = {*options_.iterates, 0, false};
      chosen_.control.asked = chosen_.tolerance;
      note("iterates", fmt::format("{}", *options_.iterates), true, "");
      return;
    }
    if (chosen_.tolerance > 0) {
      chosen_.control = {most_iterates, 0.1 * chosen_.tolerance, false};
      note("iterates", "up to 12", false,
           "until B y changes by less than a tenth of the tolerance; more while each halves that");
    } else {
      chosen_.control = {most_iterates, 0, true};
      note("iterates", "up to 12", false, "until the change of B y no longer falls");
    }
  }

  void choose_shooting_back() {
    const bool has_layer = chosen_.setting.regularization.alpha1 == 0;
    if (!has_layer && options_.shooting_back.value_or(false)) {
      throw InvalidOption(
          "shooting_back: iterates with alpha1 > 0 have no layer to repair; leave it out, or take "
          "alpha1 = 0");
    }
    if (!has_layer) return;
    if (options_.ranks != nullptr) {
      note("shooting_back", "no", false, "ranks have no iterates that run back");
      return;
    }
    chosen_.shooting_back = options_.shooting_back.value_or(!options_.iterates);
    note("shooting_back", chosen_.shooting_back ? "where a layer is left" : "no",
         options_.shooting_back.has_value(),
         chosen_.shooting_back
             ? "iterates leave B y at the begin as it was; those that run back do not"
             : "as many iterates as were asked for, and no more");
  }

  void choose_linear_solver() {
    std::string reason = "block_lu for separated conditions, block_qr for coupled ones";
    if (options_.ranks != nullptr) {
      reason = "parallel_block, of whose partitions each rank takes some";
    } else if (options_.partitions) {
      reason = "parallel_block, as partitions were given";
    } else if (options_.executor != nullptr) {
      reason = "parallel_block for large matrices; else " + reason;
    }
    note("linear_solver", options_.linear_solver, options_.linear_solver != "auto", reason);
    if (options_.partitions) note("partitions", fmt::format("{}", *options_.partitions), true, "");
  }

  void guard_against_parasitic_growth() {
    if (!carries_parasitic_mode()) return;
    const double epsilon = chosen_.setting.regularization.epsilon;
    const ParasiticGrowth growth = growth_with(epsilon);
    chosen_.parasitic_growth = growth.factor();
    if (growth.factor() <= chosen_.max_parasitic_growth) {
      if (growth.factor() > default_max_parasitic_growth) {
        chosen_.warnings.push_back(fmt::format(
            "{} with epsilon = {:g} leaves a constraint mode undamped that grows by a factor "
            "{:.1e}, which max_parasitic_growth = {:g} allows: errors of B y grow with it",
            name_of(chosen_.setting.scheme.scheme), epsilon, growth.factor(),
            chosen_.max_parasitic_growth));
      }
      return;
    }
    const double enough = epsilon_against_growth();
    chosen_.refusal = fmt::format(
        "{} with epsilon = {:g} << h = {:.3g} leaves a constraint mode undamped that grows at the "
        "rate {:.2g} by a factor {:.1e} over the interval (limit {:g}); use scheme radau, "
        "alpha1 = 1{}",
        name_of(chosen_.setting.scheme.scheme), epsilon, chosen_.setting.mesh.largest_step(),
        growth.rate, growth.factor(), chosen_.max_parasitic_growth,
        enough > 0 ? fmt::format(", or epsilon >= {:.2g}", enough) : "");
  }

  const LinearDae& problem_;
  const Options& options_;
  const ConstraintScan& scan_;
  double fastest_rate_;
  Chosen chosen_;
  ParasiticMode mode_;  // Of the chosen mesh; empty until it is needed.
};

}  // namespace

std::string over_damping(const Chosen& chosen, const Mesh& mesh) {
  const double strength = chosen.fastest_mode * mesh.largest_step();
  const double most = most_growth(chosen.setting.scheme);
  if (strength <= most) return "";
  return fmt::format(
      "radau may take a growing mode for a decaying one: growth rate {:.3g} times h = {:.3g} is "
      "{:.2g} > {:.3g}; use gauss, or at least {:.0f} intervals",
      chosen.fastest_mode, mesh.largest_step(), strength, most,
      std::ceil((mesh.end() - mesh.begin()) * chosen.fastest_mode / most));
}

double open_alpha2(double alpha1, const Mesh& mesh, double least_decay) {
  constexpr double resolved = 4;  // Exponent of a decay within a step that four stages follow.
  if (alpha1 == 0) return 1;
  const double slowest = 1 / (mesh.end() - mesh.begin());
  const double fastest = std::max(least_decay, resolved / mesh.largest_step());
  return std::max(alpha1 * slowest, std::min(1.0, alpha1 * fastest));
}

Chosen choose(const LinearDae& problem, const Options& options, const ConstraintScan& scan) {
  return Chooser(problem, options, scan).run();
}

}  // namespace daewave::bvp
