#include "core/expression/tape.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace daewave::expression {
namespace {

constexpr std::size_t operations = static_cast<std::size_t>(Operation::select) + 1;

/// A cosine is done with the sine of the same angle.
Operation done_as(Operation operation) {
  return operation == Operation::cosine ? Operation::sine : operation;
}

/// Puts operations in an order, those of a kind that can be done at the same time together.
class Schedule {
 public:
  Schedule(const Graph& graph, const std::vector<Ref>& outputs, const std::vector<Input>& variables)
      : graph_(graph),
        needed_(graph.needed_for(outputs)),
        register_of_(static_cast<std::size_t>(graph.size()), 0),
        missing_(static_cast<std::size_t>(graph.size()), 0),
        first_user_(static_cast<std::size_t>(graph.size()), -1) {
    place_inputs(variables);
    place_numbers();
    count_operands();
    while (run_of_most()) {
    }
    tape_.registers = static_cast<int>(next_);
    tape_.outputs = static_cast<int>(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) place_output(i, outputs[i]);
  }

  Tape take() { return std::move(tape_); }

 private:
  static std::size_t at(Ref one) { return static_cast<std::size_t>(one); }
  Operation operation(Ref one) const { return graph_[one].operation; }

  void place_inputs(const std::vector<Input>& variables) {
    for (const Ref one : needed_) {
      if (operation(one) != Operation::variable) continue;
      tape_.inputs.push_back(variables[at(graph_[one].a)]);
      register_of_[at(one)] = next_++;
    }
  }

  void place_numbers() {
    first_number_ = next_;
    for (const Ref one : needed_) {
      if (operation(one) != Operation::number) continue;
      tape_.numbers.push_back(graph_[one].value);
      register_of_[at(one)] = next_++;
    }
  }

  void count_operands() {
    for (const Ref one : needed_) {
      const Node& node = graph_[one];
      const Ref of[] = {node.a, node.b, node.c};
      const int operands = operands_of(node.operation);
      if (operands == 0) continue;
      for (int i = 0; i < operands; ++i) {
        if (operands_of(operation(of[i])) == 0) continue;
        ++missing_[at(one)];
        users_.push_back({one, first_user_[at(of[i])]});
        first_user_[at(of[i])] = static_cast<int>(users_.size()) - 1;
      }
      if (missing_[at(one)] == 0) make_ready(one);
    }
  }

  void make_ready(Ref one) {
    ready_[static_cast<std::size_t>(done_as(operation(one)))].push_back(one);
  }

  /// Sines last, so that more of them are done together. False where nothing is left.
  bool run_of_most() {
    auto& sines = ready_[static_cast<std::size_t>(Operation::sine)];
    std::vector<Ref> wait;
    wait.swap(sines);
    auto most = std::max_element(ready_.begin(), ready_.end(),
                                 [](auto& a, auto& b) { return a.size() < b.size(); });
    wait.swap(sines);
    if (most->empty()) most = ready_.begin() + static_cast<std::ptrdiff_t>(Operation::sine);
    if (most->empty()) return false;
    std::vector<Ref> now;
    now.swap(*most);
    sort_by_operands(now);
    const auto begin = static_cast<std::uint32_t>(tape_.instructions.size());
    const auto which = static_cast<Operation>(most - ready_.begin());
    if (which == Operation::sine) {
      emit_sines(now);
    } else {
      for (const Ref one : now) {
        tape_.instructions.push_back(instruction(one));
        register_of_[at(one)] = next_++;
      }
    }
    const auto end = static_cast<std::uint32_t>(tape_.instructions.size());
    if (end > begin) add_runs(which, begin, end);
    for (const Ref one : now) {
      for (int next = first_user_[at(one)]; next >= 0;
           next = users_[static_cast<std::size_t>(next)].next) {
        const Ref user = users_[static_cast<std::size_t>(next)].one;
        if (--missing_[at(user)] == 0) make_ready(user);
      }
    }
    return true;
  }

