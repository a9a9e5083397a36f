#include "core/not_finite.hpp"

#include <fmt/format.h>

namespace daewave {

std::string not_finite_text(const char* equation, int row, double t) {
  return fmt::format("{}, row {}, is not finite at t = {:.10g}", equation, row, t);
}

std::string failed_at_text(const char* why, double t) {
  return fmt::format("at t = {:.10g}: {}", t, why);
}

}  // namespace daewave
