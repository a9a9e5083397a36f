#pragma once
// Words for whatever was thrown.

#include <exception>
#include <string>

namespace daewave {

/// Of what is being handled: to be called in a catch (...).
inline std::string thrown_text() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "what is no std::exception";
  }
}

}  // namespace daewave
