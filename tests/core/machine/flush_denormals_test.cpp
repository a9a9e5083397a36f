// What is too small for the normal format costs no time while eliminating, and nobody else sees it.

#include "core/machine/flush_denormals.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/blocks/checked_solver.hpp"
#include "tests/catch.hpp"
#include "tests/core/random_babd.hpp"

namespace daewave {
namespace {

constexpr double smallest = std::numeric_limits<double>::min();

/// Whether this thread turns results into zero that are denormal. No compiler may know the answer.
bool flushes_results() {
  volatile double small = smallest;
  small = small * 0.5;
  volatile unsigned char any = 0;
  for (unsigned e = 0; e < sizeof(double); ++e) {
    any = any | reinterpret_cast<const volatile unsigned char*>(&small)[e];
  }
  return any == 0;
}

/// Whether it takes operands for zero that are.
bool flushes_operands() {
  volatile double denormal = std::numeric_limits<double>::denorm_min();
  volatile double scaled = denormal * 1e300;
  return scaled == 0;
}

bool flushes() { return flushes_results() && flushes_operands(); }
bool flushes_anything() { return flushes_results() || flushes_operands(); }

}  // namespace

TEST_CASE("a guard lasts as long as its scope, also one in another and one left by an exception",
          "[denormals]") {
  REQUIRE_FALSE(flushes_anything());
  {
    const FlushDenormals outer;
    CHECK(flushes() == FlushDenormals::available);
    {
      const FlushDenormals inner;
      CHECK(flushes() == FlushDenormals::available);
    }
    CHECK(flushes() == FlushDenormals::available);
  }
  CHECK_FALSE(flushes_anything());
  try {
    const FlushDenormals guard;
    throw std::runtime_error("left");
  } catch (const std::runtime_error&) {
    CHECK_FALSE(flushes_anything());
  }
}

TEST_CASE("solvers leave the arithmetic of their caller as it was", "[denormals][linear]") {
  std::mt19937_64 random(51);
  for (const std::string& name : linear_solver_names()) {
    for (const bool coupled : {false, true}) {
      for (const bool singular : {false, true}) {
        BabdMatrix matrix = testing::random_babd({3, 20, 1, coupled}, random);
        if (singular) std::fill_n(matrix.S(2), 9, 0.0);
        if (singular) std::fill_n(matrix.R(2), 9, 0.0);
        const auto solver = make_linear_solver(name, {nullptr, 3});
        solver->analyze(matrix);
        const FactorStatus status = solver->factorize(matrix);
        CAPTURE(name, coupled, singular);
        CHECK_FALSE(flushes_anything());
        if (!status.usable) continue;
        VecX u;
        solver->solve(VecX::Ones(matrix.rows()), u);
        CHECK_FALSE(flushes_anything());
      }
    }
  }
}

TEST_CASE("a solution that decays below the smallest number is accepted", "[denormals][linear]") {
  // 0.3^1000 = 1e-523: it passes the denormal numbers, from 1e-308 to 1e-324, on its way to zero.
  constexpr int intervals = 1000;
  for (const std::string& name : linear_solver_names()) {
    for (const bool reversed : {false, true}) {
      BabdMatrix matrix(2, intervals);
      for (int i = 0; i < intervals; ++i) {
        for (int e : {0, 3}) {
          matrix.S(i)[e] = reversed ? -1 : 0.3;
          matrix.R(i)[e] = reversed ? 0.3 : -1;
        }
      }
      (reversed ? matrix.B1 : matrix.B0) = MatX::Identity(2, 2);
      VecX right = VecX::Zero(matrix.rows()), u;
      right.tail(2) << 1, -1;
      CheckedSolver solver(name);
      CAPTURE(name, reversed);
      REQUIRE(solver.factorize(matrix));
      const CheckedResult result = solver.solve(right, u);
      CAPTURE(result.residual);
      CHECK(result.accepted);
      CHECK(solver.report().used == name);
      for (int i = 0; i <= intervals; ++i) {
        const double exact = std::pow(0.3, reversed ? intervals - i : i);
        // Each factor is off by rounding; what is denormal may be taken for zero.
        CHECK(std::abs(u[2 * i] - exact) <= 1e-12 * exact + smallest);
      }
    }
  }
}

}  // namespace daewave
