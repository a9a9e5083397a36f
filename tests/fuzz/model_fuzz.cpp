// Any text as a model file: a message, or a problem that can be evaluated at its start.

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/error.hpp"
#include "models/model.hpp"

namespace {

/// Thousands of bodies take their time; that is of tests/models.
bool is_long(const std::string& text) {
  int digits = 0;
  for (const char c : text) {
    digits = std::isdigit(static_cast<unsigned char>(c)) ? digits + 1 : 0;
    if (digits > 2 && text.find("repeat") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace daewave;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (is_long(text)) return 0;
  try {
    const models::Model model = models::model_of(text, "fuzz.toml");
    const Sizes& sizes = model.problem->sizes();
    const auto evaluation = model.problem->evaluation();
    const auto w = model.problem->start_algebraic();
    const double t = model.interval.begin;
    const Points at{
        1, 1, &t, model.start.data(), model.start.data() + sizes.nq, w ? w->data() : nullptr};
    if (sizes.nw == 0 || w) evaluation->evaluate(Ask::f | Ask::g | Ask::G, at);
    for (const models::StateEvent& event : model.events) {
      event.function(t, model.start);
      if (!event.change) continue;
      try {
        event.change(t, model.start);
      } catch (const InvalidProblem&) {
      }
    }
    if (model.boundary && model.boundary->guess) model.boundary->guess(t);
  } catch (const Error& error) {
    if (std::strlen(error.what()) == 0) std::abort();
  }
  return 0;
}
