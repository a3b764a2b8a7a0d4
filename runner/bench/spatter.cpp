// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/bench/spatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>

#include "access_pattern.hpp"
#include "row_reader.hpp"
#include "scatterproof/spec/opspec/reader.hpp"

namespace scatterproof::runner::bench {
namespace {

using spec::Reader;
using spec::yaml::Node;
using Offsets = std::vector<std::int64_t>;

// Spatter's defaults.
constexpr std::int64_t default_delta = 8;
constexpr std::int64_t default_count = 1024;

Node number(std::int64_t value, spec::Position at) {
  Node node;
  node.kind = Node::Kind::integer;
  node.at = at;
  node.text = std::to_string(value);
  node.number = spec::Scalar::of_int(value);
  return node;
}

Node word(std::string text, spec::Position at) {
  Node node;
  node.kind = Node::Kind::string;
  node.at = at;
  node.text = std::move(text);
  return node;
}

Node list(std::vector<Node> items, spec::Position at) {
  Node node;
  node.kind = Node::Kind::list;
  node.at = at;
  node.items = std::move(items);
  return node;
}

Node map(std::vector<spec::yaml::Member> members, spec::Position at) {
  Node node;
  node.kind = Node::Kind::map;
  node.at = at;
  node.members = std::move(members);
  node.key_positions.assign(node.members.size(), at);
  return node;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Keeps only characters that ids may have.
std::string id_word(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) &&
        std::string_view("._+-:,").find(c) == std::string::npos)
      c = '-';
  return text;
}

/// One configuration after the other, into values of the parameter `spatter` by operation.
class Importer {
 public:
  explicit Importer(Reader& reader) : reader_(reader) {}

  void add(const Node& configuration, std::size_t place_in_file) {
    if (configuration.kind != Node::Kind::map)
      return reader_.fail(configuration.at, "a configuration must be an object");
    one_ = &configuration;
    number_ = place_in_file;
    const std::string kernel = lower(text("kernel", "Gather"));
    if (integer("wrap", 1) > 1)
      note("wrap is not imitated: every value has its own place in the dense buffer");
    if (kernel == "gather") return add("gather", pattern("pattern"), "delta", "");
    if (kernel == "scatter") return add("scatter", pattern("pattern"), "delta", "");
    if (kernel == "multigather")
      return add("gather", composed(pattern("pattern"), pattern("pattern-gather")), "delta", "");
    if (kernel == "multiscatter")
      return add("scatter", composed(pattern("pattern"), pattern("pattern-scatter")), "delta", "");
    if (kernel == "gs" || kernel == "sg") {
      note("GS is timed as two calls, its gather and its scatter");
      add("gather", pattern("pattern-gather"), "delta-gather", "-gather");
      return add("scatter", pattern("pattern-scatter"), "delta-scatter", "-scatter");
    }
    reader_.fail_unknown(place("kernel"), "kernel", text("kernel", ""),
                         {"Gather", "Scatter", "GS", "MultiGather", "MultiScatter"});
  }

