#pragma once
// A grid of buses and lines with generators as voltage sources, of index 2:
//
//   c v_i' = -g v_i - k v_i^3 - sum of currents of lines out of i - currents of sources at i,
//   l i_ab' = v_a - v_b - r i_ab,        0 = E_k(t) - v_k at generators,   0 = v_b - v_a at
//   couplers.
//
// x = (v of buses, i of lines), y the currents of sources: what a generator gives is found, no
// equation says it. Where couplers close a loop, their currents are not unique, the voltages are.

#include "sparse/sparse_dae.hpp"

namespace daewave::network {

struct PowerGridData {
  int side = 19;  ///< Buses are in a square of side x side, >= 2, lines between neighbours.
  double capacitance = 1;    ///< c, F.
  double inductance = 0.1;   ///< l, H.
  double resistance = 0.05;  ///< r, Ohm.
  double load = 0.2;         ///< g, S.
  double cubic_load = 0;     ///< k, S / V^2; 0: the grid is linear.
  double frequency = 1;      ///< Of the generators, Hz.
  /// Generators at buses 0, this, twice this...; each a little later than the one before.
  int generator_distance = 23;
  /// Closed switches between buses (0, 1), (1, 1 + side), (1 + side, side), (side, 0) in a loop,
  /// and a capacitance each.
  bool coupler_loop = false;
};

class PowerGrid final : public sparse::SparseDae {
 public:
  /// @throws InvalidOption
  explicit PowerGrid(const PowerGridData& data);

  int buses() const { return data_.side * data_.side; }
  int lines() const { return static_cast<int>(lines_.size()); }
  int generators() const { return static_cast<int>(generators_.size()); }
  const PowerGridData& data() const { return data_; }
  /// Voltage of a generator.
  double source(int generator, double t) const;
  /// At rest but for the generators.
  VecX start() const;

  int nx() const override { return buses() + lines(); }
  int ny() const override { return static_cast<int>(G_.rows()); }
  const sparse::SparseMatrix& M() const override { return M_; }
  void f(const VecX& x, double t, VecX& out) const override;
  void f_jacobian(const VecX& x, double t, sparse::SparseMatrix& out) const override;
  void g(const VecX& x, double t, VecX& out) const override;
  void G(const VecX& x, double t, sparse::SparseMatrix& out) const override;
  bool linear() const override { return data_.cubic_load == 0; }
  bool symmetric() const override { return false; }
  std::string name() const override { return "power-grid"; }

 private:
  struct Line {
    int a, b;
  };
  void build_matrices();

  PowerGridData data_;
  std::vector<Line> lines_;
  std::vector<int> generators_;
  std::vector<Line> couplers_;
  sparse::SparseMatrix M_, A_, G_;  ///< f = A x but for the cubic load.
};

}  // namespace daewave::network
