#include "reproduce/afs_tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "ivp/equations/index_two_of_kernel.hpp"
#include "ivp/reduced/underlying_solution.hpp"
#include "problems/truck.hpp"
#include "problems/velocity_pendulum.hpp"
#include "reproduce/multistep_errors.hpp"

namespace daewave::reproduce {
namespace {

using ivp::BlockedFormula;
using ivp::Blocking;
using Family = ivp::MultistepFamily;
using problems::Truck;
using problems::VelocityPendulum;

constexpr double not_printed = std::numeric_limits<double>::quiet_NaN();
/// Orders show to 0.2.
constexpr double order_margin = 0.2;

struct NamedFormula {
  std::string family;
  BlockedFormula formula;
  std::string name() const { return family + std::to_string(formula.k); }
};

/// With c of the paper.
NamedFormula named(Family family, int k, Blocking blocking = Blocking::multiplier) {
  constexpr double c[] = {0, -0.5, -0.15, -0.1};
  const bool adams = family == Family::adams_moulton, term = blocking == Blocking::term;
  const std::optional<double> chosen = adams && k <= 3 ? std::optional<double>(c[k]) : std::nullopt;
  const char* name = family == Family::bdf ? "BDF" : adams ? "AM" : term ? "DCBDF/BDF" : "DCBDF";
  return {std::string(name) + (adams && term ? " (2.6)" : ""),
          ivp::blocked_formula(family, k, chosen, blocking)};
}

std::vector<NamedFormula> all_formulas() {
  std::vector<NamedFormula> all;
  for (int k = 1; k <= 6; ++k) all.push_back(named(Family::bdf, k));
  for (int k = 1; k <= 6; ++k) all.push_back(named(Family::dcbdf, k));
  for (int k = 1; k <= 6; ++k) all.push_back(named(Family::dcbdf, k, Blocking::term));
  for (int k = 1; k <= 3; ++k) all.push_back(named(Family::adams_moulton, k));
  for (int k = 1; k <= 3; ++k) all.push_back(named(Family::adams_moulton, k, Blocking::term));
  return all;
}

PrintedEntry entry(const std::string& row, const std::string& column, double computed,
                   double printed = not_printed, double margin = printed_margin) {
  return {.row = row, .column = column, .computed = computed, .printed = printed, .margin = margin};
}

PrintedEntry order_entry(const std::string& row, const std::string& column, double coarse,
                         double fine, double printed) {
  return entry(row, column, std::log2(coarse / fine), printed, order_margin / printed);
}

MultistepErrors pendulum_errors(const BlockedFormula& formula, int halvings) {
  const VelocityPendulum pendulum;
  ivp::IndexTwoSystemOf<VelocityPendulum> system(pendulum, pendulum.start(), pendulum.begin);
  const double h = std::ldexp(1, -halvings);
  const auto error = [&](int i, const VecX& x, const VecX& lambda) -> MultistepErrors {
    const double t = pendulum.begin + i * h;
    return {(x - VecX(pendulum.z_exact(t))).cwiseAbs().maxCoeff(),
            (lambda - VecX(pendulum.y_exact(t))).cwiseAbs().maxCoeff()};
  };
  const int steps = static_cast<int>(std::lround(pendulum.length / h));
  return multistep_errors(system, formula, VecX(pendulum.start()), pendulum.begin, h, steps, error)
      .largest;
}

/// x and lambda of the truck close to rounding, at multiples of 2^-finest.
class TruckReference {
 public:
  static constexpr int finest = 11;
  static constexpr double end = 4;
  static constexpr double lambda_unit = 1e5;  ///< N.

  TruckReference() {
    ivp::IndexTwoSystemOf<Truck> system(truck_, truck_.start(), 0);
    ivp::UnderlyingSolution solution(system);
    bool known = solution.start(0, VecX(truck_.start()));
    for (int i = 0; i <= std::ldexp(end, finest) && known; ++i) {
      VecX lambda;
      known = solution.go_to(std::ldexp(i, -finest), 1) && solution.multiplier(lambda);
      p_.push_back(solution.x().head<9>());
      lambda_.push_back(lambda);
    }
    if (!known) throw Error("reference solution of the truck: " + solution.failure());
  }

