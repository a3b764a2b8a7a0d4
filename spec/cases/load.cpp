// SPDX-License-Identifier: Apache-2.0
// Loads case files; reports all errors of a file at once.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/core/out_of_memory.hpp"
#include "scatterproof/spec/opspec/literal.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/yaml/table.hpp"

namespace scatterproof::spec {
namespace {

namespace fs = std::filesystem;
using yaml::Node;

class Loader {
 public:
  Loader(const yaml::Document& document, const SpecLibrary& specs, const SharedBudget& budget)
      : reader_(document, budget), specs_(specs) {}

  GoodCases run() {
    // Parts that the schema rejects are not read further, so that no error is reported twice.
    reader_.fail(yaml::validate(reader_.document(), "cases"));
    static constexpr std::string_view parts[] = {"cases"};
    const auto root = without(reader_.document().root, reader_.errors(), parts);
    if (!root || !find_spec(*root)) return {{}, reader_.errors()};
    const Node *cases = root->find("cases"), *base = root->find("base");
    if (const Node* call = root->find("call"); call && !cases) return alone(*call, base);
    if (!cases) return {{}, reader_.errors()};
    std::vector<Case> good;
    Unique unique(reader_, "case");
    for (const Node& node : cases->items) {
      const std::size_t errors_before = reader_.errors().size();
      Case one = read(node, base);
      unique.add(one.id, one.at);
      if (reader_.errors().size() == errors_before) good.push_back(std::move(one));
    }
    return {std::move(good), reader_.errors()};
  }

 private:
  bool find_spec(const Node& root) {
    spec_ = specs_.find(root.find("api")->text);
    if (spec_) return true;
    std::vector<std::string> known;
    for (const OpSpec& spec : specs_.all()) known.push_back(spec.api);
    reader_.fail_unknown(root.find("api")->at, "API", root.find("api")->text, known);
    return false;
  }

  /// The case of a file of one call.
  GoodCases alone(const Node& call, const Node* base) {
    Case one;
    one.file = reader_.document().file;
    one.at = call.at;
    one.id = spec_->api + "/call";
    one.why = "as it was given";
    read_arguments(base, &call, one);
    if (!reader_.errors().empty()) return {{}, reader_.errors()};
    return {{std::move(one)}, {}};
  }

  /// Whether it has a call: the arguments of the file, and over them those of the case.
  bool read_arguments(const Node* base, const Node* own, Case& one) {
    std::vector<const Node*> layers;
    if (base) layers.push_back(base);
    if (own) layers.push_back(own);
    auto call = read_call(reader_, *spec_, layers, one.at);
    if (call) one.call = std::move(*call);
    one.unsupported = reader_.take_not_supported();
    return call && one.unsupported.empty();
  }

  Case read(const Node& node, const Node* base) {
    Case one;
    one.file = reader_.document().file;
    one.at = node.at;
    one.why = reader_.text(node, "why");
    one.tags = reader_.texts(node, "tags");
    read_id(node, one);
    one.from = read_source(reader_, node, *spec_, fmt::format(" of {}", spec_->api));
    const bool has_call = read_arguments(base, node.find("call"), one);
    if (const Node* expected = node.find("expect")) read_expected(*expected, has_call, one);
    if (const Node* gradient = node.find("gradient"); gradient && has_call) read_gradient(*gradient, one);
    return one;
  }

  void read_id(const Node& node, Case& one) {
    one.rule = reader_.text(node, "rule");
    if (one.rule.empty()) {
      one.id = fmt::format("{}/{}", spec_->api, reader_.text(node, "id"));
      return;
    }
    const std::string side = reader_.text(node, "side");
    const std::string name = reader_.text(node, "name");
    one.breaks = side == "breaks";
    one.id = fmt::format("{}/rule/{}/{}{}{}", spec_->api, one.rule, side, name.empty() ? "" : "/", name);
    if (spec_->any_rule(one.rule)) return;
    std::vector<std::string> known;
    for (const Rule& rule : spec_->rules) known.push_back(rule.id);
    for (const Rule& rule : spec_->gradient.rules) known.push_back(rule.id);
    reader_.fail_unknown(node.find("rule")->at, fmt::format("rule of {}", spec_->api), one.rule, known);
  }

