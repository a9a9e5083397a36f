// Mechanisms in space from text against equations in other coordinates and against what is known
// in closed form.

#include <cmath>

#include "core/start/problem_start.hpp"
#include "tests/models/model_runs.hpp"

using namespace daewave;
using namespace daewave::models;
using Catch::Matchers::WithinAbs;

namespace {

using Eigen::Matrix3d, Eigen::Quaterniond, Eigen::Vector3d;

/// Euler's equations about a point that stays: J w' = J w x w + r x m g, all in the body's frame,
/// with its orientation beside them.
VecX top_at(const Matrix3d& J, const Vector3d& arm, double mass, const Quaterniond& e,
            const Vector3d& spin, double t, int steps) {
  VecX start(7);
  start << e.w(), e.x(), e.y(), e.z(), spin;
  const auto f = [&](const VecX& z, double) {
    const Quaterniond turn(z[0], z[1], z[2], z[3]);
    const Vector3d w = z.tail<3>();
    const Quaterniond rate = turn * Quaterniond(0, w[0] / 2, w[1] / 2, w[2] / 2);
    const Vector3d weight = turn.conjugate() * Vector3d(0, 0, -9.81 * mass);
    VecX slope(7);
    slope << rate.w(), rate.x(), rate.y(), rate.z(),
        J.inverse() * ((J * w).cross(w) + arm.cross(weight));
    return slope;
  };
  return runge_kutta(f, start, t, steps);
}

Matrix3d about(const Matrix3d& J, double mass, const Vector3d& arm) {
  return J + mass * (arm.squaredNorm() * Matrix3d::Identity() - arm * arm.transpose());
}

const std::string in_space = "space = \"spatial\"\n";

/// A body in space without joints.
Model free_body(const std::string& inertia, const std::string& more = "") {
  return model_of(in_space + "[[body]]\nname = \"b\"\nmass = 2\ninertia = " + inertia +
                      "\nangular_velocity = [0.3, 2, 0.1]\n" + more,
                  "free.toml");
}

}  // namespace

TEST_CASE("a heavy top from text turns as Euler's equations say", "[models]") {
  const Model model = read_model(example_folder + "heavy-top.toml");
  const Vector3d arm(0, 1, 0);
  const Matrix3d J = about(Vector3d(0.234375, 0.46875, 0.234375).asDiagonal(), 15, arm);
  const VecX top = top_at(J, arm, 15, Quaterniond::Identity(), {0, 150, -4.61538}, 0.5, 8000);
  const VecX end = end_of(model, 0.5);
  const Vector3d centre = Quaterniond(top[0], top[1], top[2], top[3]) * arm;
  CHECK_THAT((end.head<3>() - centre).norm(), WithinAbs(0, 1e-9));
  CHECK_THAT((end.segment<4>(3) - top.head<4>()).norm(), WithinAbs(0, 1e-9));
  CHECK_THAT(energy(model, end) / energy(model, model.start), WithinAbs(1, 1e-10));
}

TEST_CASE("a spherical pendulum from text swings as a symmetric top does", "[models]") {
  const Model model = read_model(example_folder + "spherical-pendulum.toml");
  const Vector3d arm(0, 0, -1);
  const Matrix3d J = about(Matrix3d::Identity() * (0.4 * 0.0004), 1, arm);
  const double tilt = std::acos(-1.0) / 3;
  const Quaterniond e(Eigen::AngleAxisd(-tilt, Vector3d::UnitY()));
  const VecX top = top_at(J, arm, 1, e, e.conjugate() * Vector3d(0, 0, 2), 2, 4000);
  const VecX end = end_of(model, 2);
  const Vector3d centre = Quaterniond(top[0], top[1], top[2], top[3]) * arm;
  CHECK_THAT((end.head<3>() - centre).norm(), WithinAbs(0, 1e-9));
  CHECK(model.problem->structure().mass == Structure::Mass::diagonal);
  CHECK(model.problem->structure().mass_constant);
}

TEST_CASE("a free body keeps energy and angular momentum, whatever its axes", "[models]") {
  const Model model = free_body("[1, 2, 2.5]");
  const VecX end = end_of(model, 10);
  const auto momentum = [](const VecX& z) -> Vector3d {
    const Quaterniond e(z[3], z[4], z[5], z[6]), rate(z[10], z[11], z[12], z[13]);
    const Vector3d spin = 2 * (e.conjugate() * rate).vec();
    return e * spin.cwiseProduct(Vector3d(1, 2, 2.5));
  };
  CHECK_THAT((momentum(end) - momentum(model.start)).norm(), WithinAbs(0, 1e-9));
  CHECK_THAT(energy(model, end), WithinAbs(energy(model, model.start), 1e-9));
  CHECK_THAT(energy(model, model.start), WithinAbs((0.09 + 2 * 4 + 2.5 * 0.01) / 2, 1e-12));
  // The same body in axes turned by 0.7 about x and a tensor that says so.
  const double c = std::cos(0.7), s = std::sin(0.7);
  const Matrix3d R{{1, 0, 0}, {0, c, -s}, {0, s, c}};
  const Matrix3d J = R.transpose() * Vector3d(1, 2, 2.5).asDiagonal() * R;
  std::string tensor = "[";
  for (int i = 0; i < 3; ++i) {
    const auto number = [&](int j) {
      return "\"" + std::to_string(J(std::min(i, j), std::max(i, j))) + "\"";
    };
    tensor += "[" + number(0) + ", " + number(1) + ", " + number(2) + "],";
  }
  // Six decimals of J: what follows is as good.
  const Model other = free_body(tensor + "]", "orientation = { axis = [2, 0, 0], angle = 0.7 }\n");
  const VecX there = end_of(other, 10);
  const Quaterniond e(end[3], end[4], end[5], end[6]), o(there[3], there[4], there[5], there[6]);
  const Quaterniond turn(Eigen::AngleAxisd(0.7, Vector3d::UnitX()));
  CHECK_THAT((e * turn).angularDistance(o), WithinAbs(0, 1e-4));
}

