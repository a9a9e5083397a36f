// Regularized problems whose calls cost far more than points: a batch is a call of each function.

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "bvp/equations/iterate_systems.hpp"
#include "core/adapt/problem_from_functions.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// Calls of each function, and the most points of one.
using Calls = std::map<std::string, std::pair<int, int>>;

BatchFunction counted(Calls& calls, const std::string& name, BatchFunction function) {
  return [&calls, name, function = std::move(function)](const Points& at, double* out) {
    auto& [count, most] = calls[name];
    ++count;
    most = std::max(most, at.count);
    function(at, out);
  };
}

/// A point that falls on a circle, or of index 2 one that is driven along it: v' = (0, -9.8) - B y,
/// x' = (x2, -x1 - t) - B y, B = (x1, x2 + x1^2).
DaeProblemPtr on_circle(Calls& calls, Kind kind) {
  const bool falls = kind == Kind::second_order;
  ProblemFunctions of{.kind = kind, .sizes = {.nq = 2, .ny = 1}};
  const auto q = [](const Points& at, int i, int p) { return at.q[i * at.stride + p]; };
  of.f = counted(calls, "f", [=](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = falls ? 0 : q(at, 1, p);
      out[at.count + p] = falls ? -9.8 : -q(at, 0, p) - at.t[p];
    }
  });
  of.B = counted(calls, "B", [=](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = q(at, 0, p);
      out[at.count + p] = q(at, 1, p) + q(at, 0, p) * q(at, 0, p);
    }
  });
  of.g = counted(calls, "g", [=](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = 0.5 * (q(at, 0, p) * q(at, 0, p) + q(at, 1, p) * q(at, 1, p) - 1);
    }
  });
  of.G = counted(calls, "G", [=](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = q(at, 0, p);
      out[at.count + p] = q(at, 1, p);
    }
  });
  if (falls) {
    of.curvature = counted(calls, "curvature", [](const Points& at, double* out) {
      for (int p = 0; p < at.count; ++p) {
        const double v1 = at.v[p], v2 = at.v[at.stride + p];
        out[p] = v1 * v1 + v2 * v2;
      }
    });
  }
  of.dear_calls = true;
  return problem_from_functions(std::move(of));
}

constexpr int points = 21, stride = 24;

struct States {
  std::vector<double> t = std::vector<double>(points), x, before, slope, carried, J;

  /// Around the circle; at every seventh G is 0.
  explicit States(const IterateSystem& system) {
    const auto size = [](int rows) { return static_cast<std::size_t>(rows * stride); };
    const int nx = system.nx();
    x.resize(size(nx));
    slope.resize(size(nx));
    before.resize(size(system.carried()), 0.3);
    carried.resize(size(system.carried()));
    J.resize(size(nx * nx));
    for (int p = 0; p < points; ++p) {
      t[static_cast<std::size_t>(p)] = 0.1 * p;
      for (int i = 0; i < nx; ++i) {
        const double on = i % 2 == 0 ? std::cos(0.2 * p) : std::sin(0.2 * p);
        x[static_cast<std::size_t>(i * stride + p)] = p % 7 == 3 && i < 2 ? 0 : on;
      }
    }
  }

  IteratePoints at() const { return {points, stride, t.data(), x.data(), before.data()}; }
  VecX column(const std::vector<double>& of, int p) const {
    return Eigen::Map<const MatX>(of.data(), stride, static_cast<Eigen::Index>(of.size()) / stride)
        .row(p);
  }
};

void check_batch(Kind kind, Variant variant) {
  Calls calls;
  const DaeProblemPtr problem = on_circle(calls, kind);
  Regularization form;
  form.variant = variant;
  form.epsilon = 1e-2;
  const auto system = iterate_system(*problem, form), each = iterate_system(*problem, form);
  REQUIRE(system->calls_are_dear());
  States all(*system);
  std::string failure;
  const VecX weight = VecX::Ones(system->nx());
  calls.clear();
  REQUIRE(system->evaluate_batch(all.at(), all.slope.data(), all.carried.data(), nullptr, failure));
  for (const auto& [name, one] : calls) {
    CAPTURE(name);
    CHECK(one.first == 1);
    CHECK(one.second == points);
  }
  calls.clear();  // All columns together.
  REQUIRE(system->jacobian_batch(all.at(), all.slope.data(), all.carried.data(), weight,
                                 all.J.data(), failure));
  for (const auto& [name, one] : calls) {
    CAPTURE(name);
    CHECK(one.first == 1);
    CHECK(one.second == points * system->nx());
  }
  for (int p = 0; p < points; ++p) {
    CAPTURE(p);
    VecX slope(system->nx()), carried = VecX::Zero(system->carried());
    MatX J(system->nx(), system->nx());
    const VecX x = all.column(all.x, p), before = all.column(all.before, p);
    const double t = all.t[static_cast<std::size_t>(p)];
    REQUIRE(each->evaluate(x, t, before, slope, carried));
    REQUIRE(each->jacobian(x, t, before, slope, carried, weight, J));
    const double scale = 1 + slope.cwiseAbs().maxCoeff();
    CHECK((all.column(all.slope, p) - slope).cwiseAbs().maxCoeff() <= 1e-11 * scale);
    CHECK((all.column(all.carried, p) - carried).cwiseAbs().maxCoeff() <= 1e-9 * scale);
    CHECK((all.column(all.J, p) - VecX(J.reshaped())).cwiseAbs().maxCoeff() <=
          1e-5 * (1 + J.cwiseAbs().maxCoeff()));
  }
}

}  // namespace

TEST_CASE("a batch of second order is one call of each function where calls are dear",
          "[nonlinear][batches]") {
  check_batch(Kind::second_order, Variant::singular);
}

TEST_CASE("points at which constraints are dependent take no calls of their own",
          "[nonlinear][batches]") {
  check_batch(Kind::index_2, Variant::singular);
}

TEST_CASE("a batch of fewer points than a register has takes no calls for each of them",
          "[nonlinear][batches]") {
  Calls calls;
  const DaeProblemPtr problem = on_circle(calls, Kind::index_2);
  const auto system = iterate_system(*problem, {});
  States all(*system);
  IteratePoints few = all.at();
  few.count = 3;
  std::string failure;
  calls.clear();
  REQUIRE(system->evaluate_batch(few, all.slope.data(), all.carried.data(), nullptr, failure));
  for (const auto& [name, one] : calls) CHECK(one == std::pair(1, 3));
}

}  // namespace daewave::bvp