  void read_expected(const Node& node, bool has_call, Case& one) {
    using Kind = CaseExpectation::Kind;
    if (node.is_scalar()) {
      one.expect.kind = node.text == "undefined" ? Kind::undefined : Kind::open;
    } else if (node.find("error")) {
      one.expect.kind = Kind::error;
      one.expect.classes = reader_.texts(node, "error");
      std::erase(one.expect.classes, "any");
    } else if (const Node* accepted = node.find("any_of")) {
      one.expect.kind = Kind::values;
      for (const Node& item : accepted->items)
        if (has_call) read_result(*item.find("values"), one);
    } else if (const Node* values = node.find("values")) {
      one.expect.kind = Kind::values;
      if (has_call) read_result(*values, one);
    }
  }

  void read_result(const Node& values, Case& one) {
    if (auto tensor = read_like_result(values, "values", one.call))
      one.expect.values.push_back(*std::move(tensor));
  }

  std::optional<Tensor> read_like_result(const Node& values, std::string_view key, const Call& call) {
    const auto form = result_form(*spec_, call);
    if (form) return read_values(reader_, values, form->dtype, &form->shape, "the result's shape");
    reader_.fail(values.at,
                 fmt::format("'{}' needs a call that has a result: {}", key, form.errors().front().what),
                 broken_words(call));
    return {};
  }

  /// The first rule that the call breaks, and that no values are expected then.
  std::string broken_words(const Call& call) const {
    for (const RuleState& state : check_rules(*spec_, call))
      if (state.kind == RuleState::Kind::broken)
        return fmt::format("the call breaks {}; leave out 'expect', or say which error it requires",
                           state.sentence);
    return "";
  }

  void read_gradient(const Node& node, Case& one) {
    auto cotangent = read_like_result(*node.find("cotangent"), "cotangent", one.call);
    if (!cotangent) return;
    CaseGradient gradient{.cotangent = *std::move(cotangent), .any_of = {}};
    const Node* expected = node.find("expect");
    const Node* accepted = expected ? expected->find("any_of") : nullptr;
    if (accepted)
      for (const Node& item : accepted->items) gradient.any_of.push_back(read_gradients(item, one.call));
    else if (expected)
      gradient.any_of.push_back(read_gradients(*expected, one.call));
    one.gradient = std::move(gradient);
  }

  CaseGradient::Gradients read_gradients(const Node& map, const Call& call) {
    CaseGradient::Gradients read;
    for (std::size_t i = 0; i < map.members.size(); ++i) {
      const auto& [name, values] = map.members[i];
      const auto* tensor = call.find(name) ? std::get_if<Tensor>(call.find(name)) : nullptr;
      if (!tensor || !(is_float(tensor->dtype()) || is_complex(tensor->dtype()))) {
        reader_.fail(map.key_positions[i],
                     fmt::format("'{}' is not an argument of {} that has a gradient", name, spec_->api),
                     "those that are tensors of real or complex numbers have one");
        continue;
      }
      auto gradient = read_values(reader_, values, tensor->dtype(), &tensor->shape(), "the argument's shape");
      if (gradient) read.emplace_back(name, *std::move(gradient));
    }
    return read;
  }

