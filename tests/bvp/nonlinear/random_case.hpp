#pragma once
// A nonlinear boundary value problem drawn at random, and how it is to be solved.

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "bvp/options/options.hpp"
#include "tests/bvp/nonlinear/random_motion.hpp"

namespace daewave::testing {

enum class RandomKind { ordinary, index_1, index_2, second_order, multibody };
inline const char* name_of(RandomKind kind) {
  constexpr const char* names[] = {"index 0", "index 1", "index 2", "second order", "multibody"};
  return names[static_cast<int>(kind)];
}

enum class RandomDerivatives { by_hand, autodiff, differences };

struct RandomNonlinearCase {
  RandomData data;
  RandomKind kind = RandomKind::ordinary;
  RandomDerivatives derivatives = RandomDerivatives::autodiff;
  bool with_curvature = true;  ///< Where derivatives are by hand.
  double tolerance = 1e-6;
  double narrowest = 1;      ///< Of features.
  double most_seconds = 10;  ///< After which it is stopped.
  std::function<void(bvp::Options&)> change{};
  std::vector<std::string> classes;
};

namespace detail {

class RandomDraw {
 public:
  explicit RandomDraw(unsigned seed) : generator_(seed * 7919u + 1u) {}

  RandomNonlinearCase draw() {
    drawn_.kind = static_cast<RandomKind>(one_of(5));
    drawn_.tolerance = std::pow(10.0, -4 - 2 * one_of(3));
    drawn_.derivatives = static_cast<RandomDerivatives>(one_of(3));
    drawn_.with_curvature = one_of(2) == 0;
    feature_ = static_cast<Feature>(one_of(has_constraints() ? 6 : 4));
    data_.guessed = static_cast<RandomData::Guess>(one_of(4));
    if (one_of(4) == 0) {
      data_.length = spread(2, 1000);
      note("long");
    }
    data_.m = is_constrained() ? (one_of(4) == 0 ? 2 : 1) : 0;
    data_.n = (has_constraints() ? data_.m : 0) + 1 + one_of(3);
    // Differences of constraints cost a hundred evaluations of each.
    if (has_velocities() && drawn_.derivatives == RandomDerivatives::differences) {
      data_.m = 1;
      data_.n = 2;
    }
    constexpr const char* features[] = {"smooth", "steep",    "fast",
                                        "rough",  "singular", "near singular"};
    note(features[static_cast<int>(feature_)]);
    constexpr const char* guesses[] = {"no guess", "line", "perturbed", "tiny"};
    note(guesses[static_cast<int>(data_.guessed)]);
    draw_forces();
    draw_constraints();
    draw_solution();
    draw_conditions();
    draw_units();
    constexpr const char* derivatives[] = {"by hand", "autodiff", "differences"};
    note(derivatives[static_cast<int>(drawn_.derivatives)]);
    return std::move(drawn_);
  }

