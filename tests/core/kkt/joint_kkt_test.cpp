// The elimination for bodies and joints against the one for any system: trees, and graphs with
// loops.

#include "core/kkt/joint_kkt.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "core/eigenvalues.hpp"
#include "core/error.hpp"
#include "core/kkt/kkt.hpp"
#include "core/problem/terms.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

using Random = std::mt19937;

int number(Random& random, int from, int to) {
  return std::uniform_int_distribution<int>(from, to)(random);
}

/// Each body hangs on one before it, or on the ground; then `loops` joints of one row more, of
/// which bodies of 3 coordinates and joints of at most 2 rows have freedom enough. Numbered at
/// random.
JointPatternPtr random_graph(int bodies, int loops, Random& random) {
  std::vector<Joint> joints;
  for (int i = 0; i < bodies; ++i) {
    joints.push_back({number(random, 1, 2), i, number(random, Joint::ground, i - 1)});
  }
  for (int i = 0; bodies > 1 && i < loops; ++i) {
    const int first = number(random, 0, bodies - 2);
    joints.push_back({1, first, number(random, first + 1, bodies - 1)});
  }
  std::shuffle(joints.begin(), joints.end(), random);
  return std::make_shared<const JointPattern>(bodies, joints);
}

template <class Mass>
Mass random_mass(int bodies, Random& random);

/// Over two decades.
template <>
Eigen::DiagonalMatrix<double, Dynamic> random_mass(int bodies, Random& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  Eigen::DiagonalMatrix<double, Dynamic> M(3 * bodies);
  for (double& entry : M.diagonal()) entry = std::pow(10, unit(random));
  return M;
}
template <>
BodyMass<3> random_mass(int bodies, Random& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  BodyMass<3> M;
  for (int i = 0; i < bodies; ++i) {
    const Mat<3, 3> A = Mat<3, 3>::NullaryExpr([&]() { return unit(random); });
    M.blocks.push_back(A * A.transpose() + 0.1 * Mat<3, 3>::Identity());
  }
  return M;
}

/// Blocks, masses and right sides anywhere in a unit box.
template <int R, class Mass>
struct RandomMechanism {
  JointJacobian<3, R> G;
  MatX dense;
  Mass M;
  MatX dense_M;
  VecX f, c, v;

  RandomMechanism(const JointPatternPtr& pattern, Random& random) : G(pattern) {
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto vector = [&](int size) {
      return VecX(VecX::NullaryExpr(size, [&]() { return unit(random); }));
    };
    for (int e = 0; e < 2 * G.joints(); ++e) {
      if (G.body(e) == Joint::ground) continue;
      const int rows = pattern->joints()[static_cast<std::size_t>(e / 2)].rows;
      G.end(e).topRows(rows) = MatX::NullaryExpr(rows, 3, [&]() { return unit(random); });
    }
    dense = G.dense();
    M = random_mass<Mass>(pattern->bodies(), random);
    dense_M = M * MatX::Identity(G.cols(), G.cols());
    f = vector(G.cols());
    c = vector(G.rows());
    v = vector(G.cols());
  }
};

/// How far both are apart, relative.
double gap(const VecX& a, const VecX& b) {
  REQUIRE(a.size() == b.size());
  return (a - b).norm() / (1 + b.norm());
}

/// Random rows may be nearly dependent: rounding times the condition of G M^-1 G^T, a hundred of
/// them for sums, is what both can differ by.
double rounding_of(const MatX& G, const MatX& M) {
  const MatX inverse = M.inverse(), Gt = G.transpose(), B = inverse * Gt, S = G * B;
  const VecX squares = eigenvalues(S).real();
  return 100 * 2.2e-16 * (1 + squares.maxCoeff() / squares.minCoeff());
}

/// What an elimination answers to right sides.
struct Answers {
  VecX a, lambda, massive, orthogonal, orthogonal_with, mu, forbidden;
};

