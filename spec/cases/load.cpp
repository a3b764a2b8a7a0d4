// SPDX-License-Identifier: Apache-2.0
// Loads case files; reports all errors of a file at once.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/core/out_of_memory.hpp"
#include "scatterproof/spec/opspec/literal.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::spec {
namespace {

namespace fs = std::filesystem;
using yaml::Node;

class Loader {
 public:
  Loader(const yaml::Document& document, const SpecLibrary& specs, const SharedBudget& budget = nullptr)
      : reader_(document, budget), specs_(specs) {}

  Result<std::vector<Case>> run() {
    // Parts that the schema rejects are not read further, so that no error is reported twice.
    reader_.fail(yaml::validate(reader_.document(), "cases"));
    static constexpr std::string_view parts[] = {"cases"};
    const auto root = without(reader_.document().root, reader_.errors(), parts);
    if (!root || !find_spec(*root)) return reader_.errors();
    const Node* cases = root->find("cases");
    if (!cases) return reader_.errors();
    const Node* base = root->find("base");
    Unique unique(reader_, "case");
    for (const Node& node : cases->items) {
      cases_.push_back(read(node, base));
      unique.add(cases_.back().id, cases_.back().at);
    }
    if (!reader_.errors().empty()) return reader_.errors();
    return std::move(cases_);
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

  Case read(const Node& node, const Node* base) {
    Case one;
    one.file = reader_.document().file;
    one.at = node.at;
    one.why = reader_.text(node, "why");
    one.tags = reader_.texts(node, "tags");
    read_id(node, one);
    one.from = read_source(reader_, node, *spec_, fmt::format(" of {}", spec_->api));
    std::vector<const Node*> layers;
    if (base) layers.push_back(base);
    if (const Node* call = node.find("call")) layers.push_back(call);
    auto call = read_call(reader_, *spec_, layers, node.at);
    if (call) one.call = std::move(*call);
    if (const Node* expected = node.find("expect")) read_expected(*expected, call.has_value(), one);
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
    if (spec_->rule(one.rule)) return;
    std::vector<std::string> known;
    for (const Rule& rule : spec_->rules) known.push_back(rule.id);
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
    } else if (const Node* values = node.find("values"); values && has_call) {
      one.expect.kind = Kind::values;
      const auto form = result_form(*spec_, one.call);
      if (form)
        one.expect.values = read_values(reader_, *values, form->dtype, &form->shape, "the result's shape");
      else
        reader_.fail(values->at,
                     fmt::format("'values' needs a call that has a result: {}", form.errors().front().what));
    }
  }

  Reader reader_;
  const SpecLibrary& specs_;
  const OpSpec* spec_ = nullptr;
  std::vector<Case> cases_;
};

void append(Errors& errors, const Errors& more) { errors.insert(errors.end(), more.begin(), more.end()); }

}  // namespace

Result<std::vector<Case>> load_cases(const std::string& path, const SpecLibrary& specs,
                                     const SharedBudget& budget) {
  return or_out_of_memory([&] { return "while reading " + path; },
                          [&]() -> Result<std::vector<Case>> {
                            const auto document = yaml::read_file(path);
                            if (!document) return document.errors();
                            return Loader(*document, specs, budget).run();
                          });
}

Result<std::vector<Case>> load_cases_text(std::string file_name, std::string text, const SpecLibrary& specs) {
  const auto document = yaml::read_text(std::move(file_name), std::move(text));
  if (!document) return document.errors();
  return Loader(*document, specs).run();
}

Result<std::vector<Case>> load_case_tree(const std::string& folder, const SpecLibrary& specs,
                                         SharedBudget budget) {
  if (!budget) budget = std::make_shared<LiteralBudget>();
  std::error_code failed;
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    if (it.depth() == 0 && it->path().filename() == "bench") it.disable_recursion_pending();  // docs/bench.md
    if (it->path().extension() == ".yaml") paths.push_back(it->path().string());
  }
  if (failed)
    return Error{.file = folder, .what = fmt::format("cannot read the cases folder: {}", failed.message())};
  std::ranges::sort(paths);
  Errors errors;
  std::vector<Case> cases;
  for (const std::string& path : paths) {
    if (budget->exhausted()) break;  // that is an error by now
    auto loaded = load_cases(path, specs, budget);
    if (!loaded)
      append(errors, loaded.errors());
    else
      std::ranges::move(loaded.value(), std::back_inserter(cases));
  }
  std::ranges::stable_sort(cases, {}, &Case::id);
  for (std::size_t i = 1; i < cases.size(); ++i)
    if (cases[i].id == cases[i - 1].id && cases[i].file != cases[i - 1].file)
      errors.push_back({.file = cases[i].file,
                        .at = cases[i].at,
                        .what = fmt::format("case '{}' is already taken", cases[i].id),
                        .hint = fmt::format("by {}:{}", cases[i - 1].file, cases[i - 1].at.line)});
  if (!errors.empty()) return errors;
  return cases;
}

}  // namespace scatterproof::spec
