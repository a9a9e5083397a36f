// M, G and their elimination in the types of a structure known at run time, against the types of
// each structure: the same to the last bit.

#include "core/kkt/any_kkt.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/kkt/chain_kkt.hpp"
#include "core/kkt/joint_kkt.hpp"
#include "core/kkt/kkt.hpp"
#include "core/kkt/sparse_kkt.hpp"
#include "core/not_finite.hpp"
#include "core/problem/terms.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

using Joints = JointJacobian<3, 2>;
constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();

/// Numbers anywhere in [-1, 1], the same ones in each run.
class Numbers {
 public:
  double operator()() { return unit_(random_); }
  VecX vector(int size) {
    return VecX::NullaryExpr(size, [this]() { return (*this)(); });
  }
  MatX matrix(int rows, int columns) {
    return MatX::NullaryExpr(rows, columns, [this]() { return (*this)(); });
  }

 private:
  std::mt19937 random_{7};
  std::uniform_real_distribution<double> unit_{-1, 1};
};

MatX dense_mass(int nq, Numbers& number) {
  const MatX A = number.matrix(nq, nq);
  return A * A.transpose() + MatX::Identity(nq, nq);
}
DiagonalMass diagonal_mass(int nq, Numbers& number) {
  return DiagonalMass(VecX(number.vector(nq).array().exp()));
}
BodyMass<3> body_mass(int bodies, Numbers& number) {
  BodyMass<3> M;
  for (int i = 0; i < bodies; ++i) M.blocks.push_back(dense_mass(3, number));
  return M;
}
ChainJacobian chain_jacobian(int bodies, Numbers& number) {
  ChainJacobian G;
  G.resize(bodies);
  for (int i = 0; i < bodies; ++i) {
    const auto at = static_cast<std::size_t>(i);
    G.own[at] = Vec<2>(number(), number());
    if (i > 0) G.before[at] = Vec<2>(number(), number());
  }
  return G;
}
Joints joint_jacobian(const std::vector<Joint>& joints, int bodies, Numbers& number) {
  Joints G(std::make_shared<const JointPattern>(bodies, joints));
  for (int e = 0; e < 2 * G.joints(); ++e) {
    if (G.body(e) == Joint::ground) continue;
    const int rows = joints[static_cast<std::size_t>(e / 2)].rows;
    G.end(e).topRows(rows) = number.matrix(rows, 3);
  }
  return G;
}
/// Four bodies in a loop.
Joints loop(Numbers& number) {
  return joint_jacobian({{2, 0, Joint::ground}, {2, 1, 0}, {1, 2, 1}, {2, 3, 2}, {1, 3, 0}}, 4,
                        number);
}

template <class Form>
AnyMass any_mass(const Form& M) {
  AnyMass any;
  any.become<Form>() = M;
  return any;
}
template <class Form>
AnyJacobian any_jacobian(const Form& G) {
  AnyJacobian any;
  any.become<Form>() = G;
  return any;
}

/// Equal, or both not a number.
bool same(const MatX& a, const MatX& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    const double x = a.data()[i], y = b.data()[i];
    if (!(x == y || (std::isnan(x) && std::isnan(y)))) return false;
  }
  return true;
}

/// Whatever may be asked of a mass.
template <class Form>
void compare_mass(const Form& M, Numbers& number) {
  const AnyMass any = any_mass(M);
  const int n = static_cast<int>(M.rows());
  const VecX v = number.vector(n);
  const MatX A = number.matrix(n, 3);
  CHECK(any.rows() == n);
  CHECK(any.cols() == n);
  CHECK(same(VecX(any * v), VecX(M * v)));
  CHECK(same(any * A, M * A));
  CHECK(same(any.dense(), M * MatX::Identity(n, n)));
  InverseMass<Form> typed;
  InverseMass<AnyMass> inverse;
  const bool regular = typed.factorize(M);
  CHECK(inverse.factorize(any) == regular);
  if (!regular) return;
  VecX a = v, b = v;
  typed.apply(a);
  inverse.apply(b);
  CHECK(same(a, b));
}