/// @param a  memory of all answers, whatever it has been.
template <class Kkt, class Mass>
Answers answers_of(Kkt& kkt, const Mass& M, const VecX& f, const VecX& c, const VecX& v,
                   VecX a = {}) {
  Answers answers;
  VecX lambda;
  kkt.solve(M, f, c, a, lambda);
  answers.a = a;
  answers.lambda = lambda;
  kkt.correct(M, c, a);
  answers.massive = a;
  kkt.correct_orthogonal(c, a);
  answers.orthogonal = a;
  kkt.correct_orthogonal(c, a, lambda);
  answers.orthogonal_with = a;
  answers.mu = lambda;
  kkt.forbidden(v, a);
  answers.forbidden = a;
  return answers;
}

void compare(const Answers& found, const Answers& expected, double near, double near_orthogonal) {
  CHECK(gap(found.a, expected.a) < near);
  CHECK(gap(found.lambda, expected.lambda) < near);
  CHECK(gap(found.massive, expected.massive) < near);
  CHECK(gap(found.orthogonal, expected.orthogonal) < near_orthogonal);
  CHECK(gap(found.orthogonal_with, expected.orthogonal_with) < near_orthogonal);
  CHECK(gap(found.mu, expected.mu) < near_orthogonal);
  CHECK(gap(found.forbidden, expected.forbidden) < near);
}

template <int R, class Mass>
void compare_with_null_space(const RandomMechanism<R, Mass>& any, JointKkt<3, R, Mass>& kkt) {
  NullSpaceKkt<VecX, VecX> null_space;
  kkt.eliminate(any.G, 1e-12);
  null_space.eliminate(any.dense, 1e-12);
  REQUIRE(null_space.rank() == any.G.rows());
  CHECK(kkt.rank() == any.G.rows());
  CHECK(kkt.free() == any.G.cols() - any.G.rows());
  REQUIRE(kkt.weigh(any.M));
  REQUIRE(null_space.weigh(any.dense_M));
  const double near = rounding_of(any.dense, any.dense_M);
  const double near_orthogonal =
      rounding_of(any.dense, MatX::Identity(any.dense.cols(), any.dense.cols()));
  REQUIRE(near < 1e-5);
  REQUIRE(near_orthogonal < 1e-5);

  compare(answers_of(kkt, any.M, any.f, any.c, any.v),
          answers_of(null_space, any.dense_M, any.f, any.c, any.v), near, near_orthogonal);
}

/// Each entry is what is no number.
void check_nothing(const Answers& answers, int rows, int columns) {
  const auto nothing = [](const VecX& x, int size) {
    return x.size() == size && x.array().isNaN().all();
  };
  CHECK(nothing(answers.a, columns));
  CHECK(nothing(answers.lambda, rows));
  CHECK(nothing(answers.massive, columns));
  CHECK(nothing(answers.forbidden, columns));
  CHECK(nothing(answers.orthogonal, columns));
  CHECK(nothing(answers.orthogonal_with, columns));
  CHECK(nothing(answers.mu, rows));
}

/// Blocks below the diagonal of S as it is, those that elimination fills not counted.
int blocks_of_S(const JointPattern& pattern) {
  MatX shared = MatX::Zero(static_cast<int>(pattern.joints().size()), pattern.bodies());
  for (int j = 0; j < shared.rows(); ++j) {
    const Joint& joint = pattern.joints()[static_cast<std::size_t>(j)];
    shared(j, joint.first) = 1;
    if (joint.second != Joint::ground) shared(j, joint.second) = 1;
  }
  const MatX S = shared * shared.transpose();
  return static_cast<int>(((S.array() != 0).count() - S.rows()) / 2);
}

constexpr int numbers_of_bodies[] = {1, 2, 3, 8, 20};
using Diagonal = Eigen::DiagonalMatrix<double, Dynamic>;

}  // namespace