 private:
  enum class Feature { smooth, steep, fast, rough, singular, near_singular };

  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(generator_()) / 4294967296.0);
  }
  double spread(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  int one_of(unsigned count) { return static_cast<int>(generator_() % count); }
  void note(const char* name) { drawn_.classes.push_back(name); }

  bool has_velocities() const {
    return drawn_.kind == RandomKind::second_order || drawn_.kind == RandomKind::multibody;
  }
  bool has_constraints() const { return drawn_.kind == RandomKind::index_2 || has_velocities(); }
  bool is_constrained() const { return drawn_.kind != RandomKind::ordinary; }
  /// Of z, which have a condition.
  int held() const { return has_constraints() ? data_.free() : data_.n; }

  void draw_forces() {
    RandomForces& forces = data_.forces;
    const int n = data_.n;
    forces.rate = forces.own = forces.phase = VecX::Zero(n);
    forces.coupling = MatX::Zero(n, n);
    forces.swing = one_of(2) == 0 ? 0.3 : 0;
    forces.pace = uniform(0.5, 6) / pace_unit();
    for (int i = 0; i < n; ++i) {
      using Shape = RandomForces::Shape;
      const auto shape = static_cast<Shape>(one_of(4));
      const bool grows = shape == Shape::cubic || shape == Shape::exponential;
      forces.shape.push_back(shape);
      forces.own[i] = grows ? uniform(0, 1) : uniform(-0.5, 0.8);
      forces.phase[i] = uniform(0, 6);
      const double most = 0.8 * (grows ? 1 : 1 + std::min(forces.own[i], 0.0)) / std::max(1, n - 1);
      for (int j = 0; j < n; ++j) {
        if (j != i && one_of(3) != 0) forces.coupling(i, j) = uniform(-most, most);
      }
      double mode = spread(0.1, 5);
      if (feature_ == Feature::fast) mode = spread(1, 1000) / std::sqrt(data_.length);
      if (i >= held()) mode = uniform(-1, 1);
      data_.decays.push_back(one_of(2) == 0);
      data_.mixed.push_back(one_of(3) == 0);
      if (has_velocities()) {
        forces.rate[i] = mode * mode;
        // Position and velocity at one end: what swings, not what grows.
        if (data_.decays.back() && i < held()) {
          mode = std::min(mode, 30 / data_.length);
          forces.rate[i] = -mode * mode;
        }
      } else {
        forces.rate[i] = data_.decays.back() ? -mode : mode;
      }
    }
    // Nor do constrained components, or others that swing, feed what swings or is slow.
    const double slowest = forces.rate.head(held()).cwiseAbs().minCoeff();
    forces.rate.tail(n - held()) *= std::min(1.0, slowest);
    for (int i = 0; i < n && has_velocities(); ++i) {
      if (forces.rate[i] < 0) forces.coupling.row(i).setZero();
    }
    data_.damping = VecX::NullaryExpr(n, [&] { return uniform(-0.2, 0.2) / data_.length; });
    if (drawn_.kind == RandomKind::ordinary && n >= 2 && one_of(4) == 0) {
      forces.turning = spread(0.5, 40) / data_.length;
      data_.decays[0] = data_.decays[1] = true;
      data_.mixed[0] = data_.mixed[1] = false;
      note("turning");
    }
  }

  double pace_unit() const { return std::max(1.0, data_.length / 50); }

  void draw_constraints() {
    const int n = data_.n, m = data_.m, free = std::max(0, data_.free());
    const auto rate = data_.forces.rate.head(has_constraints() ? free : n).cwiseAbs();
    const double fastest = rate.maxCoeff();
    data_.bend = VecX::NullaryExpr(m, [&] { return uniform(-0.3, 0.5); });
    data_.tie = VecX::NullaryExpr(m, [&] { return uniform(-0.5, 0.5); });
    // A force of a constraint, 2 at most, turns with what it acts on.
    const double own = data_.forces.rate.cwiseAbs()[0];
    if (drawn_.kind == RandomKind::multibody) data_.tie *= std::min(1.0, 0.3 * own);
    if (drawn_.kind == RandomKind::index_1) {
      data_.of_w = MatX::NullaryExpr(n, m, [&] { return uniform(-0.3, 0.3); });
      data_.of_w = rate.asDiagonal() * data_.of_w;
      return;
    }
    // What one multiplier feels of a fast component acts little on slow ones.
    data_.oblique = MatX::NullaryExpr(free, m, [&] { return uniform(-0.3, 0.3); });
    for (int i = 0; i < data_.oblique.rows() && has_constraints(); ++i) {
      data_.oblique.row(i) *= std::min(rate[i], rate[i] / fastest);
    }
    if (!has_constraints()) return;
    const double off = 0.2 * rate.minCoeff() / fastest;
    data_.mass = MatX::Zero(n, n);
    for (int i = 0; i < n; ++i) {
      data_.mass(i, i) = uniform(1, 3);
      for (int j = 0; j < i; ++j) {
        data_.mass(i, j) = data_.mass(j, i) = off * uniform(-1, 1);
      }
    }
    using Singular = RandomData::Singular;
    if (feature_ == Feature::near_singular) {
      data_.singular = Singular::nearly;
      data_.zero_level = spread(1e-3, 0.1);
    } else if (feature_ == Feature::singular) {
      constexpr Singular ways[] = {Singular::vanishing, Singular::constraint_vanishing,
                                   Singular::dependent, Singular::by_state};
      data_.singular = ways[one_of(4)];
      constexpr const char* names[] = {"",          "vanishing", "constraint vanishing",
                                       "dependent", "",          "by state"};
      note(names[static_cast<int>(data_.singular)]);
    } else {
      return;
    }
    data_.zero_order = 1 + one_of(2);
    constexpr double places[] = {0, 1, 0.5, 1.0 / 3, 0.3};
    const int place = one_of(8);
    data_.zero_at = data_.length * (place < 5 ? places[place] : uniform(0.1, 0.9));
    if (place < 2) note("at an end");
  }

  RandomCurve curve(bool of_z, bool with_feature) {
    RandomCurve one;
    one.amplitude = uniform(-1, 1);
    one.frequency = uniform(0.5, 6) / pace_unit();
    one.phase = uniform(0, 6);
    one.height = uniform(-1, 1);
    one.at = data_.length * uniform(0.05, 0.95);
    using Curve = RandomCurve::Feature;
    if (!with_feature) return one;
    if (feature_ == Feature::steep) {
      // Of a position its second derivative is a force.
      one.width = data_.length * spread(of_z && has_velocities() ? 1e-3 : 1e-4, 0.1);
      drawn_.narrowest = std::min(drawn_.narrowest, one.width / data_.length);
      one.feature = static_cast<Curve>(1 + one_of(4));
      if (one.feature == Curve::layer) one.at = 0;
      if (one.feature == Curve::end_layer) one.at = data_.length;
    } else {
      one.width = data_.length;
      const int smoothest = static_cast<int>(Curve::twist);
      const int least = static_cast<int>(!of_z              ? Curve::jump
                                         : has_velocities() ? Curve::bend
                                                            : Curve::kink);
      one.feature =
          static_cast<Curve>(least + one_of(static_cast<unsigned>(smoothest - least + 1)));
      one.height *= 4;
    }
    return one;
  }

  void draw_solution() {
    const bool special = feature_ == Feature::steep || feature_ == Feature::rough;
    // Second differences do not see where a derivative jumps.
    const bool can_be_rough =
        !has_velocities() || drawn_.derivatives != RandomDerivatives::differences;
    const bool special_z = special && (feature_ == Feature::steep || can_be_rough);
    for (int i = 0; i < data_.n; ++i) data_.z.push_back(curve(true, special_z && one_of(2) == 0));
    for (int i = 0; i < data_.m; ++i) data_.y.push_back(curve(false, special && one_of(2) == 0));
    if (has_velocities()) {
      const double angle = uniform(0, 1);
      data_.cosine = std::cos(angle);
      data_.sine = std::sin(angle);
    } else {
      data_.turn = uniform(0.1, 2) / data_.length * std::min(data_.length, 5.0);
    }
  }

  void draw_conditions() {
    data_.decays.resize(static_cast<std::size_t>(held()));
    data_.mixed.resize(static_cast<std::size_t>(held()));
  }

  void draw_units() {
    const bool in_units = one_of(5) == 0;
    if (in_units) note("units");
    const bool of_x = in_units && one_of(3) == 0;
    if (of_x) note("units of x");
    const auto unit = [&](bool there) { return there ? spread(1e-12, 1e12) : 1; };
    const auto units = [&](int count, bool there) {
      VecX all(count);
      for (double& one : all) one = unit(there);
      return all;
    };
    data_.units = units(data_.n, of_x);
    data_.rows = units(data_.m, in_units);
    data_.columns = units(data_.m, in_units);
    data_.in_rows = units(held(), in_units);
    if (of_x) data_.units = data_.units.cwiseSqrt();
  }

  std::mt19937 generator_;
  RandomNonlinearCase drawn_;
  RandomData& data_ = drawn_.data;
  Feature feature_ = Feature::smooth;
};

}  // namespace detail

inline RandomNonlinearCase random_nonlinear_case(unsigned seed) {
  return detail::RandomDraw(seed).draw();
}

}  // namespace daewave::testing