/// A system, and an elimination that may have had another before.
template <class Kkt, class Jacobian, class Mass>
void compare(AnyKkt& any, const Jacobian& G, const Mass& M, Numbers& number) {
  const AnyJacobian any_G = any_jacobian(G);
  const AnyMass any_M = any_mass(M);
  const int nl = static_cast<int>(G.rows()), nq = static_cast<int>(G.cols());
  const VecX f = number.vector(nq), c = number.vector(nl), v = number.vector(nq);
  Kkt typed;
  typed.eliminate(G, 1e-12);
  any.eliminate(any_G, 1e-12);
  REQUIRE(any.rank() == typed.rank());
  CHECK(any.free() == typed.free());
  for (int i = typed.rank(); i < nl; ++i) CHECK(any.dropped_row(i) == typed.dropped_row(i));
  VecX a, b, lambda, mu;
  // Without the metric of M first.
  typed.correct_orthogonal(c, a, lambda);
  any.correct_orthogonal(c, b, mu);
  CHECK(same(a, b));
  CHECK(same(lambda, mu));
  any.correct_orthogonal(c, b);
  CHECK(same(a, b));
  CHECK(any.weigh(any_M) == typed.weigh(M));
  if constexpr (std::is_same_v<Kkt, ChainKkt>) {
    CHECK(std::isinf(any.smallest_pivot()));
  } else {
    CHECK(any.smallest_pivot() == typed.smallest_pivot());
  }
  typed.solve(M, f, c, a, lambda);
  any.solve(any_M, f, c, b, mu);
  CHECK(same(a, b));
  CHECK(same(lambda, mu));
  any.solve(any_M, f, c, b);
  CHECK(same(a, b));
  typed.correct(M, c, a);
  any.correct(any_M, c, b);
  CHECK(same(a, b));
  typed.forbidden(v, a);
  any.forbidden(v, b);
  CHECK(same(a, b));
}

/// Two rows that share a coordinate.
SparseJacobian sparse_jacobian(int columns, Numbers& number) {
  SparseJacobian G(std::make_shared<const SparsePattern>(
      3, columns, std::vector<SparseEntry>{{0, 2}, {1, 2}, {2, 0}, {1, 4}, {0, 1}}));
  for (int e = 0; e < G.entries(); ++e) G[e] = 2 + number();
  return G;
}

/// As compare(), of the elimination that takes any mass itself.
template <class Mass>
void compare_sparse(AnyKkt& any, const SparseJacobian& G, const Mass& M, Numbers& number) {
  const AnyMass any_M = any_mass(M);
  const VecX f = number.vector(G.cols()), c = number.vector(G.rows());
  SparseKkt typed;
  typed.eliminate(G, 1e-12);
  any.eliminate(any_jacobian(G), 1e-12);
  CHECK(any.rank() == typed.rank());
  CHECK(any.free() == typed.free());
  CHECK(any.weigh(any_M) == typed.weigh(any_M));
  CHECK(any.smallest_pivot() == typed.smallest_pivot());
  VecX a, b, lambda, mu;
  typed.solve(any_M, f, c, a, lambda);
  any.solve(any_M, f, c, b, mu);
  CHECK(same(a, b));
  CHECK(same(lambda, mu));
  any.solve(any_M, f, c, b);
  CHECK(same(a, b));
  typed.correct(any_M, c, a);
  any.correct(any_M, c, b);
  CHECK(same(a, b));
  typed.correct_orthogonal(c, a, lambda);
  any.correct_orthogonal(c, b, mu);
  CHECK(same(a, b));
  CHECK(same(lambda, mu));
  typed.forbidden(f, a);
  any.forbidden(f, b);
  CHECK(same(a, b));
}

using DenseKkt = NullSpaceKkt<VecX, VecX>;
using JointBodyKkt = JointKkt<3, 2, BodyMass<3>>;

}  // namespace

TEST_CASE("a mass of any structure multiplies and divides as the one of its own type", "[kkt]") {
  Numbers number;
  SECTION("dense") { compare_mass<MatX>(dense_mass(5, number), number); }
  SECTION("diagonal") { compare_mass(diagonal_mass(5, number), number); }
  SECTION("bodies") { compare_mass(body_mass(3, number), number); }
  SECTION("dense and singular") { compare_mass<MatX>(MatX::Zero(4, 4), number); }
  SECTION("diagonal and singular") { compare_mass(DiagonalMass(VecX(VecX::Zero(4))), number); }
  SECTION("bodies and singular") {
    BodyMass<3> M = body_mass(2, number);
    M.blocks[1] *= -1;
    compare_mass(M, number);
  }
}