TEST_CASE("a Jacobian of joints multiplies like its dense matrix", "[kkt]") {
  for (const int bodies : numbers_of_bodies) {
    Random random(1);
    const RandomMechanism<2, Diagonal> any(random_graph(bodies, bodies / 3, random), random);
    VecX Gv, force;
    apply(any.G, any.v, Gv);
    apply_transposed(any.G, any.c, force);
    CHECK(gap(Gv, any.dense * any.v) < 1e-14);
    CHECK(gap(force, any.dense.transpose() * any.c) < 1e-14);
    CHECK(any.G.rows() == any.dense.rows());
    CHECK(any.G.cols() == any.dense.cols());
    CHECK(any.G.sum() == Approx(any.dense.sum()).margin(1e-13));
  }
}

TEMPLATE_TEST_CASE_SIG("the elimination for joints gives what the null space gives", "[kkt]",
                       ((class Mass, int R), Mass, R), (Diagonal, 2), (Diagonal, 3),
                       (BodyMass<3>, 2)) {
  JointKkt<3, R, Mass> kkt;
  for (const int bodies : numbers_of_bodies) {
    for (const int loops : {0, bodies / 3}) {
      for (unsigned seed = 1; seed < 6; ++seed) {
        CAPTURE(bodies, loops, seed);
        Random random(seed);
        const JointPatternPtr pattern = random_graph(bodies, loops, random);
        // Twice: the next matrix of a pattern is eliminated as well as its first.
        for (int again = 0; again < 2; ++again) {
          compare_with_null_space(RandomMechanism<R, Mass>(pattern, random), kkt);
        }
      }
    }
  }
}

TEST_CASE("bodies without joints are free", "[kkt]") {
  Random random(3);
  const auto pattern = std::make_shared<const JointPattern>(2, std::vector<Joint>());
  const RandomMechanism<2, Diagonal> any(pattern, random);
  JointKkt<3, 2> kkt;
  kkt.eliminate(any.G, 0);
  REQUIRE(kkt.weigh(any.M));
  CHECK(kkt.rank() == 0);
  CHECK(kkt.free() == 6);
  VecX a, lambda;
  kkt.solve(any.M, any.f, any.c, a, lambda);
  CHECK(gap(any.M * a, any.f) < 1e-15);
  CHECK(lambda.size() == 0);
}

TEST_CASE("chains of joints fill nothing, and trees little, however they are numbered", "[kkt]") {
  for (const int bodies : {1, 2, 10, 100}) {
    std::vector<Joint> chain, binary;
    for (int i = 0; i < bodies; ++i) {
      chain.push_back({2, i, i - 1});
      binary.push_back({2, i, i == 0 ? Joint::ground : (i - 1) / 2});
    }
    Random random(7);
    std::shuffle(chain.begin(), chain.end(), random);
    std::shuffle(binary.begin(), binary.end(), random);
    const JointPattern of_chain(bodies, chain), of_tree(bodies, binary);
    CHECK(of_chain.blocks() == blocks_of_S(of_chain));
    CHECK(of_chain.targets().empty());
    // A body with three joints has 3 blocks, which is less than 3 / 2 of a joint's; as many again
    // where degrees mislead.
    CHECK(blocks_of_S(of_tree) <= 3 * bodies / 2);
    CHECK(of_tree.blocks() <= 2 * bodies);
    CHECK(of_tree.targets().size() <= 2 * binary.size());
  }
}

TEST_CASE("what bodies and joints cannot be solved with is told", "[kkt]") {
  Random random(5);
  RandomMechanism<2, Diagonal> any(random_graph(6, 1, random), random);
  JointKkt<3, 2> kkt;
  VecX a;
  kkt.eliminate(any.G, 0);
  REQUIRE(kkt.weigh(any.M));
  CHECK(kkt.smallest_pivot() > 0);
  any.M.diagonal()[4] = -1;
  CHECK_FALSE(kkt.weigh(any.M));
  CHECK(kkt.smallest_pivot() == 0);

  any.G.end(0)(0, 1) = NAN;
  kkt.eliminate(any.G, 0);
  CHECK(kkt.rank() == 0);
  CHECK_FALSE(kkt.weigh(any.M));
  kkt.correct_orthogonal(any.c, a);
  CHECK(std::isnan(a[0]));
}

