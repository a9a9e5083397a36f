#pragma once
// What keeps its problem by reference, together with the kernel it refers to.

#include <utility>

namespace daewave::ivp {

namespace detail {

template <class Kernel>
struct OwnKernel {
  Kernel kernel;
};

}  // namespace detail

/// @tparam System  constructed from (const Kernel&, arguments...).
template <class System, class Kernel>
class WithOwnKernel final : private detail::OwnKernel<Kernel>, public System {
 public:
  template <class... Arguments>
  explicit WithOwnKernel(Kernel own, Arguments&&... arguments)
      : detail::OwnKernel<Kernel>{std::move(own)},
        System(detail::OwnKernel<Kernel>::kernel, std::forward<Arguments>(arguments)...) {}
  WithOwnKernel(const WithOwnKernel&) = delete;
  WithOwnKernel& operator=(const WithOwnKernel&) = delete;
};

}  // namespace daewave::ivp
