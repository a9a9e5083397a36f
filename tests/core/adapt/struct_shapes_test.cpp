// Structs whose types leave shapes open, and that give out another one than their sizes say.

#include "core/adapt/struct_shapes.hpp"

#include <string>

#include "core/adapt/problem_of.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

/// Of the function that is wrong one entry, or one column, more than there should be.
struct OpenShapes {
  std::string wrong{};

  VecX vector(const char* name, int size) const {
    return VecX::Constant(size + (wrong == name ? 1 : 0), 1.0);
  }
  MatX matrix(const char* name, int rows, int columns) const {
    return MatX::Constant(rows, columns + (wrong == name ? 1 : 0), 1.0);
  }
};

struct OpenMultibody : OpenShapes {
  using Position = VecX;
  using Multiplier = VecX;

  MatX M(const VecX&) const { return matrix("M", 3, 3); }
  VecX f(const VecX&, const VecX&, double) const { return vector("f", 3); }
  VecX g(const VecX&, double) const { return VecX::Zero(2); }
  MatX G(const VecX&, double) const { return matrix("G", 2, 3); }
  VecX g_t(const VecX&, double) const { return vector("g_t", 2); }
  VecX curvature(const VecX&, const VecX&, double) const { return vector("curvature", 2); }
  VecX start() const { return VecX::Zero(6); }
};

/// Of a diagonal mass, with a sparse G.
struct OpenNet : OpenMultibody {
  using Jacobian = SparseJacobian;

  Eigen::DiagonalMatrix<double, Dynamic> M(const VecX&) const {
    return Eigen::DiagonalMatrix<double, Dynamic>(vector("M", 3));
  }
  SparseJacobian G(const VecX&, double) const {
    const int columns = wrong == "G" ? 4 : 3;
    return SparseJacobian(std::make_shared<const SparsePattern>(
        2, columns, std::vector<SparseEntry>{{0, 0}, {1, columns - 1}}));
  }
};

struct OpenSecondOrder : OpenShapes {
  using Position = VecX;
  using Multiplier = VecX;

  VecX f(const VecX&, const VecX&, double) const { return vector("f", 3); }
  MatX B(const VecX&, double) const { return matrix("B", 3, 2); }
  VecX g(const VecX&, double) const { return VecX::Zero(2); }
  MatX G(const VecX&, double) const { return matrix("G", 2, 3); }
  VecX g_t(const VecX&, double) const { return vector("g_t", 2); }
  VecX start() const { return VecX::Zero(6); }
};

struct OpenIndexTwo : OpenShapes {
  using State = VecX;
  using Multiplier = VecX;

  VecX f(const VecX&, double) const { return vector("f", 3); }
  MatX B(const VecX&, double) const { return matrix("B", 3, 2); }
  VecX g(const VecX&, double) const { return VecX::Zero(2); }
  MatX G(const VecX&, double) const { return matrix("G", 2, 3); }
  VecX g_t(const VecX&, double) const { return vector("g_t", 2); }
  VecX start() const { return VecX::Zero(3); }
};

struct OpenInvariant : OpenShapes {
  using State = VecX;
  using Algebraic = VecX;
  using Invariant = VecX;

  VecX f(const VecX&, const VecX&, double) const { return vector("f", 3); }
  VecX r(const VecX&, const VecX&, double) const { return vector("r", 2); }
  VecX h(const VecX&, double) const { return VecX::Zero(1); }
  MatX r_w(const VecX&, const VecX&, double) const { return matrix("dr/dw", 2, 2); }
  MatX H(const VecX&, double) const { return matrix("H", 1, 3); }
  VecX start() const { return VecX::Zero(3); }
  VecX start_algebraic() const { return VecX::Zero(2); }
};

struct OpenOrdinary : OpenShapes {
  using State = VecX;

  VecX f(const VecX&, double) const { return vector("f", 3); }
  MatX f_x(const VecX&, double) const { return matrix("df/dx", 3, 3); }
  VecX start() const { return VecX::Zero(3); }
};

template <class P>
void check_refused(Ask what, const std::vector<std::string>& names) {
  const double t = 0;
  const VecX zeros = VecX::Zero(3);
  const Points at{1, 1, &t, zeros.data(), zeros.data(), zeros.data()};
  P problem;
  CHECK_NOTHROW(problem_of(problem)->evaluation()->evaluate(what, at));
  for (const std::string& name : names) {
    CAPTURE(name);
    problem.wrong = name;
    CHECK_THROWS_WITH(problem_of(problem)->evaluation()->evaluate(what, at),
                      contains_text(name + ": has ") && contains_text("must have"));
  }
}

}  // namespace

TEST_CASE("what a struct gives out in another shape than its sizes say is refused by name",
          "[problem][bad-input]") {
  const Ask constraints = Ask::f | Ask::G | Ask::g | Ask::g_t;
  const Ask motion = constraints | Ask::M | Ask::curvature;
  check_refused<OpenMultibody>(motion, {"M", "f", "G", "g_t", "curvature"});
  check_refused<OpenNet>(motion, {"M", "f", "G", "g_t", "curvature"});
  check_refused<OpenSecondOrder>(constraints | Ask::B, {"f", "B", "G", "g_t"});
  check_refused<OpenIndexTwo>(constraints | Ask::B, {"f", "B", "G", "g_t"});
  check_refused<OpenInvariant>(Ask::f | Ask::r | Ask::h | Ask::r_w | Ask::H,
                               {"f", "r", "dr/dw", "H"});
  check_refused<OpenOrdinary>(Ask::f | Ask::f_q, {"f", "df/dx"});
}

}  // namespace daewave
