// SPDX-License-Identifier: Apache-2.0
// The parts of a spec file, each read by a file of its own into an OpSpec (docs/formats/spec-language.md §1).
#pragma once

#include "scatterproof/spec/opspec/op_spec.hpp"
#include "scatterproof/spec/opspec/reader.hpp"

namespace scatterproof::spec {

/// The spec being read, with the names its expressions may use.
struct Loading {
  Reader& reader;
  const yaml::Node& root;
  OpSpec& spec;
  language::Scope scope;  ///< arguments, then lets
};

void read_arguments(Loading& loading);  ///< `arguments:`, declared in the scope
void read_lets(Loading& loading);       ///< `let:`, declared in the scope
void read_rules(Loading& loading);      ///< types, choices and `rules:`, in this order
void read_meaning(Loading& loading);
void read_formulas(Loading& loading);
void read_latitude(Loading& loading);
void read_refusal(Loading& loading);
void read_gradient(Loading& loading);
void check_rule_ids(Loading& loading);  ///< of `rules:` and `gradient:`
void read_doubts(Loading& loading);
void read_kernel(Loading& loading);

/// `since`, `until`, `device`.
Applies read_applies(Loading& loading, const yaml::Node& map);
/// `rules:` of a map, as they are written.
std::vector<Rule> read_rule_list(Loading& loading, const yaml::Node& map);
/// Reports an argument that does not exist. True when it does.
bool check_argument(Loading& loading, Position at, const std::string& name);

/// A member parsed as an expression; null when it is absent or wrong.
ExpressionPtr read_expression(Loading& loading, const yaml::Node& map, std::string_view key,
                              const language::Scope& scope, language::Types expected);

/// Parses an expression derived from something that the file says in another form; errors point there.
ExpressionPtr parse_generated(Loading& loading, Position at, std::string text, language::Type expected);

}  // namespace scatterproof::spec
