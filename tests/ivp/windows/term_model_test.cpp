// What points nearby know of the terms of a motion.

#include "ivp/windows/term_model.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/catch.hpp"

namespace daewave::ivp::of_term_model {
namespace {

constexpr int nodes = NodeTerms::nodes, nq = 2;

/// Two coordinates, of which cubic terms count `cubic` times:
///
///   f0 = 3 q1 - 2 q0 v1 cubic + 0.5 v0,   f1 = -q0 + 4 v1 + cubic q1^3,
///   M  = (2 + q0, 0.3 q1; 0.3 q1, 5),     g = q0^2 + 0.5 q0 q1 - q1^2 + t q1 + cubic q0^3
class Motion final : public Evaluation {
 public:
  Motion(double cubic, std::vector<int>& counts) : cubic_(cubic), counts_(counts) {}

  const Terms& evaluate(Ask, const Points& at) override {
    counts_.push_back(at.count);
    const int n = at.count;
    f_.resize(static_cast<std::size_t>(2 * n));
    M_.resize(static_cast<std::size_t>(4 * n));
    G_ = f_;
    c_.resize(static_cast<std::size_t>(n));
    for (int p = 0; p < n; ++p) {
      const double q0 = at.q[p], q1 = at.q[at.stride + p];
      const double v0 = at.v[p], v1 = at.v[at.stride + p];
      f_[p] = 3 * q1 - 2 * q0 * v1 * cubic_ + 0.5 * v0;
      f_[n + p] = -q0 + 4 * v1 + cubic_ * q1 * q1 * q1;
      M_[p] = 2 + q0;
      M_[n + p] = M_[2 * n + p] = 0.3 * q1;
      M_[3 * n + p] = 5;
      G_[p] = 2 * q0 + 0.5 * q1 + 3 * cubic_ * q0 * q0;
      G_[n + p] = 0.5 * q0 - 2 * q1 + at.t[p];
      c_[p] = 2 * v0 * v0 + v0 * v1 - 2 * v1 * v1 + 2 * v1 + 6 * cubic_ * q0 * v0 * v0;
    }
    terms_ = {};
    terms_.stride = n;
    terms_.f = f_.data();
    terms_.M = M_.data();
    terms_.G = G_.data();
    terms_.curvature = c_.data();
    return terms_;
  }

 private:
  double cubic_;
  std::vector<int>& counts_;
  std::vector<double> f_, M_, G_, c_;
  Terms terms_;
};

/// At the nodes, some of which have other times; `away` moves all of it.
struct Places {
  std::vector<double> t, q, v;

