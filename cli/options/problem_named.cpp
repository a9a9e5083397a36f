#include "cli/options/problem_named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "large/flow/flow_catalogue.hpp"
#include "models/boundary_as.hpp"
#include "models/model.hpp"

namespace daewave::cli {
namespace {

using Changes = std::vector<std::pair<std::string, double>>;

/// A model file as one more entry of the catalogue.
struct FileEntry {
  std::string text;
  models::Model model;
  catalogue::Entry initial_value;
  catalogue::BoundaryEntry boundary;
};

/// What is not as the file has it: a parameter that is made of others follows them.
Changes changes(const FileEntry& file, const catalogue::Parameters& values) {
  Changes changed;
  for (const problems::Parameter& one : values) {
    for (const problems::Parameter& before : file.initial_value.parameters) {
      if (before.name == one.name && before.value != one.value) {
        changed.emplace_back(one.name, one.value);
      }
    }
  }
  return changed;
}

catalogue::InitialValueProblemPtr initial_value_problem(const models::Model& model) {
  return std::make_shared<const catalogue::InitialValueProblem>(
      model.problem, model.start,
      catalogue::Known{.name = model.name,
                       .interval = model.interval,
                       .reference = model.exact,
                       .state_units = model.state_units,
                       .drawing = model.drawing,
                       .left_out = models::left_out(model),
                       .warnings = models::start_warnings(model),
                       .events = models::events_as<ivp::Event>(model.events)});
}

std::unique_ptr<FileEntry> read(const std::string& path) {
  auto file = std::make_unique<FileEntry>();
  try {
    file->text = models::read_model_text(path);
  } catch (const FileError& error) {
    throw InvalidOption(error.what());
  }
  file->model = models::model_of(file->text, path);
  catalogue::Entry& entry = file->initial_value;
  entry.name = file->model.name;
  entry.source = path;
  entry.summary = file->model.title;
  for (const auto& [name, value] : file->model.parameters) {
    entry.parameters.push_back({name, value, ""});
  }
  entry.parameters.push_back({"t-end", file->model.interval.end, "end of the interval"});
  entry.discrete = file->model.discrete;
  entry.make = [path, of = file.get()](const catalogue::Parameters& values) {
    const Changes changed = changes(*of, values);
    return initial_value_problem(changed.empty() ? of->model
                                                 : models::model_of(of->text, path, changed));
  };
  catalogue::BoundaryEntry& both = file->boundary;
  both.name = entry.name;
  both.source = path;
  both.summary = entry.summary;
  // Conditions name times of the interval: its end stays.
  both.parameters.assign(entry.parameters.begin(), entry.parameters.end() - 1);
  both.make = [path, of = file.get()](const catalogue::Parameters& values) {
    const Changes changed = changes(*of, values);
    return models::boundary_as<bvp::BoundaryProblem>(
        changed.empty() ? of->model : models::model_of(of->text, path, changed));
  };
  return file;
}

const FileEntry& file_entry(const std::string& path) {
  static std::map<std::string, std::unique_ptr<FileEntry>> files;
  std::unique_ptr<FileEntry>& file = files[path];
  if (!file) file = read(path);
  return *file;
}

}  // namespace

bool is_model_file(const std::string& name) { return name.ends_with(".toml"); }

const models::Model& model_file(const std::string& path) { return file_entry(path).model; }

catalogue::Parameters set_by_file(const std::string& path, const catalogue::Parameters& said) {
  catalogue::Parameters all;
  for (const auto& [name, value] : model_file(path).set) {
    const bool is_said = std::any_of(
        said.begin(), said.end(), [&given = name](const auto& one) { return one.name == given; });
    if (!is_said) all.push_back({name, value, ""});
  }
  return all;
}

const catalogue::Entry* find_initial_value(const std::string& name) {
  if (!is_model_file(name)) return catalogue::find(name);
  const FileEntry& file = file_entry(name);
  return file.model.boundary ? nullptr : &file.initial_value;
}

const catalogue::BoundaryEntry* find_boundary(const std::string& name) {
  if (!is_model_file(name)) return catalogue::find_boundary(name);
  const FileEntry& file = file_entry(name);
  return file.model.boundary ? &file.boundary : nullptr;
}

const flow::FlowEntry* find_flow(const std::string& name) { return flow::find_flow(name); }

std::vector<std::string> names_of_problems() {
  std::vector<std::string> names = catalogue::all_names();
  for (const flow::FlowEntry& entry : flow::flow_entries()) names.push_back(entry.name);
  return names;
}

const problems::LinearEntry& find_linear(const std::string& name) {
  if (find_flow(name) != nullptr) {
    throw InvalidOption(fmt::format(
        "{}: is a flow, which daewave solve, check and show know; sweep is for initial value "
        "problems of few unknowns",
        name));
  }
  return problems::entry_named(name, names_of_problems());
}

}  // namespace daewave::cli
