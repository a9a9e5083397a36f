#pragma once
// Times at which C B is singular, as reports tell them: one for each zero, however many stages are
// close to it.

#include <vector>

#include "core/report/report.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// The points that a scan found, told whether stages met them and how those passed; and those that
/// stages alone met. Beside a zero of high order many stages are as good as singular: they are one
/// point, where the pivot is smallest.
/// @param stages   that C B is singular at, or as good as that, increasing.
/// @param scanned  zeros between them, increasing.
std::vector<SingularPoint> singular_points(const std::vector<SingularPoint>& stages,
                                           const std::vector<SingularPoint>& scanned,
                                           const Mesh& mesh);

}  // namespace daewave::bvp