  Reader reader_;
  const SpecLibrary& specs_;
  const OpSpec* spec_ = nullptr;
};

void append(GoodCases& to, GoodCases from) {
  std::ranges::move(from.cases, std::back_inserter(to.cases));
  std::ranges::move(from.errors, std::back_inserter(to.errors));
}

void place(Node& node, Position at) {
  node.at = at;
  std::ranges::fill(node.key_positions, at);
  for (Node& item : node.items) place(item, at);
  for (yaml::Member& member : node.members) place(member.second, at);
}

/// The table of the spec file that `apis:` names. Errors point to the name: the table stands in another file.
Result<Node> table_of(const yaml::Document& document, const Node& name, const SpecLibrary& specs) {
  Node table;
  table.kind = Node::Kind::map;
  std::vector<std::string> known;
  for (const OpSpec& spec : specs.all()) {
    if (!spec.row || !spec.variant_of.empty()) continue;
    known.push_back(fs::path(spec.file).stem().string());
    if (known.back() != name.text) continue;
    table.members.push_back({spec.api, *spec.row});
    table.key_positions.push_back(name.at);
  }
  place(table, name.at);
  if (!table.members.empty()) return table;
  return document.error(name.at, fmt::format("no spec file '{}' has a table", name.text),
                        did_you_mean(name.text, known));
}

Result<std::vector<yaml::TableRow>> rows_of(const yaml::Document& document, const SpecLibrary& specs) {
  const Node* name = document.root.find("apis");
  if (!name || name->kind != Node::Kind::string) return yaml::rows_of(document);
  const auto table = table_of(document, *name, specs);
  if (!table) return table.errors();
  return yaml::rows_of(document, &*table);
}

/// The cases of all rows of the file's table, or of its only API.
GoodCases read_rows(const yaml::Document& document, const SpecLibrary& specs, SharedBudget budget) {
  const auto rows = rows_of(document, specs);
  if (!rows) return {{}, rows.errors()};
  if (!budget) budget = std::make_shared<LiteralBudget>();
  GoodCases all;
  std::vector<Errors> errors;
  for (const yaml::TableRow& row : *rows) {
    if (budget->exhausted()) break;  // that is an error by now
    GoodCases some = Loader(row.document, specs, budget).run();
    errors.push_back(std::move(some.errors));
    append(all, {std::move(some.cases), {}});
  }
  all.errors = yaml::join_errors(*rows, errors);
  return all;
}

GoodCases read_file(const std::string& path, const SpecLibrary& specs, const SharedBudget& budget) {
  return or_out_of_memory([&] { return "while reading " + path; },
                          [&]() -> GoodCases {
                            const auto document = yaml::read_file(path);
                            if (!document) return {{}, document.errors()};
                            return read_rows(*document, specs, budget);
                          });
}

/// The case files below a folder, in the order of their paths.
Result<std::vector<std::string>> files_below(const std::string& folder) {
  std::error_code failed;
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (it->path().extension() == ".yaml") paths.push_back(it->path().string());
  if (failed)
    return Error{.file = folder, .what = fmt::format("cannot read the cases folder: {}", failed.message())};
  std::ranges::sort(paths);
  return paths;
}

/// Sorts by id; of those that have the same one in different files, the first stays.
void settle_ids(GoodCases& read) {
  std::ranges::stable_sort(read.cases, {}, &Case::id);
  std::vector<Case> unique;
  for (Case& one : read.cases) {
    if (unique.empty() || unique.back().id != one.id)
      unique.push_back(std::move(one));
    else
      read.errors.push_back({.file = one.file,
                             .at = one.at,
                             .what = fmt::format("case '{}' is already taken", one.id),
                             .hint = fmt::format("by {}:{}", unique.back().file, unique.back().at.line)});
  }
  read.cases = std::move(unique);
}

GoodCases read_folder(const std::string& folder, const SpecLibrary& specs, SharedBudget budget) {
  if (!budget) budget = std::make_shared<LiteralBudget>();
  const auto paths = files_below(folder);
  if (!paths) return {{}, paths.errors()};
  GoodCases all;
  for (const std::string& path : *paths) {
    if (budget->exhausted()) break;  // that is an error by now
    append(all, read_file(path, specs, budget));
  }
  settle_ids(all);
  return all;
}

Result<std::vector<Case>> all_or_none(GoodCases read) {
  if (!read.errors.empty()) return std::move(read.errors);
  return std::move(read.cases);
}

}  // namespace

Result<std::vector<Case>> load_cases(const std::string& path, const SpecLibrary& specs,
                                     const SharedBudget& budget) {
  return all_or_none(read_file(path, specs, budget));
}

Result<std::vector<Case>> load_cases_text(std::string file_name, std::string text, const SpecLibrary& specs) {
  const auto document = yaml::read_text(std::move(file_name), std::move(text));
  if (!document) return document.errors();
  return all_or_none(read_rows(*document, specs, nullptr));
}

void add_variants(std::vector<Case>& cases, const SpecLibrary& specs) {
  for (std::size_t i = 0, count = cases.size(); i < count; ++i) {
    const OpSpec& spec = *specs.find(cases[i].call.api);
    for (const Variant& variant : spec.variants) {
      Case one = cases[i];
      one.id.replace(0, spec.api.size(), variant.api);
      one.call.api = variant.api;
      cases.push_back(std::move(one));
    }
  }
}

Result<std::vector<Case>> load_case_tree(const std::string& folder, const SpecLibrary& specs,
                                         SharedBudget budget) {
  return all_or_none(read_folder(folder, specs, std::move(budget)));
}

GoodCases load_good_cases(const std::string& path, const SpecLibrary& specs, SharedBudget budget) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? read_folder(path, specs, std::move(budget))
                                         : read_file(path, specs, budget);
}

}  // namespace scatterproof::spec