TEST_CASE("an inverse takes masses of one structure after another", "[kkt]") {
  Numbers number;
  InverseMass<AnyMass> inverse;
  const MatX M = dense_mass(6, number);
  const VecX b = number.vector(6);
  for (int pass = 0; pass < 2; ++pass) {
    for (const AnyMass& any :
         {any_mass<MatX>(M), any_mass(diagonal_mass(6, number)), any_mass(body_mass(2, number))}) {
      VecX x = b;
      REQUIRE(inverse.factorize(any));
      inverse.apply(x);
      CHECK((any * x - b).norm() < 1e-13);
    }
  }
}

TEST_CASE("a Jacobian of any structure multiplies as the one of its own type", "[kkt]") {
  Numbers number;
  const auto check = [&](const auto& G, const MatX& dense) {
    const AnyJacobian any = any_jacobian(G);
    const VecX v = number.vector(any.cols()), c = number.vector(any.rows());
    CHECK(any.rows() == dense.rows());
    CHECK(any.cols() == dense.cols());
    CHECK(same(any.dense(), dense));
    VecX expected, found;
    apply(G, v, expected);
    apply(any, v, found);
    CHECK(same(found, expected));
    CHECK((found - dense * v).norm() < 1e-14);
    apply_transposed(G, c, expected);
    apply_transposed(any, c, found);
    CHECK(same(found, expected));
    CHECK((found - dense.transpose() * c).norm() < 1e-14);
  };
  const MatX G = number.matrix(3, 5);
  check(G, G);
  CHECK(any_jacobian(G).template as<MatX>() != nullptr);
  const Joints joints = loop(number);
  check(joints, joints.dense());
  CHECK(any_jacobian(joints).template as<MatX>() == nullptr);
  const SparseJacobian sparse = sparse_jacobian(6, number);
  check(sparse, sparse.dense());
  const ChainJacobian chain = chain_jacobian(2, number);
  MatX dense = MatX::Zero(4, 6);
  dense.block(0, 0, 2, 2).setIdentity();
  dense.block(2, 3, 2, 2).setIdentity();
  dense.block(2, 0, 2, 2) = -MatX::Identity(2, 2);
  dense.block(0, 2, 2, 1) = chain.own[0];
  dense.block(2, 2, 2, 1) = chain.before[1];
  dense.block(2, 5, 2, 1) = chain.own[1];
  check(chain, dense);
}

TEST_CASE("entries that are not finite are told of matrices that have entries", "[kkt]") {
  Numbers number;
  std::string failure;
  MatX G = number.matrix(3, 5);
  CHECK(all_finite("G", any_jacobian(G), 0.5, failure));
  G(1, 2) = nan_;
  CHECK_FALSE(all_finite("G", any_jacobian(G), 0.5, failure));
  CHECK(failure == not_finite_text("G", 2, 0.5));
  ChainJacobian chain = chain_jacobian(2, number);
  chain.own[0][0] = nan_;
  CHECK(all_finite("G", any_jacobian(chain), 0.5, failure));
  SparseJacobian sparse = sparse_jacobian(6, number);
  CHECK(all_finite("G", any_jacobian(sparse), 0.5, failure));
  sparse[3] = nan_;
  CHECK_FALSE(all_finite("G", any_jacobian(sparse), 0.5, failure));
  CHECK(failure == not_finite_text("G", 2, 0.5));
  MatX M = dense_mass(3, number);
  CHECK(all_finite("M", any_mass<MatX>(M), 0.5, failure));
  M(2, 0) = nan_;
  CHECK_FALSE(all_finite("M", any_mass<MatX>(M), 0.5, failure));
  CHECK(failure == not_finite_text("M", 3, 0.5));
  DiagonalMass diagonal = diagonal_mass(3, number);
  diagonal.diagonal()[1] = nan_;
  CHECK_FALSE(all_finite("M", any_mass(diagonal), 0.5, failure));
  CHECK(failure == not_finite_text("M", 2, 0.5));
  // Bodies are not looked at.
  CHECK(all_finite("M", any_mass(body_mass(2, number)), 0.5, failure));
}