  /// Neighbours in memory become neighbours.
  void sort_by_operands(std::vector<Ref>& all) {
    keys_.clear();
    for (const Ref one : all) {
      const Instruction of = instruction(one);
      keys_.push_back({static_cast<std::uint64_t>(of.a) << 32 | of.b, one});
    }
    if (std::is_sorted(keys_.begin(), keys_.end())) return;
    std::sort(keys_.begin(), keys_.end());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = keys_[i].second;
  }

  Instruction instruction(Ref one) const {
    const Node& node = graph_[one];
    const auto place = [this](Ref of) { return of < 0 ? 0 : register_of_[at(of)]; };
    const int operands = operands_of(node.operation);
    return {place(node.a), operands > 1 ? place(node.b) : 0, operands > 2 ? place(node.c) : 0};
  }

  /// Sines and cosines of the same angle follow each other, as they have one operand.
  void emit_sines(const std::vector<Ref>& now) {
    std::uint32_t angles = 0;
    Ref last = -1;
    for (const Ref one : now) {
      if (std::exchange(last, graph_[one].a) != graph_[one].a) ++angles;
    }
    last = -1;
    std::uint32_t sine = next_ - 1;
    for (const Ref one : now) {
      if (std::exchange(last, graph_[one].a) != graph_[one].a) {
        tape_.instructions.push_back(instruction(one));
        ++sine;
      }
      register_of_[at(one)] = sine + (operation(one) == Operation::cosine ? angles : 0);
    }
    next_ += 2 * angles;
  }

  static bool may_be_in_rows(Operation which) {
    return which == Operation::add || which == Operation::subtract ||
           which == Operation::multiply || which == Operation::divide || which == Operation::negate;
  }

  /// One run, or several where many operands lie in rows.
  void add_runs(Operation which, std::uint32_t begin, std::uint32_t end) {
    constexpr std::uint32_t shortest = 8;
    std::uint32_t listed = begin;
    for (std::uint32_t first = begin; may_be_in_rows(which) && first + shortest <= end;) {
      const std::uint32_t last = end_of_rows(first, end);
      if (last - first < shortest) {
        // The last one may begin the next rows.
        first = std::max(first + 1, last - 1);
        continue;
      }
      if (first > listed) tape_.runs.push_back({which, listed, first});
      const Instruction &one = tape_.instructions[first], &next = tape_.instructions[first + 1];
      tape_.runs.push_back({which, first, last, true, step(one.a, next.a), step(one.b, next.b)});
      listed = first = last;
    }
    if (end > listed) tape_.runs.push_back({which, listed, end});
  }

  static std::int32_t step(std::uint32_t from, std::uint32_t to) {
    return static_cast<std::int32_t>(to) - static_cast<std::int32_t>(from);
  }
  /// Behind the last instruction whose operands follow at the steps of the first two.
  std::uint32_t end_of_rows(std::uint32_t first, std::uint32_t end) const {
    const auto& all = tape_.instructions;
    const std::int32_t a = step(all[first].a, all[first + 1].a);
    const std::int32_t b = step(all[first].b, all[first + 1].b);
    std::uint32_t last = first + 2;
    while (last < end && step(all[last - 1].a, all[last].a) == a &&
           step(all[last - 1].b, all[last].b) == b) {
      ++last;
    }
    return last;
  }

  void place_output(std::size_t output, Ref one) {
    const auto which = static_cast<std::uint32_t>(output);
    if (graph_.is_number(one)) {
      tape_.constant.push_back({which, register_of_[at(one)] - first_number_});
    } else {
      tape_.varying.push_back({which, register_of_[at(one)]});
    }
  }

  const Graph& graph_;
  std::vector<Ref> needed_;
  std::vector<std::uint32_t> register_of_;
  std::vector<int> missing_;
  /// Who takes a node as operand, one after the other.
  struct User {
    Ref one;
    int next;  ///< -1: the last.
  };
  std::vector<int> first_user_;
  std::vector<User> users_;
  std::array<std::vector<Ref>, operations> ready_;
  std::vector<std::pair<std::uint64_t, Ref>> keys_;
  std::uint32_t next_ = 0, first_number_ = 0;
  Tape tape_;
};

}  // namespace

Tape tape_of(const Graph& graph, const std::vector<Ref>& outputs,
             const std::vector<Input>& variables) {
  return Schedule(graph, outputs, variables).take();
}

}  // namespace daewave::expression
