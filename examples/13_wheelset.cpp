// A wheelset rolls at 30 m/s on a straight track. Its contact points are unknowns of index 1, its
// friction depends on the multipliers that press it on the rails; with the constraints
// differentiated twice, nothing but the integrator's accuracy keeps it there.
//
//   z' = f(z, w),   0 = r(z, w),   0 = h(z) = (gaps between wheels and rails, their rates)
//
// BDF with and without projection onto h = 0 after each step: whether the wheels stay on the rails
// to 1e-9 m, and the height of the centre after 10 s, 1.304e-05 m as published (Test Set for IVP
// Solvers). Without projection they come off by 1e-4 to 1e-6 m, upward or downward: that depends on
// where steps meet the kinks of friction. With the name of a file, the picture of both over time.
//
// Output, numbers within 5e-2:
//   tolerance  projection  rails  height
//   1e-05      no          left   -
//   1e-08      no          left   -
//   1e-05      yes         kept   1.31e-05
//   1e-08      yes         kept   1.30e-05
#include <algorithm>
#include <cstdio>

#include <daewave/io.hpp>
#include <daewave/ivp.hpp>
#include <daewave/problems/wheelset.hpp>

using namespace daewave;

ivp::Solution roll(bool projects, double tolerance) {
  const ivp::BdfProjection method{.onto = projects ? ivp::Onto::both : ivp::Onto::nothing};
  return ivp::solve(problems::Wheelset{}, {.method = method, .rtol = tolerance, .atol = tolerance});
}

int main(int arguments, char** argument) {
  io::Panel height{.title = "Height of the centre, m", .x_label = "t, s", .series = {}};
  io::Panel gap{.title = "Largest gap, m", .x_label = "t, s", .log_y = true, .series = {}};
  std::puts("tolerance  projection  rails  height");
  for (const bool projects : {false, true}) {
    for (const double tolerance : {1e-5, 1e-8}) {
      const ivp::Solution motion = roll(projects, tolerance);
      const Report& report = motion.report;
      if (!report.usable()) return std::puts(report.full().c_str()), 1;
      const bool kept = report.integration.drift_position < 1e-9;
      std::printf("%.0e      %-10s  %s   ", tolerance, projects ? "yes" : "no",
                  kept ? "kept" : "left");
      projects ? std::printf("%.2e\n", motion.end()[1]) : std::puts("-");
      if (tolerance != 1e-5) continue;
      const char* label = projects ? "projected" : "not projected";
      io::Series y{.label = label, .x = {}, .y = {}}, g{.label = label, .x = {}, .y = {}};
      for (int i = 0; i < motion.count(); ++i) {
        const Vec<11> z = motion.state(i);
        const Vec<4> h = problems::Wheelset{}.h(z, 0.0);
        y.x.push_back(motion.t[static_cast<std::size_t>(i)]);
        g.x.push_back(y.x.back());
        y.y.push_back(z[1]);
        g.y.push_back(
            std::max(1e-17, h.head<2>().cwiseAbs().maxCoeff()));  // Zero has no logarithm.
      }
      height.series.push_back(y);
      gap.series.push_back(g);
    }
  }
  if (arguments < 2) return 0;
  io::write_svg(argument[1], {.title = "Wheelset",
                              .subtitle = "BDF, tolerance 1e-5",
                              .columns = 1,
                              .panels = {height, gap}});
}
