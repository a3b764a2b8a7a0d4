// SPDX-License-Identifier: Apache-2.0
// Formulas as documents print them, and doubts about them.
#include <fmt/format.h>

#include <algorithm>

#include "loading.hpp"
#include "scatterproof/spec/opspec/literal.hpp"

namespace scatterproof::spec {
namespace {

using language::Type;
using yaml::Node;

void read_formula(Loading& loading, const Node& node) {
  Formula formula;
  formula.id = loading.reader.text(node, "id");
  formula.at = node.at;
  formula.from = read_source(loading.reader, node, loading.spec);
  formula.wrong = loading.reader.flag(node, "wrong");
  formula.when =
      read_expression(loading, node, "when", loading.scope, static_cast<language::Types>(Type::boolean));
  language::ProgramNames names;
  names.result = loading.reader.text(node, "result");
  if (const Node* renamed = node.find("names"))
    for (const auto& [theirs, ours] : renamed->members) {
      if (!loading.scope.find(ours.text)) check_argument(loading, ours.at, ours.text);
      names.renamed.emplace_back(theirs, ours.text);
    }
  if (const Node* reads = node.find("reads")) {
    formula.reads = reads->text.substr(0, reads->text.find_last_not_of(" \n") + 1);
    formula.program =
        loading.reader.take(language::parse_program(loading.reader.expression(*reads), names, loading.scope));
  }
  loading.spec.formulas.push_back(std::move(formula));
}

void read_claim(Loading& loading, const Node& node, Doubt& doubt) {
  Doubt::Claim claim;
  claim.says = loading.reader.text(node, "says");
  claim.from = read_source(loading.reader, node, loading.spec);
  claim.formula = loading.reader.text(node, "formula");
  claim.refuses = loading.reader.flag(node, "refuses");
  claim.meaning = loading.reader.flag(node, "meaning");
  const Node* result = node.find("result");
  if (result) claim.result = read_tensor(loading.reader, *result);
  const auto& formulas = loading.spec.formulas;
  if (!claim.formula.empty() &&
      std::ranges::none_of(formulas, [&](const Formula& one) { return one.id == claim.formula; })) {
    std::vector<std::string> known;
    for (const Formula& one : formulas) known.push_back(one.id);
    loading.reader.fail_unknown(node.find("formula")->at, "formula", claim.formula, known);
  }
  if (!claim.formula.empty() + claim.refuses + claim.meaning + (result != nullptr) > 1)
    loading.reader.fail(node.at, "a claim is one of 'formula', 'meaning', 'result' and 'refuses'");
  doubt.claims.push_back(std::move(claim));
}

void read_doubt(Loading& loading, const Node& node) {
  Doubt doubt;
  doubt.id = loading.reader.text(node, "id");
  doubt.about = loading.reader.text(node, "about");
  doubt.resolution = loading.reader.text(node, "resolution");
  doubt.at = node.at;
  if (const Node* claims = node.find("claims"))
    for (const Node& claim : claims->items) read_claim(loading, claim, doubt);
  if (const Node* witness = node.find("witness")) {
    const Node* layers[] = {witness};
    doubt.witness = read_call(loading.reader, loading.spec, layers, witness->at);
  }
  loading.spec.doubts.push_back(std::move(doubt));
}

bool doubted(const OpSpec& spec, const std::string& formula) {
  return std::ranges::any_of(spec.doubts, [&](const Doubt& doubt) {
    return std::ranges::any_of(doubt.claims,
                               [&](const Doubt::Claim& claim) { return claim.formula == formula; });
  });
}

}  // namespace

void read_formulas(Loading& loading) {
  if (const Node* formulas = loading.root.find("formulas"))
    for (const Node& node : formulas->items) read_formula(loading, node);
  Unique unique(loading.reader, "formula");
  for (const Formula& formula : loading.spec.formulas) unique.add(formula.id, formula.at);
}

void read_doubts(Loading& loading) {
  if (const Node* doubts = loading.root.find("doubts"))
    for (const Node& node : doubts->items) read_doubt(loading, node);
  Unique unique(loading.reader, "doubt");
  for (const Doubt& doubt : loading.spec.doubts) unique.add(doubt.id, doubt.at);
  for (const Formula& formula : loading.spec.formulas)
    if (formula.wrong && !doubted(loading.spec, formula.id))
      loading.reader.fail(formula.at,
                          fmt::format("formula '{}' is marked wrong, but no doubt says why", formula.id),
                          "add a doubt with a claim 'formula: " + formula.id + "'");
}

}  // namespace scatterproof::spec
