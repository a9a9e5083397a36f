#pragma once
// Whole-interval windows: each is solved as a waveform, by sweeps over its 8 Gauss nodes, all of
// which are evaluated in one call. What sweeps begin with is the polynomial of the window before.
// At its end the state is brought back to the constraints, as after any step.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/machine/aligned.hpp"
#include "ivp/run/nonstiff_step.hpp"
#include "ivp/run/tolerance.hpp"
#include "ivp/windows/modelled_sweeps.hpp"
#include "ivp/windows/point_sweeps.hpp"
#include "ivp/windows/window_length.hpp"
#include "ivp/windows/window_look.hpp"
#include "ivp/windows/window_polynomial.hpp"

namespace daewave::ivp {

class WindowStep final : public NonstiffStep {
 public:
  /// @param system    z = (q, v), kept by reference.
  /// @param lanes     sweeps of its problem in lanes, where the system is brought back to its
  ///                  constraints as by SBoth2 in the metric of M; may be null.
  /// @param estimate  false for windows of a given length: sweeps go on to rounding.
  WindowStep(ReducedOde& system, std::unique_ptr<WindowSweeps> lanes, const Tolerance& tolerance,
             bool estimate);

  bool start(double t, const VecX& z) override;
  double attempt(double h) override;
  bool tried(double theta, VecX& out) override;
  bool accept() override;
  double t() const override { return t_; }
  const VecX& state() const override { return z_; }
  void interpolate(double theta, VecX& out) override;
  void roughly(const double* theta, int count, int n, double* out) override;
  /// Of pieces that are as accurate as the end, of a higher degree than each.
  int dense_degree() const override { return WindowFormula::order; }
  bool is_long() const override { return true; }

  bool multiplier(VecX& carried) override { return multiplier_at(t_, z_, carried); }
  bool knows_multiplier_between() const override { return true; }
  bool multiplier_at(double t, const VecX& z, VecX& carried) override;
  Drift drift() override { return system_.drift(t_, z_); }

  int error_order() const override { return estimates_ ? WindowFormula::order : 0; }
  double first_step(double sign, double most) override;
  bool chooses_length() const override { return estimates_; }
  double next_length() const override { return length_; }
  /// Not above 1: what holds windows may be an oscillation too.
  double stiffness() const override { return held_ ? 1 : 0; }

  std::string failure() const override { return failure_; }
  long evaluations() const override { return evaluations_; }

 private:
  static constexpr int nodes = WindowFormula::nodes;
  /// How sweeps came to their end.
  enum class Swept { enough, too_long, slow, failed };
  /// What is found of a window that was swept.
  struct Looked {
    bool in_lanes = false;  ///< Side by side.
    double missed = 0;      ///< By the polynomials, at most, where they were looked at;
    double left = 0;        ///< what is left of it at window_places(), 0 where these were not.
  };

  void begin_with(double h);
  void weigh(double h);
  Swept iterate(const WindowBegin& from, double& rate);
  bool is_too_long(double left);
  double rate_to_wait_for(double rate) const;
  WindowSweeps& best() { return lanes_ ? *lanes_ : points_; }
  Sweep sweep(const WindowBegin& from);
  Spectrum spectrum() const;
  double again(double factor);
  void add(int i, double increment);
  bool refuse(std::string why, double factor);
  bool look(double t, Looked& looked);
  std::optional<double> place_to_look();
  bool look_in_lanes(double theta, const LegendreAt& place, double t, Looked& looked);
  bool look_one_by_one(double theta, const LegendreAt& place, Looked& looked);
  bool look_at_places();
  double left_at_end();
  double kink(const Looked& looked) const;
  void make_pieces();
  const LegendreAt& legendre_at(double theta);

  ReducedOde& system_;
  std::unique_ptr<WindowSweeps> lanes_;
  const ModelledSweeps* modelled_;  ///< lanes_, or null.
  PointSweeps points_;
  Tolerance tolerance_;
  bool estimates_;
  int nq_ = 0;
  double t_ = 0, h_ = 0;
  VecX z_, trial_, slope_, shift_;
  WindowLook look_;
  VecX looked_at_, looked_slope_;
  std::vector<double> missed_at_places_;  ///< Of entry i at place p at [i * nodes + p].
  VecX begin_slope_;                      ///< At the begin of a window that is tried.
  VecX cut_off_, trial_cut_off_;          ///< What rounding cut off of z_ and trial_.
  std::vector<double> weight_;
  std::vector<double> next_, trial_next_;  ///< The coefficients behind the last of a window.
  std::vector<double> nothing_;            ///< Where these are not known.
  AlignedVector a_;                        ///< At the nodes, of the window that is tried.
  WindowPolynomial tried_, accepted_;
  std::vector<WindowPolynomial> pieces_;  ///< Of the window last accepted, for dense output.
  std::vector<std::pair<double, LegendreAt>> known_places_;  ///< Of roughly().
  bool has_pieces_ = false;
  bool has_tried_ = false;   ///< A window from here that was not taken.
  bool took_again_ = false;  ///< The window from here, shorter.
  double rate_ = 0, tried_rate_ = 0;
  Spectrum tried_spectrum_;
  double inner_error_ = 0;
  double length_ = 0;
  double longest_ = 0;                      ///< Of windows after one whose sweeps did not converge.
  int kinks_ = 0;                           ///< Windows from here that were refused for them.
  bool held_ = false, tried_held_ = false;  ///< By the sweeps, where accuracy would allow more.
  long evaluations_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
