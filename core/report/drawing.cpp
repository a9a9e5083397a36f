#include "core/report/drawing.hpp"

namespace daewave {

const char* name_of(DrawnPart::Kind kind) {
  switch (kind) {
    case DrawnPart::Kind::body:
      return "body";
    case DrawnPart::Kind::pin:
      return "pin";
    case DrawnPart::Kind::slider:
      return "slider";
    case DrawnPart::Kind::line:
      return "line";
    case DrawnPart::Kind::disk:
      return "disk";
    case DrawnPart::Kind::rod:
      return "rod";
    case DrawnPart::Kind::spring:
      return "spring";
  }
  return "";
}

}  // namespace daewave
