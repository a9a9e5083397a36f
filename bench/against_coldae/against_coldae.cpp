// Boundary value DAEs, linear of index 2 and one nonlinear of index 1, by bvp::solve and by COLDAE,
// in turns, to equal error in y.
//
//   daewave_bench_coldae [--repetitions N]
//
// Both solve by defaults, COLDAE also with 5 to 7 collocation points, of which its default is 4, or
// 3 for an equation of second order. Tolerances go down by tens, and the times compared are the
// least CPU times at the loosest ones at which the largest error of y, over 4001 points and
// relative to 1
// + the largest value, is below 1e-6, 1e-8, 1e-10.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "bench/against_coldae/coldae_call.hpp"
#include "bvp/solve.hpp"
#include "problems/al1.hpp"
#include "problems/ap91.hpp"
#include "problems/index_one.hpp"
#include "problems/lin.hpp"

namespace daewave::bench {
namespace {

constexpr int points = 4000;

/// [AL1] Examples 1 and 3 with w = B y's second entry as the multiplier and the constraint divided
/// by 1 - 2t, which leaves the same problem but for its condition:
///
///   x1' = -x1 + x2 - sin t,   x2' = w,   0 = x1 + x2 - exp(-t) - sin t.
struct RegularExample {
  bool coupled = true;  ///< x1(1) + x2(0) = 1/e of Example 1; else x1(0) = 1 of Example 3.

  std::string name() const { return coupled ? "Example 1, regular" : "Example 3, regular"; }
  Interval interval() const { return {0, 1}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>{{-1, 1}, {0, 0}}; }
  Vec<2> B(double) const { return {0, -1}; }
  Vec<2> q(double t) const { return {-std::sin(t), 0}; }
  Mat<1, 2> C(double) const { return {1, 1}; }
  Vec<1> r(double t) const { return Vec<1>{-(std::exp(-t) + std::sin(t))}; }
  Mat<1, 2> C_t(double) const { return {0, 0}; }
  Vec<1> r_t(double t) const { return Vec<1>{std::exp(-t) - std::cos(t)}; }
  Boundary boundary() const {
    if (!coupled) return initial_conditions(MatX{{1, 0}}, VecX::Constant(1, 1.0));
    return {MatX{{0, 1}}, MatX{{1, 0}}, VecX::Constant(1, std::exp(-1.0))};
  }
  double y_exact(double t) const { return std::cos(t); }
};

/// Example 1 with a third component, x2(0) at all t, as COLDAE has no conditions that couple ends.
struct SeparatedExample {
  Interval interval() const { return {0, 1}; }
  Mat<3, 3> A(double) const { return Mat<3, 3>{{-1, 1, 0}, {0, 0, 0}, {0, 0, 0}}; }
  Vec<3> B(double) const { return {0, -1, 0}; }
  Vec<3> q(double t) const { return {-std::sin(t), 0, 0}; }
  Mat<1, 3> C(double) const { return {1, 1, 0}; }
  Vec<1> r(double t) const { return Vec<1>{-(std::exp(-t) + std::sin(t))}; }
  Boundary boundary() const {
    return {MatX{{0, 1, -1}, {0, 0, 0}}, MatX{{0, 0, 0}, {1, 0, 1}}, Vec<2>{0, std::exp(-1.0)}};
  }
};

struct LinWithY : problems::Lin {
  double y_exact(double t) const { return std::sin(1.5 * t); }
};
struct Ap91WithY : problems::Ap91 {
  double y_exact(double t) const { return -std::exp(t) / (2 - t); }
};

double error_of(const std::function<double(double)>& y, const std::function<double(double)>& exact,
                const Interval& span) {
  double most = 0, size = 1;
  for (int i = 0; i <= points; ++i) {
    const double t = std::min(span.end, span.begin + span.length() * i / points);
    most = std::max(most, std::abs(y(t) - exact(t)));
    size = std::max(size, 1 + std::abs(exact(t)));
  }
  return most / size;
}

using Solver = std::function<Run(double tolerance, bool with_error)>;
using Exact = std::function<double(double)>;

/// The algebraic unknown of index 1, too.
template <class P>
Solver ours(const P& problem, const Exact& exact) {
  return [problem, exact](double tolerance, bool with_error) {
    const double before = cpu_seconds();
    const bvp::Solution solution = bvp::solve(problem, {.tolerance = tolerance});
    Run run{.seconds = cpu_seconds() - before};
    if (!solution.report.usable()) return run;
    run.intervals = solution.mesh().intervals();
    if (!with_error) return run;
    run.error = error_of([&](double t) { return (*solution.y(t))[0]; }, exact, problem.interval());
    return run;
  };
}

/// What COLDAE's subroutines are told of the problem: they are functions without a state.
template <class P>
struct Told {
  static inline P problem{};
  static inline MatX conditions{};  ///< With the constraint at the begin, those at the end last.
  static inline VecX values{};

