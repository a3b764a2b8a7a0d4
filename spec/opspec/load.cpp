// SPDX-License-Identifier: Apache-2.0
// One spec file: schema first, then part by part; all errors at once.
#include <fmt/format.h>

#include <algorithm>

#include "loading.hpp"
#include "scatterproof/spec/opspec/reading.hpp"
#include "scatterproof/spec/yaml/table.hpp"

namespace scatterproof::spec {
namespace {

using yaml::Node;

void read_documents(Loading& loading) {
  const Node* documents = loading.root.find("documents");
  if (!documents) return;
  Unique unique(loading.reader, "document");
  for (const Node& node : documents->items) {
    DocumentRef document{.id = loading.reader.text(node, "id"),
                         .title = loading.reader.text(node, "title"),
                         .framework = loading.reader.text(node, "framework"),
                         .versions = loading.reader.text(node, "versions"),
                         .url = loading.reader.text(node, "url"),
                         .seed = loading.reader.text(node, "seed"),
                         .text = loading.reader.text(node, "text"),
                         .page = loading.reader.text(node, "page"),
                         .release = loading.reader.text(node, "release")};
    unique.add(document.id, node.at);
    if (loading.spec.framework.empty() && document.framework != "blog")
      loading.spec.framework = document.framework;
    loading.spec.documents.push_back(std::move(document));
  }
}

/// An entry is a sentence or, where clauses say it, a map.
void read_omits(Loading& loading) {
  const Node* omits = loading.root.find("omits");
  if (!omits) return;
  for (const Node& node : omits->items) {
    Omission omission{.says = node.text, .because = {}, .from = {}};
    if (!node.is_scalar())
      omission = {.says = loading.reader.text(node, "says"),
                  .because = loading.reader.text(node, "because"),
                  .from = read_source(loading.reader, node, loading.spec)};
    loading.spec.omits.push_back(std::move(omission));
  }
}

void read_platforms(Loading& loading) {
  const Node* node = loading.root.find("platforms");
  if (!node) return;
  loading.spec.platforms = {.devices = loading.reader.texts(*node, "devices"),
                            .says = loading.reader.text(*node, "says"),
                            .from = read_source(loading.reader, *node, loading.spec)};
}

void read_deprecated(Loading& loading) {
  const Node* node = loading.root.find("deprecated");
  if (!node) return;
  loading.spec.deprecated = {.says = loading.reader.text(*node, "says"),
                             .from = read_source(loading.reader, *node, loading.spec)};
}

/// A call in Python; checks that the arguments named in braces exist.
std::string read_python(Loading& loading, const Node& map) {
  const Node* python = map.find("python");
  if (!python) return {};
  const std::string& text = python->text;
  for (std::size_t open = 0; (open = text.find('{', open)) != std::string::npos; ++open) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) {
      loading.reader.fail(python->at, "a '{' has no matching '}'");
      break;
    }
    const std::string name = text.substr(open + 1, close - open - 1);
    if (!loading.scope.find_list(name)) check_argument(loading, python->at, name);
  }
  return text;
}

void read_variants(Loading& loading) {
  const Node* variants = loading.root.find("variants");
  if (!variants) return;
  Unique unique(loading.reader, "variant");
  for (const Node& node : variants->items) {
    Variant variant{.api = loading.reader.text(node, "api"),
                    .python = read_python(loading, node),
                    .in_place = loading.reader.texts(node, "in_place"),
                    .from = read_source(loading.reader, node, loading.spec)};
    unique.add(variant.api, node.at);
    for (const std::string& name : variant.in_place) check_argument(loading, node.at, name);
    loading.spec.variants.push_back(std::move(variant));
  }
}