TEST_CASE("a ball with a constant mass matrix turns as one whose inertia is almost a ball's",
          "[models]") {
  const std::string torque =
      "[[force]]\ntype = \"torque\"\non = \"b\"\nvalue = [\"sin(3*t)\", 1, "
      "\"b.wx - b.wz\"]\n";
  const Model ball = free_body("1.5", torque),
              almost = free_body("[1.5, 1.5, 1.500000000001]", torque);
  CHECK(ball.problem->structure().mass == Structure::Mass::diagonal);
  CHECK(almost.problem->structure().mass == Structure::Mass::dense);
  CHECK_THAT((end_of(ball, 3) - end_of(almost, 3)).norm(), WithinAbs(0, 1e-9));
}

TEST_CASE("orientations may be stated in three ways", "[models]") {
  const auto start = [](const std::string& how) {
    return free_body("1", "orientation = " + how + "\n").start;
  };
  const VecX axis = start("{ axis = [0, 0, 3], angle = \"pi/3\" }");
  CHECK_THAT((axis - start("{ quaternion = [\"sqrt(3)\", 0, 0, 1] }")).norm(), WithinAbs(0, 1e-15));
  CHECK_THAT((axis - start("{ euler = [\"pi/3\", 0, 0], sequence = \"zxz\" }")).norm(),
             WithinAbs(0, 1e-15));
  const Quaterniond zyx = Eigen::AngleAxisd(0.3, Vector3d::UnitZ()) *
                          Eigen::AngleAxisd(-0.4, Vector3d::UnitY()) *
                          Eigen::AngleAxisd(0.5, Vector3d::UnitX());
  const VecX e = start("{ euler = [0.3, -0.4, 0.5], sequence = \"zyx\" }");
  CHECK_THAT(zyx.angularDistance(Quaterniond(e[3], e[4], e[5], e[6])), WithinAbs(0, 1e-15));
  // In the body's frame: 2 e* e' = w.
  const VecX own = start("{ axis = [1, 2, 3], angle = 1 }\nangular_velocity_frame = \"body\"");
  const Quaterniond at(own[3], own[4], own[5], own[6]), rate(own[10], own[11], own[12], own[13]);
  CHECK_THAT((2 * (at.conjugate() * rate).vec() - Vector3d(0.3, 2, 0.1)).norm(),
             WithinAbs(0, 1e-15));
}

TEST_CASE("forces and torques act in the frame that is stated", "[models]") {
  const auto accelerations = [](const std::string& force) {
    const Model model =
        free_body("[1, 2, 2.5]", "orientation = { axis = [0, 0, 1], angle = \"pi/2\" }\n" + force);
    const auto evaluation = model.problem->evaluation();
    const double t = 0;
    VecX q = model.start.head(7), v = VecX::Zero(7);
    const Points at{1, 1, &t, q.data(), v.data(), nullptr};
    return VecX(Eigen::Map<const VecX>(evaluation->evaluate(Ask::f, at).f, 7));
  };
  const std::string at_point = "[[force]]\ntype = \"force\"\non = \"b\"\nat = [0, 0, 1]\nvalue = ";
  const VecX own = accelerations(at_point + "[3, 0, 0]\nframe = \"body\"\n");
  CHECK_THAT((own - accelerations(at_point + "[0, 3, 0]\n")).norm(), WithinAbs(0, 1e-14));
  // The same as a force at the centre and a torque about y of its own.
  const VecX apart = accelerations(
      "[[force]]\ntype = \"force\"\non = \"b\"\nvalue = [0, 3, 0]\n"
      "[[force]]\ntype = \"torque\"\non = \"b\"\nvalue = [0, 3, 0]\nframe = \"body\"\n");
  CHECK_THAT((own - apart).norm(), WithinAbs(0, 1e-14));
}

TEST_CASE("a model in space says where its frames and joints are", "[models]") {
  const Model model = read_model(example_folder + "bricard.toml");
  REQUIRE(model.drawing.spatial);
  REQUIRE(model.drawing.frames.size() == 5);
  CHECK(model.drawing.frames[4].first == 28);
  CHECK(model.state_names[28 + 3] == "bar5.e0");
  CHECK(model.state_units[28 + 3] == "1");
  const auto place = [&](const DrawnPoint& point) -> Vector3d {
    const Vector3d at(point.at[0], point.at[1], point.at[2]);
    if (point.frame < 0) return at;
    const VecX z = model.start.segment(model.drawing.frames[point.frame].first, 7);
    return Vector3d(z.head<3>()) + Quaterniond(z[3], z[4], z[5], z[6]) * at;
  };
  // Each bar reaches from one hinge to the other.
  for (const DrawnPart& part : model.drawing.parts) {
    if (part.kind != DrawnPart::Kind::body) continue;
    REQUIRE(part.points.size() == 2);
    CHECK_THAT((place(part.points[0]) - place(part.points[1])).norm(), WithinAbs(1, 1e-13));
  }
}
