#include "large/network/power_grid.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/error.hpp"

namespace daewave::network {
namespace {

void require(bool holds, const char* name, double given, const char* rule) {
  if (!holds) throw InvalidOption(fmt::format("{} = {:g}: {}", name, given, rule));
}

void check(const PowerGridData& data) {
  require(data.side >= 2 && data.side <= 4096, "side", data.side, "must be 2 to 4096");
  require(data.capacitance > 0, "capacitance", data.capacitance, "must be > 0");
  require(data.inductance > 0, "inductance", data.inductance, "must be > 0");
  require(data.resistance >= 0, "resistance", data.resistance, "must be >= 0");
  require(data.load >= 0, "load", data.load, "must be >= 0");
  require(data.cubic_load >= 0, "cubic_load", data.cubic_load, "must be >= 0");
  require(std::isfinite(data.frequency), "frequency", data.frequency, "must be finite");
  require(data.generator_distance >= 1, "generator_distance", data.generator_distance,
          "must be >= 1");
  int in_loop = 0;
  for (const int bus : {0, 1, data.side, data.side + 1})
    in_loop += bus % data.generator_distance == 0;
  require(!data.coupler_loop || in_loop == 1, "generator_distance", data.generator_distance,
          "puts two generators in the loop of couplers, and their voltages contradict each other");
}

}  // namespace

PowerGrid::PowerGrid(const PowerGridData& data) : data_(data) {
  check(data);
  const int n = data.side;
  for (int i = 0; i < buses(); ++i) {
    if (i % n + 1 < n) lines_.push_back({i, i + 1});
    if (i + n < buses()) lines_.push_back({i, i + n});
  }
  for (int i = 0; i < buses(); i += data.generator_distance) generators_.push_back(i);
  if (data.coupler_loop) couplers_ = {{0, 1}, {1, 1 + n}, {1 + n, n}, {n, 0}};
  build_matrices();
}

void PowerGrid::build_matrices() {
  std::vector<Eigen::Triplet<double>> mass, linear, constraint;
  for (int i = 0; i < buses(); ++i) {
    mass.emplace_back(i, i, data_.capacitance);
    linear.emplace_back(i, i, -data_.load);
  }
  for (int k = 0; k < lines(); ++k) {
    const auto [a, b] = lines_[static_cast<std::size_t>(k)];
    const int row = buses() + k;
    mass.emplace_back(row, row, data_.inductance);
    linear.emplace_back(row, row, -data_.resistance);
    linear.emplace_back(row, a, 1);
    linear.emplace_back(row, b, -1);
    linear.emplace_back(a, row, -1);
    linear.emplace_back(b, row, 1);
  }
  int row = 0;
  for (const int bus : generators_) constraint.emplace_back(row++, bus, -1);
  for (const auto& [a, b] : couplers_) {
    constraint.emplace_back(row, a, -1);
    constraint.emplace_back(row++, b, 1);
  }
  M_.resize(nx(), nx());
  M_.setFromTriplets(mass.begin(), mass.end());
  A_.resize(nx(), nx());
  A_.setFromTriplets(linear.begin(), linear.end());
  G_.resize(row, nx());
  G_.setFromTriplets(constraint.begin(), constraint.end());
}

double PowerGrid::source(int generator, double t) const {
  return std::sin(2 * std::numbers::pi * data_.frequency * t) *
         (1 + 0.1 * std::cos(static_cast<double>(generator)));
}

VecX PowerGrid::start() const {
  VecX x = VecX::Zero(nx());
  for (int k = 0; k < generators(); ++k) x[generators_[static_cast<std::size_t>(k)]] = source(k, 0);
  return x;
}

void PowerGrid::f(const VecX& x, double, VecX& out) const {
  out = A_ * x;
  if (data_.cubic_load == 0) return;
  out.head(buses()) -= data_.cubic_load * x.head(buses()).array().cube().matrix();
}

void PowerGrid::f_jacobian(const VecX& x, double, sparse::SparseMatrix& out) const {
  out = A_;
  if (data_.cubic_load == 0) return;
  for (int i = 0; i < buses(); ++i) out.coeffRef(i, i) -= 3 * data_.cubic_load * x[i] * x[i];
}

void PowerGrid::g(const VecX& x, double t, VecX& out) const {
  out = G_ * x;
  for (int k = 0; k < generators(); ++k) out[k] += source(k, t);
}

void PowerGrid::G(const VecX&, double, sparse::SparseMatrix& out) const { out = G_; }

}  // namespace daewave::network
