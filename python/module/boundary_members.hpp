#pragma once
// What a solution of boundary values is made of without its problem, which has functions of users:
// the curve, and numbers of the form that was solved.

#include <memory>
#include <utility>
#include <vector>

#include "bvp/result/solution.hpp"
#include "python/module/report_members.hpp"

namespace daewave::python {

struct CurveParts {
  std::vector<double> nodes;
  Collocation scheme;
  bvp::CollocationValues values;
  Regularization form;
  int iterates = 0;
  bool carries_By = false;
};

struct BoundaryParts {
  Report report;
  VecX parameters;
  std::vector<double> fixed_nodes;
  std::vector<bvp::Truncation> truncation;  ///< One or none.
  std::vector<CurveParts> curve;            ///< One, or none where there are no values.
};

BoundaryParts parts_of(const bvp::Solution& solution);
/// x, slopes and what is carried are to the bit those of the solution that the parts are of; what
/// takes the problem, such as y where B y is carried, throws InvalidOption.
bvp::Solution solution_of(BoundaryParts parts);

template <>
struct Members<Collocation> {
  static auto of(auto& of_all) {
    auto& [scheme, stages, c, a, b, order] = of_all;
    return std::tie(scheme, stages, c, a, b, order);
  }
};

template <>
struct Members<bvp::CollocationValues> {
  static auto of(auto& of_all) {
    auto& [x, slopes, carried, end_slopes, end_carried] = of_all;
    return std::tie(x, slopes, carried, end_slopes, end_carried);
  }
};

template <>
struct Members<Regularization> {
  static auto of(auto& of_all) {
    auto& [variant, weight, epsilon, alpha1, alpha2, alpha3, delta, rank_tolerance] = of_all;
    return std::tie(variant, weight, epsilon, alpha1, alpha2, alpha3, delta, rank_tolerance);
  }
};

template <>
struct Members<bvp::Truncation> {
  static auto of(auto& of_all) {
    auto& [at_begin, at_end, error, growth_at_begin, growth_at_end] = of_all;
    return std::tie(at_begin, at_end, error, growth_at_begin, growth_at_end);
  }
};

template <>
struct Members<CurveParts> {
  static auto of(auto& of_all) {
    auto& [nodes, scheme, values, form, iterates, carries_By] = of_all;
    return std::tie(nodes, scheme, values, form, iterates, carries_By);
  }
};

template <>
struct Members<BoundaryParts> {
  static auto of(auto& of_all) {
    auto& [report, parameters, fixed_nodes, truncation, curve] = of_all;
    return std::tie(report, parameters, fixed_nodes, truncation, curve);
  }
};

template <>
struct Crossing<bvp::Solution> {
  static BoundaryParts out(const bvp::Solution& solution) { return parts_of(solution); }
  static bvp::Solution in(BoundaryParts parts) { return solution_of(std::move(parts)); }
};

}  // namespace daewave::python
