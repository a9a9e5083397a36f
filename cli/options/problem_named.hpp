#pragma once
// The problem that a command names: one of the catalogues, or a model file, whose name ends in
// .toml.

#include <string>
#include <vector>

#include "catalogue/boundary_catalogue.hpp"
#include "catalogue/initial_value_catalogue.hpp"

namespace daewave::flow {
struct FlowEntry;
}
namespace daewave::models {
struct Model;
}

namespace daewave::cli {

bool is_model_file(const std::string& name);

/// The file, read once. @throws InvalidOption, ModelError where it cannot be read or is wrong.
const models::Model& model_file(const std::string& path);
/// Parameters that the file sets by itself and the command line does not.
catalogue::Parameters set_by_file(const std::string& path, const catalogue::Parameters& said);

/// Null where it is of another kind.
const catalogue::Entry* find_initial_value(const std::string& name);
const catalogue::BoundaryEntry* find_boundary(const std::string& name);
const flow::FlowEntry* find_flow(const std::string& name);
/// Of all catalogues.
std::vector<std::string> names_of_problems();
/// @throws InvalidOption for a name that is of no catalogue, or of a flow.
const problems::LinearEntry& find_linear(const std::string& name);

}  // namespace daewave::cli