  explicit Places(double away) {
    for (int p = 0; p < nodes; ++p) t.push_back(0.1 * p);
    for (int i = 0; i < nq; ++i) {
      for (int p = 0; p < nodes; ++p) {
        q.push_back(0.8 - 0.5 * i + 0.02 * p + away * (1 + 0.1 * p - 1.7 * i));
        v.push_back(-0.4 + 1.1 * i + 0.03 * p - away * (0.6 + 0.05 * p - 1.3 * i));
      }
    }
  }
  Points points() const { return {nodes, nodes, t.data(), q.data(), v.data(), nullptr}; }
};

struct Missed {
  double f, M, G, curvature;
};

/// The most by which the model misses the terms so far away.
Missed missed(double cubic, double away, bool mass_constant = false) {
  std::vector<int> counts;
  Sizes sizes;
  sizes.nq = nq;
  sizes.ny = 1;
  Structure structure;
  structure.mass_constant = mass_constant;
  RememberedTerms remembered(std::make_unique<Motion>(cubic, counts), sizes, structure);
  const Places here(0), there(away);
  const Ask all = Ask::f | Ask::M | Ask::G | Ask::curvature;
  remembered.ask_for_slopes();
  remembered.evaluate(all, here.points());
  TermModel model(remembered);
  const Terms& found = model.evaluate(all, there.points());
  Motion motion(cubic, counts);
  const Terms& expected = motion.evaluate(all, there.points());
  CHECK(counts == std::vector<int>{nodes + 2 * nq, nodes});
  REQUIRE(found.stride == nodes);
  const auto most = [](const double* a, const double* b, int entries) {
    double size = 0;
    for (int e = 0; e < entries * nodes; ++e) size = std::max(size, std::abs(a[e] - b[e]));
    return size;
  };
  return {most(found.f, expected.f, 2), most(found.M, expected.M, 4), most(found.G, expected.G, 2),
          most(found.curvature, expected.curvature, 1)};
}

}  // namespace

TEST_CASE("of linear terms and quadratic constraints the model of a window misses nothing",
          "[windows]") {
  // Slopes are differences over 1e-5 of the size of coordinates: their rounding is some 1e-11.
  for (const double away : {0.0, 0.1, -0.5}) {
    CAPTURE(away);
    const Missed by = missed(0, away);
    const double rounding = 1e-14 + 2e-10 * std::abs(away);
    CHECK(by.f <= rounding);
    CHECK(by.M <= rounding);
    CHECK(by.G <= rounding);
    CHECK(by.curvature <= rounding);
  }
}

TEST_CASE("of other terms the model of a window misses what is quadratic, away from its center",
          "[windows]") {
  // Slopes are those of one node, whose neighbours are away from it: that part is linear. Less that
  // of another way, the rest is of second order.
  const auto second = [](double Missed::*one, double away) {
    return std::max(missed(1, away).*one, missed(1, -away).*one);
  };
  for (const auto one : {&Missed::f, &Missed::G, &Missed::curvature}) {
    CHECK(second(one, 0) < 1e-14);
    CHECK(second(one, 0.4) > 1e-2);
    CHECK(second(one, 0.4) > 2 * second(one, 0.2));
    CHECK(second(one, 0.4) < 8 * second(one, 0.2));  // f has a cube.
    CHECK(second(one, 1e-3) < 1e-3);
  }
}

TEST_CASE("a mass that is constant has no slopes", "[windows]") {
  const Missed by = missed(0, 0.1, true);
  CHECK(by.M > 0.01);
  CHECK(by.f < 1e-10);
}

TEST_CASE("slopes of a window are those that are not zero, and are found where they are asked for",
          "[windows]") {
  std::vector<int> counts;
  Sizes sizes;
  sizes.nq = nq;
  sizes.ny = 1;
  RememberedTerms remembered(std::make_unique<Motion>(0, counts), sizes, {});
  const Places here(0);
  const Ask all = Ask::f | Ask::M | Ask::G | Ask::curvature;
  remembered.evaluate(all, here.points());
  CHECK(remembered.slopes().f.empty());
  remembered.ask_for_slopes();
  remembered.evaluate(all, here.points());
  remembered.evaluate(all, here.points());
  // Once, and they stay.
  CHECK(counts == std::vector<int>{nodes, nodes + 2 * nq, nodes});
  const auto text = [](const std::vector<TermSlope>& slopes) {
    std::string all_of_them;
    for (const TermSlope& one : slopes) {
      all_of_them += std::to_string(one.entry) + "/" + std::to_string(one.variable) + " " +
                     std::to_string(one.value) + "; ";
    }
    return all_of_them;
  };
  const TermSlopes& slopes = remembered.slopes();
  CHECK(text(slopes.f) == "1/0 -1.000000; 0/1 3.000000; 0/2 0.500000; 1/3 4.000000; ");
  CHECK(text(slopes.M) == "0/0 1.000000; 1/1 0.300000; 2/1 0.300000; ");
  CHECK(text(slopes.G) == "0/0 2.000000; 1/0 0.500000; 0/1 0.500000; 1/1 -2.000000; ");
  CHECK(slopes.curvature.empty());
  // 2 g_qt, of the coordinate that time multiplies.
  CHECK(text(slopes.mixed) == "1/0 2.000000; ");
  const NodeTerms& at = remembered.at_nodes();
  CHECK(std::equal(here.q.begin(), here.q.end(), at.q.begin(), at.q.end()));
  CHECK(std::equal(here.v.begin(), here.v.end(), at.v.begin(), at.v.end()));
}

}  // namespace daewave::ivp::of_term_model