Result<OpSpec> load(const yaml::Document& document) {
  Reader reader(document);
  // Parts that the schema rejects are not read further, so that no error is reported twice.
  reader.fail(yaml::validate(document, "ops"));
  static constexpr std::string_view parts[] = {"rules",    "meaning", "latitude", "refusal",
                                               "gradient", "kernel",  "family"};
  const auto root = without(document.root, reader.errors(), parts);
  if (!root) return reader.errors();
  OpSpec spec;
  spec.file = document.file;
  spec.api = reader.text(*root, "api");
  spec.summary = reader.text(*root, "summary");
  Loading loading{reader, *root, spec, {}};
  read_documents(loading);
  read_omits(loading);
  read_platforms(loading);
  read_deprecated(loading);
  read_arguments(loading);
  read_lets(loading);
  read_rules(loading);
  read_meaning(loading);
  read_formulas(loading);
  read_latitude(loading);
  read_refusal(loading);
  read_gradient(loading);
  check_rule_ids(loading);
  read_doubts(loading);
  read_kernel(loading);
  spec.python = read_python(loading, *root);
  read_variants(loading);
  if (!reader.errors().empty()) return reader.errors();
  return spec;
}

/// One spec a row of its table, or the only one.
Result<std::vector<OpSpec>> load_rows(const yaml::Document& document) {
  const auto rows = yaml::rows_of(document);
  if (!rows) return rows.errors();
  std::vector<OpSpec> specs;
  std::vector<Errors> errors;
  for (const yaml::TableRow& row : *rows) {
    auto spec = load(row.document);
    errors.push_back(spec ? Errors{} : spec.errors());
    if (!spec) continue;
    specs.push_back(std::move(spec).value());
    if (!row.api.empty()) specs.back().row = std::make_shared<const yaml::Node>(row.columns);
  }
  Errors joined = yaml::join_errors(*rows, errors);
  if (!joined.empty()) return joined;
  return specs;
}

}  // namespace

Result<OpSpec> load_op_spec(const std::string& path) {
  const auto document = yaml::read_file(path);
  if (!document) return document.errors();
  return load(*document);
}

Result<std::vector<OpSpec>> load_op_specs(const std::string& path) {
  const auto document = yaml::read_file(path);
  if (!document) return document.errors();
  return load_rows(*document);
}

Result<std::vector<OpSpec>> load_op_specs_text(std::string file_name, std::string text) {
  const auto document = yaml::read_text(std::move(file_name), std::move(text));
  if (!document) return document.errors();
  return load_rows(*document);
}

Result<OpSpec> load_op_spec_text(std::string file_name, std::string text) {
  const auto document = yaml::read_text(std::move(file_name), std::move(text));
  if (!document) return document.errors();
  return load(*document);
}

const ArgumentDecl* OpSpec::argument(std::string_view name) const {
  for (const ArgumentDecl& declared : arguments)
    if (declared.name == name) return &declared;
  return nullptr;
}

bool OpSpec::is_index(const ArgumentDecl& declared) const {
  const auto type = std::ranges::find(types, declared.type, &TypeVariable::name);
  const auto may_be_place = [](DType dtype) { return is_integer(dtype) || dtype == DType::boolean; };
  if (type == types.end() || !std::ranges::all_of(type->dtypes, may_be_place)) return false;
  const ArgumentDecl* like_result = argument(meaning.result_dtype_of);
  if (!like_result || like_result->type != declared.type) return true;
  const auto at = std::ranges::find(arguments, declared.name, &ArgumentDecl::name);
  return decides_with_values(*this, static_cast<std::size_t>(at - arguments.begin()));
}

const DocumentRef* OpSpec::document(std::string_view id) const {
  for (const DocumentRef& one : documents)
    if (one.id == id) return &one;
  return nullptr;
}

const Rule* OpSpec::rule(std::string_view id) const {
  for (const Rule& one : rules)
    if (one.id == id) return &one;
  return nullptr;
}

const Rule* OpSpec::any_rule(std::string_view id) const {
  if (const Rule* one = rule(id)) return one;
  for (const Rule& one : gradient.rules)
    if (one.id == id) return &one;
  return nullptr;
}

}  // namespace scatterproof::spec
