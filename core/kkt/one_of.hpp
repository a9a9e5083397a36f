#pragma once
// What has one of several types, which one is known at run time: a std::variant that keeps its
// memory as long as the type stays.

#include <variant>

namespace daewave {

template <class... Forms>
class OneOf {
 public:
  /// To write to: of the type asked for, made anew where it was another.
  template <class Form>
  Form& become() {
    Form* const own = std::get_if<Form>(&form_);
    return own != nullptr ? *own : form_.template emplace<Form>();
  }
  /// Null where it is of another type.
  template <class Form>
  const Form* as() const {
    return std::get_if<Form>(&form_);
  }
  template <class Form>
  Form* as() {
    return std::get_if<Form>(&form_);
  }
  /// function(it), in its type.
  template <class Function>
  auto visit(Function function) const {
    return std::visit(function, form_);
  }
  template <class Function>
  auto visit(Function function) {
    return std::visit(function, form_);
  }

 private:
  std::variant<Forms...> form_;
};

}  // namespace daewave
