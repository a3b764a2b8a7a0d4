// SPDX-License-Identifier: Apache-2.0
// Shared by all YAML loaders: one document, its errors so far, and typed look-ups that add errors.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/language/language.hpp"
#include "scatterproof/spec/opspec/literal_budget.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::spec {

/// Collects all errors of one document. The schema has been checked before, so an existing member has the
/// right kind, but the look-ups never rely on that.
class Reader {
 public:
  /// `budget`: what the document's literals share with those of other documents; null: one of its own.
  explicit Reader(const yaml::Document& document, std::shared_ptr<LiteralBudget> budget = nullptr)
      : document_(document), budget_(budget ? std::move(budget) : std::make_shared<LiteralBudget>()) {}

  const yaml::Document& document() const { return document_; }
  LiteralBudget& budget() { return *budget_; }
  void fail(Position at, std::string what, std::string hint = {});
  void fail(Errors errors);
  /// "unknown <kind> '<word>'", with a suggestion from the words it could have been.
  void fail_unknown(Position at, std::string_view kind, const std::string& word,
                    const std::vector<std::string>& known);
  const Errors& errors() const { return errors_; }

  /// Notes something that is written rightly, but cannot be executed yet.
  void not_supported(std::string what) { not_supported_ = std::move(what); }
  /// The last such note since it was asked for; empty when there was none.
  std::string take_not_supported() { return std::exchange(not_supported_, {}); }

  /// A member's text; empty when the member is absent. Numbers and booleans give their text as written.
  std::string text(const yaml::Node& map, std::string_view key);
  bool flag(const yaml::Node& map, std::string_view key);
  /// One text or a list of texts; empty when absent.
  std::vector<std::string> texts(const yaml::Node& map, std::string_view key);

  /// A scalar as a text of the expression language, at the place where its first character stands.
  language::Text expression(const yaml::Node& scalar) const;

  /// Takes the value of a result, or its errors.
  template <class T>
  T take(Result<T> result, T otherwise = {}) {
    if (result) return std::move(result).value();
    fail(result.errors());
    return otherwise;
  }

 private:
  const yaml::Document& document_;
  std::shared_ptr<LiteralBudget> budget_;
  Errors errors_;
  std::string not_supported_;
};

/// The document without its faulty parts: of the members named in `parts`, the faulty items of a list, or the
/// whole member. Empty when a fault lies elsewhere, in something that the rest relies on.
std::optional<yaml::Node> without(const yaml::Node& root, const Errors& faults,
                                  std::span<const std::string_view> parts);

/// The `from:` of a map, checked against the spec's documents; `whose` stands behind "unknown document".
Source read_source(Reader& reader, const yaml::Node& map, const OpSpec& spec, std::string_view whose = {});

/// Reports the second use of a name.
class Unique {
 public:
  Unique(Reader& reader, std::string kind) : reader_(reader), kind_(std::move(kind)) {}
  void add(const std::string& name, Position at);

 private:
  Reader& reader_;
  std::string kind_;
  std::set<std::string> seen_;
};

}  // namespace scatterproof::spec
