#include "bvp/equations/singular_term.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <utility>
#include <vector>

#include "core/eigenvalues.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/orthogonal.hpp"

namespace daewave::bvp {

SingularTerm::SingularTerm(const MatX& S, double begin, int nx) : S_(S), begin_(begin) {
  if (S.rows() != nx || S.cols() != nx) {
    throw InvalidProblem(fmt::format("singular_term: is {} x {}; must be nx x nx = {} x {}",
                                     S.rows(), S.cols(), nx, nx));
  }
  if (!S.allFinite()) throw InvalidProblem("singular_term: must be finite");
  // Eigenvalues of zero that belong together are told to a root of rounding.
  constexpr double zero = 1e-4;
  const double size = largest_size(S);
  for (const std::complex<double>& value : eigenvalues(S)) {
    const bool grows = value.real() > zero * size;
    const bool turns =
        !grows && value.real() > -zero * size && std::abs(value.imag()) > zero * size;
    if (!grows && !turns) continue;
    throw InvalidProblem(fmt::format(
        "singular_term: has the eigenvalue {:.6g}{}; solutions begin like (t - {:g}) to that power "
        "there, and S x = 0 does not tell which of them is meant: take x over that power as the "
        "unknown, whose term has eigenvalues that are smaller by as much",
        value.real(), turns ? fmt::format(" + {:.6g} i", value.imag()) : "", begin));
  }
  Eigen::ColPivHouseholderQR<MatX> qr(S.transpose());
  qr.setThreshold(1e-12);
  rows_ = leading_directions(S.transpose(), static_cast<int>(qr.rank())).transpose();
  limit_ = (MatX::Identity(nx, nx) - S).inverse();
}

bool is_missed(const SingularTerm& term, const VecX& x, const VecX& sizes, double most,
               Report& report) {
  const Eigen::Index nx = term.S().rows();
  const double missed = largest_size(term.rows() * x.head(nx)) / sizes.head(nx).maxCoeff();
  if (missed <= most) return false;
  report.termination = Termination::refused;
  report.message = fmt::format(
      "conditions contradict the singular term: S x, which vanishes at t = {:g} where a solution "
      "is "
      "bounded, is off by {:.1e} of the size of x with them",
      term.begin(), missed);
  report.advice =
      fmt::format("leave out {} condition(s) on what S x = 0 tells at t = {:g}: that is posed then",
                  term.rank(), term.begin());
  return true;
}

namespace {

class SingularTermSystem final : public IterateSystem {
 public:
  SingularTermSystem(std::unique_ptr<IterateSystem> inner, std::shared_ptr<const SingularTerm> term)
      : inner_(std::move(inner)), term_(std::move(term)) {}

  int nx() const override { return inner_->nx(); }
  int carried() const override { return inner_->carried(); }
  std::string failure() const override { return inner_->failure(); }
  bool calls_are_dear() const override { return inner_->calls_are_dear(); }
  double drift() override { return inner_->drift(); }

  bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope, VecX& carried) override {
    if (!inner_->evaluate(x, t, before, slope, carried)) return false;
    if (t == term_->begin()) {
      slope = (term_->limit() * slope).eval();
    } else {
      slope.noalias() += (1 / (t - term_->begin())) * term_->S() * x;
    }
    return true;
  }
  bool jacobian(const VecX& x, double t, const VecX& before, const VecX& slope, const VecX& carried,
                const VecX& weight, MatX& J) override {
    const bool at_begin = t == term_->begin();
    f_ = slope;
    if (at_begin) {
      f_ -= term_->S() * slope;
    } else {
      f_.noalias() -= (1 / (t - term_->begin())) * term_->S() * x;
    }
    if (!inner_->jacobian(x, t, before, f_, carried, weight, J)) return false;
    if (at_begin) {
      J = (term_->limit() * J).eval();
    } else {
      J += term_->S() / (t - term_->begin());
    }
    return true;
  }

  bool evaluate_batch(const IteratePoints& at, double* slope, double* carried, double* drift,
                      std::string& failure) override {
    if (!inner_->evaluate_batch(at, slope, carried, drift, failure)) return false;
    add(at, 1, slope);
    for (int p = 0; p < at.count; ++p) {
      if (at.t[p] == term_->begin()) replace(term_->limit(), slope, at.stride, p, 1);
    }
    return true;
  }
  bool jacobian_batch(const IteratePoints& at, const double* slope, const double* carried,
                      const VecX& weight, double* J, std::string& failure) override {
    const int n = nx();
    rates_.assign(slope, slope + static_cast<std::ptrdiff_t>(n - 1) * at.stride + at.count);
    rates_.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(at.stride));
    add(at, -1, rates_.data());
    const MatX back = MatX::Identity(n, n) - term_->S();
    for (int p = 0; p < at.count; ++p) {
      if (at.t[p] == term_->begin()) replace(back, rates_.data(), at.stride, p, 1);
    }
    if (!inner_->jacobian_batch(at, rates_.data(), carried, weight, J, failure)) return false;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const double entry = term_->S()(i, j);
        double* const to = J + static_cast<std::ptrdiff_t>(i + j * n) * at.stride;
        if (entry == 0) continue;
        for (int p = 0; p < at.count; ++p) {
          const double since = at.t[p] - term_->begin();
          if (since != 0) to[p] += entry / since;
        }
      }
    }
    for (int p = 0; p < at.count; ++p) {
      if (at.t[p] == term_->begin()) replace(term_->limit(), J, at.stride, p, n);
    }
    return true;
  }
  std::unique_ptr<IterateSystem> clone() const override {
    std::unique_ptr<IterateSystem> inner = inner_->clone();
    if (inner == nullptr) return nullptr;
    return std::make_unique<SingularTermSystem>(std::move(inner), term_);
  }

 private:
  /// sign S x / (t - a) at all points but those at a.
  void add(const IteratePoints& at, double sign, double* slope) const {
    for (int i = 0; i < nx(); ++i) {
      double* const to = slope + static_cast<std::ptrdiff_t>(i) * at.stride;
      for (int j = 0; j < nx(); ++j) {
        const double entry = sign * term_->S()(i, j);
        if (entry == 0) continue;
        const double* const x = at.x + static_cast<std::ptrdiff_t>(j) * at.stride;
        for (int p = 0; p < at.count; ++p) {
          const double since = at.t[p] - term_->begin();
          if (since != 0) to[p] += entry * x[p] / since;
        }
      }
    }
  }

  /// Columns of nx entries at point p by their products with a matrix.
  void replace(const MatX& by, double* values, int stride, int p, int columns) const {
    VecX column(nx());
    for (int c = 0; c < columns; ++c) {
      double* const first = values + static_cast<std::ptrdiff_t>(c) * nx() * stride + p;
      for (int i = 0; i < nx(); ++i) column[i] = first[static_cast<std::ptrdiff_t>(i) * stride];
      column = (by * column).eval();
      for (int i = 0; i < nx(); ++i) first[static_cast<std::ptrdiff_t>(i) * stride] = column[i];
    }
  }

  std::unique_ptr<IterateSystem> inner_;
  std::shared_ptr<const SingularTerm> term_;
  VecX f_;
  std::vector<double> rates_;
};

}  // namespace

std::unique_ptr<IterateSystem> with_singular_term(std::unique_ptr<IterateSystem> system,
                                                  std::shared_ptr<const SingularTerm> term) {
  if (term == nullptr) return system;
  return std::make_unique<SingularTermSystem>(std::move(system), std::move(term));
}

}  // namespace daewave::bvp