  static void f(const int*, const double* t, const double* z, const double* y, double* out, double*,
                int*) {
    constexpr int n = decltype(problem.B(0.0))::RowsAtCompileTime;
    const Eigen::Map<const Vec<n>> x(z);
    Eigen::Map<Vec<n>> slope(out);
    slope = problem.A(*t) * x - problem.B(*t) * y[0] + problem.q(*t);
    out[n] = (problem.C(*t) * x + problem.r(*t))[0];
  }
  static void df(const int*, const double* t, const double*, const double*, double* out, double*,
                 int*) {
    constexpr int n = decltype(problem.B(0.0))::RowsAtCompileTime;
    Eigen::Map<Mat<n + 1, n + 1>> all(out);
    all.template topLeftCorner<n, n>() = problem.A(*t);
    all.template topRightCorner<n, 1>() = -problem.B(*t);
    all.template bottomLeftCorner<1, n>() = problem.C(*t);
    all(n, n) = 0;
  }
  static void g(const int* i, const int*, const double* z, double* out, double*, int*) {
    const auto n = conditions.cols();
    *out = conditions.row(*i - 1).dot(Eigen::Map<const VecX>(z, n)) - values[*i - 1];
  }
  static void dg(const int* i, const int*, const double*, double* out, double*, int*) {
    for (int j = 0; j < conditions.cols(); ++j) out[j] = conditions(*i - 1, j);
  }
};

/// z'' = w + z', 0 = w + z z' - t with its derivatives, and as COLDAE takes it, with them too.
namespace index_one {
struct Known : problems::IndexOneLayer {
  Mat<2, 2> f_x(const State&, const Algebraic&, double) const { return Mat<2, 2>{{0, 1}, {0, 1}}; }
  Mat<2, 1> f_w(const State&, const Algebraic&, double) const { return {0, 1}; }
  Mat<1, 2> r_x(const State& x, const Algebraic&, double) const { return {x[1], x[0]}; }
  Mat<1, 1> r_w(const State&, const Algebraic&, double) const { return Mat<1, 1>{1.0}; }
};
void f(const int*, const double* t, const double* z, const double* w, double* out, double*, int*) {
  out[0] = w[0] + z[1];
  out[1] = w[0] + z[0] * z[1] - *t;
}
void df(const int*, const double*, const double* z, const double*, double* out, double*, int*) {
  const double columns[] = {0, z[1], 1, z[0], 1, 1};
  std::copy(std::begin(columns), std::end(columns), out);
}
void g(const int* i, const int*, const double* z, double* out, double*, int*) {
  *out = *i == 1 ? z[0] + z[1] + 0.15 : z[0] - 6.5;
}
void dg(const int* i, const int*, const double*, double* out, double*, int*) {
  out[0] = 1;
  out[1] = *i == 1 ? 1 : 0;
}

Solver coldae(const Exact& exact, int stages) {
  return [exact, stages](double tolerance, bool with_error) {
    Call call{.n = 2, .orders = {2}, .span = {0, 5}, .zeta = {0, 5}, .index = 1, .nonlinear = true};
    Run run = call.solve({f, df, g, dg}, stages, tolerance);
    if (run.intervals == 0 || !with_error) return run;
    run.error = error_of([&](double t) { return call.y(t); }, exact, call.span);
    return run;
  };
}
}  // namespace index_one

/// @param stages  0: COLDAE's default.
template <class P>
Solver coldae(const P& problem, const Exact& exact, int stages) {
  return [problem, exact, stages](double tolerance, bool with_error) {
    using Tell = Told<P>;
    Tell::problem = problem;
    const Interval span = problem.interval();
    const Boundary boundary = problem.boundary();
    const int n = static_cast<int>(problem.B(span.begin).size());
    Tell::conditions = MatX::Zero(n, n);
    Tell::values = VecX::Zero(n);
    std::vector<double> zeta;
    const auto add = [&](const VecX& row, double value, double at) {
      Tell::conditions.row(static_cast<int>(zeta.size())) = row;
      Tell::values[static_cast<int>(zeta.size())] = value;
      zeta.push_back(at);
    };
    add(problem.C(span.begin).transpose(), -problem.r(span.begin)[0], span.begin);
    for (int i = 0; i < n - 1; ++i) {
      if (boundary.B1.row(i).isZero()) add(boundary.B0.row(i), boundary.beta[i], span.begin);
    }
    for (int i = 0; i < n - 1; ++i) {
      if (!boundary.B1.row(i).isZero()) add(boundary.B1.row(i), boundary.beta[i], span.end);
    }
    const std::vector<int> orders(n, 1);
    Call call{.n = n, .orders = orders, .span = span, .zeta = zeta, .index = 2};
    Run run = call.solve({Tell::f, Tell::df, Tell::g, Tell::dg}, stages, tolerance);
    if (run.intervals == 0) return run;
    if (with_error) run.error = error_of([&](double t) { return call.y(t); }, exact, span);
    return run;
  };
}

struct Case {
  std::string name;
  std::vector<std::pair<std::string, Solver>> solvers;  ///< daewave first.
};

template <class Ours, class Theirs>
Case make_case(const std::string& name, const Ours& problem, const Theirs& for_coldae) {
  const Exact exact = [problem](double t) { return problem.y_exact(t); };
  Case made{name, {{"daewave", ours(problem, exact)}}};
  for (const int stages : {0, 5, 6, 7}) {
    made.solvers.emplace_back(fmt::format("COLDAE {}", stages == 0 ? 4 : stages),
                              coldae(for_coldae, exact, stages));
  }
  return made;
}

/// Compared with a solution of other stages at a tolerance of 1e-12.
Case index_one_case() {
  const bvp::Solution best = bvp::solve(index_one::Known{}, {.tolerance = 1e-12, .stages = 6});
  const Exact exact = [best](double t) { return best.multiplier(t)[0]; };
  Case made{"index-one", {{"daewave", ours(index_one::Known{}, exact)}}};
  for (const int stages : {0, 5, 6, 7}) {
    // Its default of an equation of second order is 3.
    made.solvers.emplace_back(fmt::format("COLDAE {}", stages == 0 ? 3 : stages),
                              index_one::coldae(exact, stages));
  }
  return made;
}

void run_case(const Case& one, int repetitions) {
  struct Chosen {
    double tolerance = 0;
    Run run{};
  };
  for (const double goal : {1e-6, 1e-8, 1e-10}) {
    std::vector<std::optional<Chosen>> chosen;
    for (const auto& [name, solve] : one.solvers) {
      chosen.emplace_back();
      for (int i = 2; i <= 13 && !chosen.back(); ++i) {
        const double tolerance = std::pow(10.0, -i);
        const Run run = solve(tolerance, true);
        if (run.error <= goal) chosen.back() = Chosen{tolerance, run};
      }
    }
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        const std::size_t at = repetition % 2 == 0 ? i : chosen.size() - 1 - i;
        if (!chosen[at]) continue;
        const Run run = one.solvers[at].second(chosen[at]->tolerance, false);
        chosen[at]->run.seconds = std::min(chosen[at]->run.seconds, run.seconds);
      }
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!chosen[i]) {
        fmt::print("{:20} {:6.0e}  {:10} does not reach it\n", one.name, goal,
                   one.solvers[i].first);
        continue;
      }
      const Chosen& found = *chosen[i];
      fmt::print("{:20} {:6.0e}  {:10} {:9.0e} {:10.1e} {:9} {:9.3f}", one.name, goal,
                 one.solvers[i].first, found.tolerance, found.run.error, found.run.intervals,
                 1e3 * found.run.seconds);
      if (i > 0 && chosen[0]) {
        fmt::print(" {:7.2f}", found.run.seconds / chosen[0]->run.seconds);
      }
      fmt::print("\n");
    }
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace daewave::bench

int main(int argc, char** argv) {
  using namespace daewave::bench;
  CLI::App app{"Linear boundary value DAEs beside COLDAE"};
  int repetitions = 10;
  app.add_option("--repetitions", repetitions);
  CLI11_PARSE(app, argc, argv);
  fmt::print("{:20} {:>6}  {:10} {:>9} {:>10} {:>9} {:>9} {:>7}\n", "problem", "error", "",
             "tolerance", "error", "intervals", "ms", "ratio");
  LinWithY lin;
  lin.t_end = 100;
  Ap91WithY ap91;
  ap91.lambda = 50;
  run_case(make_case("lin, T = 100", lin, lin), repetitions);
  run_case(make_case("ap91, 50", ap91, ap91), repetitions);
  run_case(make_case("Example 1, regular", RegularExample{true}, SeparatedExample{}), repetitions);
  run_case(make_case("Example 3, regular", RegularExample{false}, RegularExample{false}),
           repetitions);
  run_case(index_one_case(), repetitions);
  return 0;
}