TEMPLATE_TEST_CASE_SIG("bodies and joints that are not finite are answered with what is no number",
                       "[kkt]", ((class Mass, int R), Mass, R), (Diagonal, 2), (BodyMass<3>, 2)) {
  Random random(6);
  for (const bool used : {false, true}) {
    for (const bool weighed : {false, true}) {
      CAPTURE(used, weighed);
      JointKkt<3, R, Mass> kkt;
      VecX a;
      if (used) {  // What is left of fewer bodies is not taken for these.
        const RandomMechanism<R, Mass> small(random_graph(2, 0, random), random);
        kkt.eliminate(small.G, 0);
        REQUIRE(kkt.weigh(small.M));
        kkt.correct_orthogonal(small.c, a);
      }
      // A tree, so that each body hangs on some joint.
      RandomMechanism<R, Mass> any(random_graph(12, 0, random), random);
      any.G.end(2)(0, 1) = NAN;
      kkt.eliminate(any.G, 0);
      if (weighed) CHECK_FALSE(kkt.weigh(any.M));
      check_nothing(answers_of(kkt, any.M, any.f, any.c, any.v, a), any.G.rows(), any.G.cols());
    }
  }
}

TEST_CASE("dependent rows of joints are told, as far as squares let see them", "[kkt]") {
  const auto pattern =
      std::make_shared<const JointPattern>(2, std::vector<Joint>{{1, 0, 1}, {1, 1, 0}});
  JointJacobian<3, 1> G(pattern);
  const Diagonal M(VecX::Ones(6));
  JointKkt<3, 1> kkt;
  G.end(0) << 1, 2, 3;
  G.end(1) << 4, 5, 6;
  // The sine of the angle of both rows is about h / 10.
  for (const double h : {0.0, 1e-9, 1e-5, 1.0}) {
    CAPTURE(h);
    G.end(2) << 4, 5, 6 + h;
    G.end(3) << 1, 2, 3;
    kkt.eliminate(G, 0);
    CHECK(kkt.weigh(M) == (h > 1e-6));
    if (h == 1e-5) {
      const VecX row = G.dense().row(1), other = G.dense().row(0);
      const double length = (row - other * (row.dot(other) / other.squaredNorm())).norm();
      // Squares of rows, about 100, are rounded to 1e-14, and that of this length is 6e-11.
      CHECK(kkt.smallest_pivot() == Approx(length).epsilon(1e-3));
    }
  }
}

TEST_CASE("a pattern of joints that cannot be is refused", "[kkt]") {
  using Joints = std::vector<Joint>;
  CHECK_THROWS_WITH(JointPattern(-1, Joints{}), contains_text("bodies = -1: must be >= 0"));
  CHECK_THROWS_WITH(JointPattern(2, Joints{{2, 0, 1}, {0, 0, 1}}),
                    contains_text("joint 1: rows = 0: must be >= 1"));
  CHECK_THROWS_WITH(JointPattern(2, Joints{{2, 2, 1}}),
                    contains_text("joint 0: first = 2") && contains_text("0 to 1"));
  CHECK_THROWS_WITH(JointPattern(2, Joints{{2, Joint::ground, 1}}),
                    contains_text("the ground can be second"));
  CHECK_THROWS_WITH(JointPattern(2, Joints{{2, 1, 5}}), contains_text("Joint::ground"));
  CHECK_THROWS_WITH(JointPattern(2, Joints{{2, 1, 1}}), contains_text("must be two bodies"));
  const auto welded = std::make_shared<const JointPattern>(2, Joints{{3, 0, 1}});
  CHECK_THROWS_AS((JointJacobian<3, 2>(welded)), InvalidProblem);
  CHECK_NOTHROW(JointJacobian<3, 3>(welded));
}

}  // namespace daewave
