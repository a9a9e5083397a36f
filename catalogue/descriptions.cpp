#include "catalogue/descriptions.hpp"

#include <cstdlib>
#include <map>

#include "catalogue/cash_mazzia_equations.hpp"
#include "core/error.hpp"

namespace daewave::catalogue {
namespace {

constexpr const char* plain = "without dimension";
constexpr const char* si = "SI units: m, kg, s, rad; energy in J";

using Descriptions = std::map<std::string, Description>;

const Descriptions& index_2() {
  static const Descriptions all{
      {"al1-example1",
       {"x1' = -x1 + x2 - sin t,  x2' = (1 - 2t) y,\n"
        "0 = (1 - 2t) (x1 + x2 - exp(-t) - sin t);  x1(1) + x2(0) = 1/e on [0, 1];\n"
        "x = (exp(-t), sin t),  y = cos t / (1 - 2t), unbounded at t = 1/2; B y is smooth",
        "x1, x2: what two equations make of them; no more is meant", plain}},
      {"al1-example2",
       {"the equations of al1-example1 with x(0) = (1, 0)", "as of al1-example1", plain}},
      {"al1-example3",
       {"x1' = -x1 + x2 - sin t,  x2' = (1 - 2t) y,  0 = x1 + x2 - exp(-t) - sin t;\n"
        "x(0) = (1, 0);  x = (exp(-t), sin t),  y = cos t / (1 - 2t)",
        "as of al1-example1", plain}},
      {"al1-example4",
       {"x' = q + C^T y,  0 = C x + r,  C = (t - 1/2, t^2 - 1/4);  x(0) = (1, 1);\n"
        "x1 = x2 = y = e^t",
        "x1, x2", plain}},
      {"lin",
       {"x' = A x - B y + q,  0 = C x + r;  B = (0.3, 0, -s, c)^T,  C = (0, 0, -s, c),\n"
        "A = Q' Q^T + Q M Q^T,  M = (-1 2 0 .1; -2 -1 0 .2; 0 0 1 .3; .5 .2 -.3 0),\n"
        "Q a rotation of (x3, x4) by 0.2 t, s = sin 0.2 t, c = cos 0.2 t;\n"
        "x1, x2 given at 0, c x3 + s x4 at the end;\n"
        "x = (sin t, cos t, sin(2t + .3), cos(t/2)),  y = sin 1.5 t",
        "x1, x2 oscillate and decay; c x3 + s x4 grows like e^t; -s x3 + c x4 is constrained.\n"
        "With --set blocks=p p of them side by side, coupled by 0.05 I",
        plain}},
      {"ap91",
       {"x1' = (l - 1/(2-t)) x1 + (2-t) l y + (3-t)/(2-t) e^t,\n"
        "x2' = (1-l)/(t-2) x1 - x2 + (l-1) y + 2 e^t,\n"
        "0 = (t+2) x1 + (t^2-4) x2 - (t^2+t-2) e^t on [0, 1];  x(0) = (1, 1);\n"
        "x1 = x2 = e^t,  y = -e^t / (2-t),  l = lambda",
        "x1, x2", plain}},
      {"al2-example3.1",
       {"x' = (sin x2, 2 sin x2 - sin x1)^T / (sin x2 - sin x1) - (sin x1, sin x2)^T y,\n"
        "0 = -cos x1 - cos x2;  x(0) = (-pi/2, pi/2);\n"
        "x = (t - pi/2, t + pi/2),  y = 1 / (2 cos t),  B y = (-1/2, 1/2)",
        "x1, x2: two angles", "rad"}},
      {"al2-example6.1",
       {"x' = (1 - exp(-t), cos t + e^t sin t)^T - x y,\n"
        "0 = (x1^2 + x2^2 - exp(-2t) - sin^2 t) / 2;  x = (exp(-t), sin t),  y = e^t",
        "x1, x2", plain}},
      {"al2-example6.2",
       {"x' = (1 + a e^t, 2t + b e^t)^T - x y,  0 = (x1^2 + x2^2 - a^2 - b^2) / 2,\n"
        "a = t - 1/2, b = t^2 - 1/4;  x = (a, b),  y = e^t",
        "x1, x2", plain}},
      {"al2-example6.3",
       {"x1' = -x1 + x2 - sin t - (1 + 2t),  x2' = -x1 y,\n"
        "0 = x1 (x1 + x2 - sin t - 1 + 2t);\n"
        "x = (1 - 2t, sin t),  y = -cos t / (1 - 2t),  B y = (0, -cos t)",
        "x1, x2", plain}},
      {"al2-example6.1-bvp",
       {"the equations of al2-example6.1 on [0, 1], x2(1) = sin 1", "x1, x2", plain}},
      {"al2-example6.3-bvp",
       {"the equations of al2-example6.3 on [0, 1], x1(1) = -1", "x1, x2", plain}}};
  return all;
}

const Descriptions& mechanisms() {
  static const Descriptions all{
      {"al2-example6.4",
       {"M theta'' = f - G^T lambda,  0 = sin theta1 + sin(theta1 + theta2);\n"
        "M = (5 + 3 c2, 1 + 1.5 c2; 1 + 1.5 c2, 1),\n"
        "f = ((c1 + c12) cos t - 3 sin t, c12 cos t + (1 - 1.5 c2) sin t);\n"
        "theta1 = sin t,  theta2 = -2 sin t,  lambda = cos t",
        "q1 = theta1, angle of the first rod; q2 = theta2, of the second relative to the first;\n"
        "v1, v2 their rates",
        si}},
      {"slider-crank",
       {"M q'' = (0, -m g, 0, 0, -m g, 0) - G^T lambda,  M = diag(m, m, m L^2/12, m, m, m "
        "L^2/12),\n"
        "0 = (x1 - L/2 c1,  y1 - L/2 s1,  x2 - L c1 - L/2 c2,  y2 - L s1 - L/2 s2,  L (s1 + s2));\n"
        "the last row of G vanishes where the bars lie on each other, phi1 = pi/2 and 3 pi/2",
        "q1, q2, q3 = x1, y1, phi1: centre of mass of bar 1, which turns about the origin, and\n"
        "its angle; q4, q5, q6 = x2, y2, phi2: of bar 2, whose end slides on the x axis;\n"
        "v1 to v6 their rates; By1 to By6 the forces of constraints",
        si}},
      {"slider-crank-bvp",
       {"the equations of slider-crank, with phi1 given at both ends", "as of slider-crank", si}},
      {"two-link-arm-1",
       {"M theta'' = f - G^T lambda,  0 = y2 - x2^2 + beta;\n"
        "x2 = l1 c1 + l2 c12,  y2 = l1 s1 + l2 s12; two uniform rods of 36 kg and 1 m\n"
        "under gravity, at rest at theta = (70, -140) degrees",
        "q1 = theta1, from the horizontal; q2 = theta2, of rod 2 relative to rod 1; v their rates",
        si}},
      {"two-link-arm-2",
       {"as two-link-arm-1, with 0 = y2 - sin^2(omega t)", "as of two-link-arm-1", si}},
      {"two-link-arm-bvp",
       {"the equations of two-link-arm-1 on [0, 1], theta1 given at both ends",
        "as of two-link-arm-1", si}},
      {"andrews",
       {"M(q) q'' = f(q, q') - G^T lambda; X = rr cos beta - d cos bt, Y = rr sin beta - d sin "
        "bt,\n"
        "0 = X - ss sin gamma - xb                0 = Y + ss cos gamma - yb\n"
        "0 = X - e sin pd - zt cos delta - xa     0 = Y + e cos pd - zt sin delta - ya\n"
        "0 = X - zf cos oe - u sin eps - xa       0 = Y - zf sin oe + u cos eps - ya\n"
        "bt = beta + theta, pd = Phi + delta, oe = Omega + eps",
        "q1 to q7 = beta, theta, gamma, Phi, delta, Omega, eps: angles of seven bodies,\n"
        "the first turned by a constant torque; v1 to v7 their rates",
        si}},
      {"car-axis",
       {"k xl'' = (L0 - ll) xl / ll - ...,  k yl'' = (L0 - ll) yl / ll - k - ...,\n"
        "k xr'' = (L0 - lr) (xr - xb) / lr - ...,  k yr'' = (L0 - lr) (yr - yb) / lr - k - ...,\n"
        "0 = xl xb + yl yb,  0 = (xl - xr)^2 + (yl - yr)^2 - 1;  k = 5e-4, L0 = 1/2,\n"
        "yb = sin(10 t) / 10, xb = sqrt(1 - yb^2); ll, lr: lengths of the springs",
        "q1 to q4 = xl, yl, xr, yr: ends of the chassis; v1 to v4 their rates", plain}},
      {"pendulum",
       {"x'' = -lambda x,  y'' = -g - lambda y,  0 = (x^2 + y^2 - 1) / 2;\n"
        "released from (1, 0) at rest; exact by elliptic functions, period 4 K(1/2) / sqrt g",
        "q1 = x, q2 = y, upward; v1, v2 their rates; lambda the force of the rod for each m", si}},
      {"pendulum-bvp",
       {"the equations of pendulum, y given at the begin and x at the end",
        "as of pendulum, x = (q, v)", si}},
      {"eich-pendulum",
       {"as pendulum, with the gravity for which its period is 2 s; 50 periods", "as of pendulum",
        si}},
      {"truck",
       {"M p'' = F(p, p', t) - G^T lambda,  0 = g(p); seven springs with dampers,\n"
        "s = k l + d (rho . rho') / l + n along rho, l = |rho|; tyres run over a hump of 12 cm,\n"
        "w(s) = s^6 e^-s / 1000; 0 = g holds the joint of the loading area to the chassis",
        "p1: height of the rear axle; p2, p3: height and pitch of the chassis; p4: height of the\n"
        "front axle; p5, p6: height and pitch of the cabin; p7, p8, p9: place and pitch of the\n"
        "loading area; v1 to v9 their rates",
        si}},
      {"chain",
       {"M q'' = (0, -g, 0, ...) - G^T lambda,  M = diag(1, 1, 1/12, ...),\n"
        "0 = (x_0 - c_0, y_0 - s_0),  0 = (x_i - c_i - x_{i-1} - c_{i-1}, y_i - s_i - ...);\n"
        "c_i = cos(phi_i)/2, s_i = sin(phi_i)/2; at rest, phi_i = -pi/2 + 0.4 cos(pi (i + 1/2)/n)",
        "q1, q2, q3 = x_0, y_0, phi_0: centre of mass and angle of the first rod from the\n"
        "horizontal; and so on; rods of 1 m and 1 kg",
        si}},
      {"scissors",
       {"M q'' = (0, -g, +-n^2 k (phi_{2i+1} - phi_2i - pi + 1.8), ...) - G^T lambda;\n"
        "rods of a cell are pinned in their middles, cells end to end, a foot is pinned to the\n"
        "origin, the other slides along y = 0; at rest, phi = 0.6",
        "q1, q2, q3 = x_0, y_0, phi_0: centre of mass and angle of the first rod; and so on;\n"
        "two rods of 1 m and 1 kg in each cell",
        si}},
      {"wheelset",
       {"M z'' = f(z, z', beta, w) - G^T lambda,  0 = gap_left, 0 = gap_right, contact points w\n"
        "where wheels and rails are tangent; creep forces depend on lambda",
        "z1 to z5 = x, y, z, yaw, roll; z6 to z10 their rates; z11 = beta, the spin beside v0 / "
        "rN;\n"
        "w = (psiR, xiR, psiL, xiL, lambdaL, lambdaR): contact points, and forces in 1e4 N",
        si}}};
  return all;
}

const Descriptions& boundary_values() {
  static const Descriptions all{
      {"index-one",
       {"z'' = w + z',  0 = w + z z' - t on [0, 5];  z(0) + z'(0) = -0.15, z(5) = 6.5",
        "x1, x2 = z, z'; w algebraic", plain}},
      {"elastica",
       {"x' = cos p,  y' = sin p,  p' = k,  k' = F cos p,  F' = 0 on [0, 1/2];\n"
        "x = y = k = 0 at 0;  y = 0, p = -pi/2 at 1/2",
        "x1, x2: place along the rod; x3 = p: its angle; x4 = k: its curvature; x5 = F: the force",
        "length of the rod 1, rad"}},
      {"measles",
       {"y1' = mu - b y1 y3,  y2' = b y1 y3 - y2 / lambda,  y3' = y2 / lambda - y3 / eta,\n"
        "b = 1575 (1 + cos 2 pi t);  y(0) = y(1)",
        "x1, x2, x3 = y1, y2, y3: susceptible, latent and infective parts of a population",
        "time in years"}},
      {"wedge-flow",
       {"f''' + (m + 1)/2 f f'' + m (1 - f'^2) = 0;  f(0) = f'(0) = 0, f'(inf) = 1",
        "x1, x2, x3 = f, f', f'': stream function, velocity along the wedge, and its slope",
        plain}},
      {"rotating-disk",
       {"F'' = F^2 - G^2 + F' H,  G'' = 2 F G + G' H,  H' = -2 F;\n"
        "F = H = 0, G = 1 at 0;  F, G = 0 at inf",
        "x1, x2 = F, F'; x3, x4 = G, G'; x5 = H: velocities along the radius, around the axis\n"
        "and along it",
        plain}},
      {"lane-emden",
       {"y'' + 2/t y' + y^n = 0;  y(0) = 1, y'(0) = 0",
        "x1, x2 = y, y': density of a ball of gas, as y^n, at distance t from its middle", plain}},
      {"catalyst-slab",
       {"y'' = k y^p, y >= 0 on [0, 1];  y'(0) = 0, y(1) = 1",
        "x1, x2 = y, y': what is left of a substance, t from the middle of the slab", plain}}};
  return all;
}

/// Those that have another name beside their number in the collection of Cash and Mazzia.
const std::map<std::string, int>& numbers() {
  static const std::map<std::string, int> all{{"layer-at-begin", 1},       {"layer-at-end", 2},
                                              {"smooth-beside-layers", 3}, {"layer-and-growth", 4},
                                              {"corner-layer", 7},         {"damped-layer", 8},
                                              {"loaded-beam", 31},         {"swirling-flow", 33}};
  return all;
}

int number_of(const std::string& name) {
  const std::string begin = "cash-mazzia-";
  if (name.starts_with(begin)) return std::atoi(name.c_str() + begin.size());
  const auto found = numbers().find(name);
  return found == numbers().end() ? 0 : found->second;
}

Description of_cash_mazzia(int number, bool linear) {
  const char* coordinates = number == 31   ? "x1 to x4 = y, p, M, Q: place, angle, moment, force"
                            : number == 32 ? "x1 to x4 = y, y', y'', y'''"
                            : number == 33 ? "x1 to x6 = f, f', f'', f''', g, g'"
                            : linear       ? "x1, x2 = y, y'; x3 = 0, for a constraint"
                                           : "x1, x2 = y, y'";
  return {cash_mazzia_equations(number), coordinates, plain};
}

}  // namespace

Description description_of(const std::string& name) {
  for (const Descriptions* all : {&index_2(), &mechanisms(), &boundary_values()}) {
    const auto found = all->find(name);
    if (found != all->end()) return found->second;
  }
  if (const int number = number_of(name); !cash_mazzia_equations(number).empty()) {
    return of_cash_mazzia(number, name.ends_with("-linear"));
  }
  throw Error("no description of " + name);
}

}  // namespace daewave::catalogue