  /// Means over the grid of 2^-halvings.
  MultistepErrors errors(const BlockedFormula& formula, int halvings) const {
    ivp::IndexTwoSystemOf<Truck> system(truck_, truck_.start(), 0);
    const auto error = [&](int i, const VecX& x, const VecX& lambda) -> MultistepErrors {
      const auto at = static_cast<std::size_t>(i) << (finest - halvings);
      return {(x.head<9>() - p_[at]).cwiseAbs().maxCoeff(),
              (lambda - lambda_[at]).cwiseAbs().maxCoeff() / lambda_unit};
    };
    const int steps = static_cast<int>(std::ldexp(end, halvings));
    return multistep_errors(system, formula, VecX(truck_.start()), 0, std::ldexp(1, -halvings),
                            steps, error)
        .mean;
  }

 private:
  Truck truck_;
  std::vector<Vec<9>> p_;
  std::vector<VecX> lambda_;
};

const TruckReference& truck_reference() {
  static const TruckReference reference;
  return reference;
}

constexpr int truck_halvings[] = {6, 7, 8};

/// Errors of x and of lambda, h = 2^-6, 2^-7, 2^-8.
struct TruckRow {
  double x[3], lambda[3];
};

TruckRow truck_row(const BlockedFormula& formula) {
  TruckRow row{};
  for (int i = 0; i < 3; ++i) {
    const MultistepErrors errors = truck_reference().errors(formula, truck_halvings[i]);
    row.x[i] = errors.x;
    row.lambda[i] = errors.lambda;
  }
  return row;
}

void add_truck_errors(PrintedTable& table, const std::string& name, const double (&error)[3],
                      double order) {
  for (int i = 0; i < 3; ++i) {
    table.entries.push_back(entry(name, fmt::format("h=2^-{}", truck_halvings[i]), error[i]));
  }
  table.entries.push_back(order_entry(name, "order", error[1], error[2], order));
}

/// How many times as large one error is as the other, `printed` for h = 2^-7.
void add_truck_ratio(PrintedTable& table, const std::string& name, const double (&large)[3],
                     const double (&small)[3], double printed, double margin) {
  for (int i = 0; i < 3; ++i) {
    table.entries.push_back(entry(name, fmt::format("h=2^-{}", truck_halvings[i]),
                                  large[i] / small[i], i == 1 ? printed : not_printed, margin));
  }
  table.entries.push_back(
      entry(name, "order", std::log2(large[1] / small[1]) - std::log2(large[2] / small[2])));
}

using ErrorsOf = std::function<MultistepErrors(const BlockedFormula&, int halvings)>;

void add_curves(const std::vector<NamedFormula>& formulas, const ErrorsOf& errors_of, int finest,
                ErrorPanel& x, ErrorPanel& lambda) {
  for (const NamedFormula& one : formulas) {
    ErrorCurve of_x{one.name(), {}, {}}, of_lambda{one.name(), {}, {}};
    for (int halvings = 5; halvings <= finest; ++halvings) {
      const MultistepErrors errors = errors_of(one.formula, halvings);
      for (ErrorCurve* curve : {&of_x, &of_lambda}) curve->h.push_back(std::ldexp(1, -halvings));
      of_x.error.push_back(errors.x);
      of_lambda.error.push_back(errors.lambda);
    }
    x.curves.push_back(std::move(of_x));
    lambda.curves.push_back(std::move(of_lambda));
  }
}

/// DCBDF and Adams-Moulton, x and lambda, as Figure 5.1.
std::vector<ErrorPanel> panels_by_family(const ErrorsOf& errors_of, int finest,
                                         const std::string& x) {
  std::vector<NamedFormula> dcbdf, adams;
  for (int k = 1; k <= 5; ++k) dcbdf.push_back(named(Family::dcbdf, k));
  for (int k = 1; k <= 3; ++k) adams.push_back(named(Family::adams_moulton, k));
  std::vector<ErrorPanel> panels{
      {"DCBDF, " + x, {}}, {"DCBDF, λ", {}}, {"Adams-Moulton, " + x, {}}, {"Adams-Moulton, λ", {}}};
  add_curves(dcbdf, errors_of, finest, panels[0], panels[1]);
  add_curves(adams, errors_of, finest, panels[2], panels[3]);
  return panels;
}

}  // namespace

PrintedTable afs_orders(const std::string&) {
  PrintedTable table{"afs-orders",
                     "[AFS] Theorem 2.1: orders of x and lambda, pendulum of index 2; errors at "
                     "h = 2^-7",
                     {}};
  for (const NamedFormula& one : all_formulas()) {
    const BlockedFormula& formula = one.formula;
    const std::string row = fmt::format("{} {}", one.family, formula.k);
    // So fine that the order shows, so coarse that rounding does not.
    const int halvings = formula.k <= 3 ? 7 : formula.k == 4 ? 6 : 5;
    const MultistepErrors coarse = pendulum_errors(formula, halvings);
    const MultistepErrors fine = pendulum_errors(formula, halvings + 1);
    const MultistepErrors shown = pendulum_errors(formula, 7);
    table.entries.push_back(order_entry(row, "order x", coarse.x, fine.x, formula.order()));
    table.entries.push_back(
        order_entry(row, "order lambda", coarse.lambda, fine.lambda, formula.k));
    table.entries.push_back(entry(row, "error x", shown.x));
    table.entries.push_back(entry(row, "error lambda", shown.lambda));
  }
  return table;
}

PrintedTable afs_truck(const std::string&) {
  PrintedTable table{"afs-truck",
                     "[AFS] Figure 4.2: mean errors of the truck on [0, 4]; ratios as in the text",
                     {}};
  const NamedFormula formulas[] = {named(Family::bdf, 3), named(Family::dcbdf, 3, Blocking::term),
                                   named(Family::dcbdf, 3), named(Family::adams_moulton, 3),
                                   named(Family::bdf, 4)};
  std::vector<TruckRow> rows;
  for (const NamedFormula& one : formulas) {
    rows.push_back(truck_row(one.formula));
    add_truck_errors(table, one.name() + " p", rows.back().x, one.formula.order());
    add_truck_errors(table, one.name() + " lambda", rows.back().lambda, one.formula.k);
  }
  const TruckRow &bdf3 = rows[0], &dcbdf3 = rows[2], &am3 = rows[3], &bdf4 = rows[4];
  // "Approximately 100 times", at some h not told.
  add_truck_ratio(table, "BDF3/DCBDF3 p", bdf3.x, dcbdf3.x, 100, 0.3);
  // Table 3.1: (3/40) / (19/720); and (1/5) / (3/40) by the error constant of BDF4.
  add_truck_ratio(table, "DCBDF3/AM3 p", dcbdf3.x, am3.x, 0.075 / (19.0 / 720), 0.15);
  add_truck_ratio(table, "BDF4/DCBDF3 p", bdf4.x, dcbdf3.x, 0.2 / 0.075, 0.15);
  add_truck_ratio(table, "BDF3/DCBDF3 lambda", bdf3.lambda, dcbdf3.lambda, not_printed, 0);
  return table;
}

std::vector<ErrorPanel> afs_orders_panels() { return panels_by_family(pendulum_errors, 10, "x"); }

std::vector<ErrorPanel> afs_truck_panels() {
  const TruckReference& reference = truck_reference();
  const ErrorsOf errors_of = [&reference](const BlockedFormula& formula, int halvings) {
    return reference.errors(formula, halvings);
  };
  std::vector<ErrorPanel> panels{{"Four methods of three steps, p", {}},
                                 {"Four methods of three steps, λ", {}}};
  add_curves({named(Family::bdf, 3), named(Family::dcbdf, 3, Blocking::term),
              named(Family::dcbdf, 3), named(Family::adams_moulton, 3)},
             errors_of, TruckReference::finest, panels[0], panels[1]);
  for (ErrorPanel& panel : panels_by_family(errors_of, TruckReference::finest, "p")) {
    panels.push_back(std::move(panel));
  }
  return panels;
}

}  // namespace daewave::reproduce