TEST_CASE("an elimination of any structure answers as the one of its own type", "[kkt]") {
  Numbers number;
  // Of one after another: a structure leaves nothing behind.
  AnyKkt any;
  for (int pass = 0; pass < 2; ++pass) {
    CAPTURE(pass);
    const MatX G = number.matrix(4, 7);
    compare<DenseKkt>(any, G, MatX(dense_mass(7, number)), number);
    compare<DenseKkt>(any, G, diagonal_mass(7, number), number);
    compare<ChainKkt>(any, chain_jacobian(5 + pass, number), diagonal_mass(15 + 3 * pass, number),
                      number);
    compare<JointKkt<3, 2>>(any, loop(number), diagonal_mass(12, number), number);
    compare<JointBodyKkt>(any, loop(number), body_mass(4, number), number);
    compare_sparse(any, sparse_jacobian(6 + 3 * pass, number), diagonal_mass(6 + 3 * pass, number),
                   number);
    compare_sparse(any, sparse_jacobian(6, number), body_mass(2, number), number);
    compare_sparse(any, sparse_jacobian(6, number), MatX(dense_mass(6, number)), number);
  }
}

TEST_CASE("a structure known at run time changes nothing where rows are dependent", "[kkt]") {
  Numbers number;
  AnyKkt any;
  MatX G = number.matrix(4, 7);
  G.row(2) = G.row(0) - 2 * G.row(1);
  compare<DenseKkt>(any, G, MatX(dense_mass(7, number)), number);
  CHECK(any.rank() == 3);
  Joints joints = joint_jacobian({{2, 0, Joint::ground}, {2, 1, 0}, {1, 1, 0}}, 2, number);
  joints.end(4).row(0) = joints.end(2).row(0);
  joints.end(5).row(0) = joints.end(3).row(0);
  compare<JointKkt<3, 2>>(any, joints, diagonal_mass(6, number), number);
  compare<JointBodyKkt>(any, joints, body_mass(2, number), number);
  CHECK_FALSE(any.weigh(any_mass(body_mass(2, number))));
}

TEST_CASE("a structure known at run time changes nothing where G is not finite", "[kkt]") {
  Numbers number;
  AnyKkt any;
  MatX G = number.matrix(4, 7);
  G(1, 1) = nan_;
  compare<DenseKkt>(any, G, MatX(dense_mass(7, number)), number);
  ChainJacobian chain = chain_jacobian(3, number);
  chain.before[1][0] = nan_;
  compare<ChainKkt>(any, chain, diagonal_mass(9, number), number);
  Joints joints = loop(number);
  joints.end(2)(0, 1) = nan_;
  compare<JointKkt<3, 2>>(any, joints, diagonal_mass(12, number), number);
  compare<JointBodyKkt>(any, joints, body_mass(4, number), number);
  CHECK(any.rank() == 0);
}

TEST_CASE("a structure known at run time changes nothing where M is singular", "[kkt]") {
  Numbers number;
  AnyKkt any;
  const MatX G = number.matrix(4, 7);
  // Regular on the null space of G, and not.
  DiagonalMass M = diagonal_mass(7, number);
  M.diagonal()[3] = 0;
  compare<DenseKkt>(any, G, M, number);
  CHECK(any.weigh(any_mass(M)));
  compare<DenseKkt>(any, G, MatX(MatX::Zero(7, 7)), number);
  DiagonalMass masses = diagonal_mass(12, number);
  masses.diagonal()[4] = 0;
  compare<ChainKkt>(any, chain_jacobian(4, number), masses, number);
  compare<JointKkt<3, 2>>(any, loop(number), masses, number);
  BodyMass<3> bodies = body_mass(4, number);
  bodies.blocks[2].setZero();
  compare<JointBodyKkt>(any, loop(number), bodies, number);
  CHECK_FALSE(any.weigh(any_mass(bodies)));
}

TEST_CASE("an M that an elimination does not go with is refused", "[kkt]") {
  Numbers number;
  AnyKkt any;
  any.eliminate(any_jacobian(chain_jacobian(2, number)), 1e-12);
  CHECK_FALSE(any.weigh(any_mass<MatX>(dense_mass(6, number))));
  CHECK_FALSE(any.weigh(any_mass(body_mass(2, number))));
  CHECK(any.weigh(any_mass(diagonal_mass(6, number))));
  any.eliminate(any_jacobian(loop(number)), 1e-12);
  CHECK_FALSE(any.weigh(any_mass<MatX>(dense_mass(12, number))));
  CHECK(any.weigh(any_mass(body_mass(4, number))));
}

}  // namespace daewave
