#pragma once
// COLDAE, as R's package bvpSolve has it: its subroutines take parameters of their own, rpar and
// ipar.

#include <ctime>
#include <limits>
#include <vector>

#include "core/types.hpp"

extern "C" {
using CollocatedF = void (*)(const int* count, const double* t, const double* z, const double* y,
                             double* f, double* rpar, int* ipar);
using ConditionF = void (*)(const int* i, const int* mstar, const double* z, double* g,
                            double* rpar, int* ipar);
using GuessF = void (*)(const double* t, double* z, double* y, double* slopes);
void coldae_(const int* ncomp, const int* ny, const int* orders, const double* left,
             const double* right, const double* zeta, const int* settings, const int* controlled,
             const double* tolerances, const double* fixed, int* ispace, double* fspace, int* flag,
             CollocatedF f, CollocatedF df, ConditionF g, ConditionF dg, GuessF guess, double* rpar,
             int* ipar, int* counts);
void appsln_dae_(const double* t, double* z, double* y, double* fspace, int* ispace);
}

namespace daewave::bench {

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Run {
  double seconds = 0, error = std::numeric_limits<double>::infinity();
  int intervals = 0;
};

/// The subroutines of COLDAE for one problem with one y.
struct Subroutines {
  CollocatedF f, df;
  ConditionF g, dg;
};

inline void no_guess(const double*, double*, double*, double*) {}

struct Call {
  int n = 0;                ///< Entries of z.
  std::vector<int> orders;  ///< Of the equations.
  Interval span;
  std::vector<double> zeta;  ///< Where the conditions are.
  int index = 2;
  bool nonlinear = false;

  /// @param stages  0: COLDAE's default. @return without intervals where it fails.
  Run solve(const Subroutines& of, int stages, double tolerance) {
    std::vector<int> controlled(n);
    for (int i = 0; i < n; ++i) controlled[i] = i + 1;
    const std::vector<double> tolerances(n, tolerance);
    const int one = 1, ncomp = static_cast<int>(orders.size());
    // Stages; intervals at first; tolerances; sizes; no printing; uniform mesh, no guess; regular;
    // no fixed points; index.
    const int settings[12] = {nonlinear ? 1 : 0,
                              stages,
                              0,
                              n,
                              static_cast<int>(fspace().size()),
                              static_cast<int>(ispace().size()),
                              1,
                              0,
                              0,
                              0,
                              0,
                              index};
    int flag = 0, ipar[1] = {0}, counts[6] = {};
    double rpar[1] = {0}, fixed[1] = {0};
    const double before = cpu_seconds();
    coldae_(&ncomp, &one, orders.data(), &span.begin, &span.end, zeta.data(), settings,
            controlled.data(), tolerances.data(), fixed, ispace().data(), fspace().data(), &flag,
            of.f, of.df, of.g, of.dg, no_guess, rpar, ipar, counts);
    Run run{.seconds = cpu_seconds() - before};
    if (flag == 1) run.intervals = ispace()[0];
    return run;
  }

  double y(double t) const {
    VecX z(n);
    double found = 0;
    appsln_dae_(&t, z.data(), &found, fspace().data(), ispace().data());
    return found;
  }

 private:
  static std::vector<double>& fspace() {
    static std::vector<double> memory(20'000'000);
    return memory;
  }
  static std::vector<int>& ispace() {
    static std::vector<int> memory(2'000'000);
    return memory;
  }
};

}  // namespace daewave::bench
