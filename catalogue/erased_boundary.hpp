#pragma once
// From a nonlinear boundary value problem of any type to one by name.

#include <optional>
#include <string>
#include <utility>

#include "bvp/nonlinear/solve.hpp"
#include "catalogue/boundary_problem.hpp"

namespace daewave::catalogue {

template <bvp::NonlinearBvp P>
class ErasedBoundary final : public BoundaryProblem {
 public:
  explicit ErasedBoundary(P problem) : problem_(std::move(problem)) {}

  std::string name() const override { return problem_.name(); }
  Interval interval() const override { return problem_.interval(); }
  int nx() const override { return bvp::BoundaryState<P>::SizeAtCompileTime; }
  std::string kind() const override {
    if constexpr (bvp::OrdinaryEquation<P>) return "ordinary";
    if constexpr (bvp::ImplicitEquation<P>) return "index 1";
    return SemiExplicitDae<P> ? "index 2" : "index 3";
  }
  bvp::NonlinearSolution solve(const bvp::NonlinearOptions& options) const override {
    return bvp::solve_nonlinear(problem_, options);
  }
  std::optional<VecX> exact(double t) const override {
    if constexpr (requires { problem_.exact(t); }) {
      return VecX(problem_.exact(t));
    } else if constexpr (requires { problem_.x_exact(t); }) {
      return VecX(problem_.x_exact(t));
    } else if constexpr (requires { problem_.z_exact(t); }) {
      return VecX(problem_.z_exact(t));
    } else {
      return {};
    }
  }

 private:
  P problem_;
};

template <bvp::NonlinearBvp P>
BoundaryProblemPtr erase_boundary(P problem) {
  return std::make_shared<const ErasedBoundary<P>>(std::move(problem));
}

}  // namespace daewave::catalogue
