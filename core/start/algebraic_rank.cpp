#include "core/start/algebraic_rank.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>


namespace daewave {
namespace {

struct Equilibration {
  VecX rows, columns;
};

/// J with its rows and then its columns divided by their largest entries; those of zeros stay.
Equilibration equilibrate(MatX& J) {
  const auto of = [](double most) { return most > 0 ? most : 1.0; };
  Equilibration by{VecX(J.rows()), VecX(J.cols())};
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    by.rows[i] = of(J.row(i).cwiseAbs().maxCoeff());
    J.row(i) /= by.rows[i];
  }
  for (Eigen::Index j = 0; j < J.cols(); ++j) {
    by.columns[j] = of(J.col(j).cwiseAbs().maxCoeff());
    J.col(j) /= by.columns[j];
  }
  return by;
}

}  // namespace

int rank_of_algebraic(const DaeProblem& problem, const VecX& z, const VecX& near, double t,
                      double tolerance) {
  constexpr int most_iterations = 30;
  constexpr double solved = 1e-12;
  const int nw = problem.sizes().nw;
  if (nw == 0) return 0;
  const auto evaluation = problem.evaluation();
  VecX w = near, r(nw);
  MatX r_w(nw, nw);
  Eigen::ColPivHouseholderQR<MatX> factors(nw, nw);
  factors.setThreshold(tolerance);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const Terms& terms =
        evaluation->evaluate(Ask::r | Ask::r_w, {.t = &t, .q = z.data(), .w = w.data()});
    const auto at = [&](const double* of, int k) {
      return of[static_cast<long>(k) * terms.stride];
    };
    for (int i = 0; i < nw; ++i) r[i] = at(terms.r, i);
    for (int k = 0; k < nw * nw; ++k) r_w.data()[k] = at(terms.r_w, k);
    if (!r.allFinite() || !r_w.allFinite()) return 0;
    factors.compute(r_w);
    if (factors.rank() < nw || r.cwiseAbs().maxCoeff() <= solved) break;
    const VecX change = factors.solve(r);
    w -= change;
    if (change.norm() <= solved * (1 + w.norm())) break;
  }
  return static_cast<int>(factors.rank());
}

bool determines_algebraic(const DaeProblem& problem, const VecX& z, const VecX& w, double t) {
  // Of a dr/dw by differences half of the digits are right: what is as good as singular by these is
  // looked at by moving w along the direction in which it is.
  constexpr double suspect = 1e-7, rounding = 1e-11, part = 1e-3, golden = 0.6180339887498949;
  const int nw = problem.sizes().nw;
  if (nw == 0) return true;
  const auto evaluation = problem.evaluation();
  const auto entries = [&](Ask what, const VecX& at, const double* Terms::*of, MatX& to) {
    const Terms& terms = evaluation->evaluate(what, {.t = &t, .q = z.data(), .w = at.data()});
    for (Eigen::Index k = 0; k < to.size(); ++k) to.data()[k] = (terms.*of)[k * terms.stride];
    return to.allFinite();
  };
  MatX J(nw, nw), here(nw, 1), there(nw, 1), beside(nw, 1);
  if (!entries(Ask::r_w, w, &Terms::r_w, J) || !entries(Ask::r, w, &Terms::r, here)) return true;
  const Equilibration by = equilibrate(J);
  const Eigen::JacobiSVD<MatX> svd(J, Eigen::ComputeFullU | Eigen::ComputeFullV);
  if (svd.singularValues()[nw - 1] > suspect * svd.singularValues()[0]) return true;
  VecX along = svd.matrixV().col(nw - 1).cwiseQuotient(by.columns), across(nw);
  const double largest = w.cwiseAbs().maxCoeff();
  double most = 0;  // Of its entries, in units of the size of w.
  for (int i = 0; i < nw; ++i) {
    const double size = largest > 0 ? std::max(std::abs(w[i]), part * largest) : 1;
    most = std::max(most, std::abs(along[i]) / size);
    // In no direction of its own.
    across[i] = part * size * (0.5 + (i + 1) * golden - std::floor((i + 1) * golden));
  }
  along *= part / most;
  if (!entries(Ask::r, w + along, &Terms::r, there)) return true;
  if (!entries(Ask::r, w + across, &Terms::r, beside)) return true;
  // By what the rows that J combines to zero make of it: they do not see that the direction itself
  // is known to half of the digits.
  const VecX rows = svd.matrixU().col(nw - 1).cwiseQuotient(by.rows);
  const double moved = std::abs(rows.dot((there - here).col(0)));
  const double terms = rows.cwiseAbs().dot(
      (there - here).cwiseAbs().cwiseMax((beside - here).cwiseAbs()).col(0));
  return moved > rounding * terms;
}

}  // namespace daewave