  const std::map<std::string, std::vector<Node>>& values() const { return values_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  spec::Position place(const char* key) const {
    const Node* node = one_->find(key);
    return node ? node->at : one_->at;
  }
  std::string text(const char* key, const char* otherwise) const {
    const Node* node = one_->find(key);
    return node && node->is_scalar() ? node->text : otherwise;
  }
  /// A non-negative number; Spatter uses negative ones for "not given".
  std::int64_t integer(const char* key, std::int64_t otherwise) {
    const Node* node = one_->find(key);
    if (!node) return otherwise;
    if (node->kind == Node::Kind::integer)
      return node->number.integer() < 0 ? otherwise : node->number.integer();
    reader_.fail(node->at, fmt::format("'{}' must be an integer", key));
    return otherwise;
  }
  void note(const char* sentence) {
    if (std::ranges::find(notes_, sentence) == notes_.end()) notes_.emplace_back(sentence);
  }

  /// A pattern's offsets, cut to pattern-size and taken modulo boundary. Empty after an error.
  Offsets pattern(const char* key) {
    const Node* node = one_->find(key);
    Offsets offsets;
    if (!node) {
      reader_.fail(one_->at, fmt::format("a kernel of this kind needs '{}'", key));
    } else if (node->kind == Node::Kind::list) {
      for (const Node& item : node->items) {
        if (item.kind == Node::Kind::integer && item.number.integer() >= 0)
          offsets.push_back(item.number.integer());
        else
          reader_.fail(item.at, "an offset must be a non-negative integer");
      }
      if (node->items.empty()) reader_.fail(node->at, "a pattern needs at least one offset");
    } else {
      std::string form = node->text;
      if (form.ends_with(":NR"))
        form.resize(form.size() - 3);  // "no reuse": older files have it, delta decides
      const auto parsed = parse_pattern(form);
      if (!parsed) reader_.fail(node->at, parsed.errors().front().what, parsed.errors().front().hint);
      if (parsed) offsets = *parsed;
    }
    const auto size = static_cast<std::size_t>(integer("pattern-size", 0));
    if (size > 0 && size < offsets.size()) offsets.resize(size);
    if (const std::int64_t boundary = integer("boundary", 0); boundary > 0)
      for (std::int64_t& offset : offsets) offset %= boundary;
    return offsets;
  }

  /// outer[inner[j]]
  Offsets composed(const Offsets& outer, const Offsets& inner) {
    Offsets offsets;
    for (const std::int64_t j : inner) {
      if (j < static_cast<std::int64_t>(outer.size())) {
        offsets.push_back(outer[static_cast<std::size_t>(j)]);
        continue;
      }
      reader_.fail(one_->at,
                   fmt::format("the inner pattern points to place {} of a pattern of {}", j, outer.size()));
      return {};
    }
    return offsets;
  }

  void add(const char* operation, const Offsets& offsets, const char* delta_key, const char* suffix) {
    if (offsets.empty()) return;
    const spec::Position at = one_->at;
    const bool laplacian = text("pattern", "").starts_with("LAPLACIAN");
    const std::int64_t delta = integer(delta_key, laplacian ? 1 : default_delta);
    const std::int64_t count = integer("count", default_count);
    const auto length = static_cast<std::int64_t>(offsets.size());
    if (count > spec::max_numel / length)
      return reader_.fail(place("count"), fmt::format("{} uses of {} offsets are too many", count, length));
    std::vector<Node> items;
    for (const std::int64_t offset : offsets) items.push_back(number(offset, at));
    const std::string name = text("name", "");
    const std::string id = fmt::format("{}{}{}", number_, suffix, name.empty() ? "" : "-" + id_word(name));
    values_[operation].push_back(map({{"name", word(id, at)},
                                      {"pattern", list(std::move(items), at)},
                                      {"delta", number(delta, at)},
                                      {"lookups", number(count * length, at)}},
                                     at));
  }

  Reader& reader_;
  const Node* one_ = nullptr;
  std::size_t number_ = 0;
  std::map<std::string, std::vector<Node>> values_;
  std::vector<std::string> notes_;
};

}  // namespace

spec::Result<ImportedRows> import_spatter(const std::string& path, const std::string& templates,
                                          const spec::SpecLibrary& specs) {
  // JSON is YAML, and this reader knows the place of everything.
  const auto file = spec::yaml::read_file(path);
  if (!file) return file.errors();
  const auto forms = spec::yaml::read_file(templates);
  if (!forms) return forms.errors();
  if (auto errors = spec::yaml::validate(*forms, "bench"); !errors.empty()) return errors;
  Reader reader(*file);
  if (file->root.kind != Node::Kind::list)
    return file->error(file->root.at, "a Spatter file must be an array of configurations");
  const std::string stem = id_word(std::filesystem::path(path).stem().string());
  Importer importer(reader);
  for (std::size_t i = 0; i < file->root.items.size(); ++i) importer.add(file->root.items[i], i);

  ImportedRows imported;
  imported.notes = importer.notes();
  for (const Node& form : forms->root.find("rows")->items) {
    const auto values = importer.values().find(form.find("operation")->text);
    if (values == importer.values().end()) continue;
    const Node instead =
        map({{"spatter", list(values->second, {})}, {"dtype", list({word("f64", {})}, {})}}, {});
    auto rows = read_template(reader, specs, stem, form, &instead);
    std::ranges::move(rows, std::back_inserter(imported.rows));
  }
  if (!reader.errors().empty()) return reader.errors();
  return imported;
}

}  // namespace scatterproof::runner::bench
