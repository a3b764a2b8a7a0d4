// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/yaml/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace scatterproof::spec::yaml {
namespace {

constexpr std::string_view opening = "${";
constexpr std::string_view otherwise = "else";

/// The rows as written, and what is wrong with the file so far.
struct Table {
  struct Written {
    std::string api;
    Position at;
    Node values;  // of the columns; a map or nothing
  };
  const Document& document;
  std::vector<Written> rows;
  std::set<std::string, std::less<>> columns;
  std::set<std::string, std::less<>> used;
  Errors errors;

  void fail(Position at, std::string what, std::string hint = {}) {
    const auto same = [&](const Error& e) { return e.at == at && e.what == what; };
    if (std::ranges::none_of(errors, same))
      errors.push_back(document.error(at, std::move(what), std::move(hint)));
  }
};

Node text_node(const std::string& text, Position at) {
  Node node;
  node.kind = Node::Kind::string;
  node.at = at;
  node.text = text;
  return node;
}

/// The value of a row in a column, which the table has; nothing where the row leaves it out.
std::optional<Node> value_of(const Table::Written& row, std::string_view column) {
  if (column == "api") return text_node(row.api, row.at);
  const Node* value = row.values.find(column);
  if (!value) return std::nullopt;
  return *value;
}

void refuse_placeholders(Table& table, const Node& value) {
  if (value.text.find(opening) != std::string::npos)
    table.fail(value.at, "a value of the table is taken as it is: no ${column} in it");
  for (const Node& item : value.items) refuse_placeholders(table, item);
  for (const Member& member : value.members) refuse_placeholders(table, member.second);
}

void read_rows(Table& table, const Node& apis) {
  for (const Node& item : apis.items) table.rows.push_back({item.text, item.at, {}});
  for (std::size_t i = 0; i < apis.members.size(); ++i) {
    const auto& [api, values] = apis.members[i];
    table.rows.push_back({api, apis.key_positions[i], values});
    for (const Member& column : values.members) table.columns.insert(column.first);
    refuse_placeholders(table, values);
  }
  std::set<std::string> seen;
  for (const Table::Written& row : table.rows)
    if (!seen.insert(row.api).second) table.fail(row.at, fmt::format("'{}' is already in the list", row.api));
}

/// Writes the document of one row.
class Filling {
 public:
  Filling(Table& table, const Table::Written& row, TableLimits& left)
      : table_(table), row_(row), left_(left) {}

  /// Nothing: the value is left out for this row.
  std::optional<Node> fill(const Node& node) {
    if (!charge(1, node.text.size())) return std::nullopt;
    if (node.kind == Node::Kind::list) return list(node);
    if (node.kind == Node::Kind::map) return is_choice(node) ? choose(node) : map(node);
    if (node.text.find(opening) == std::string::npos) return node;
    if (const auto column = whole(node.text)) return known(*column, node.at) ? copy(*column) : std::nullopt;
    return text(node);
  }

 private:
  bool charge(std::size_t values, std::size_t bytes) {
    if (left_.values < values || left_.bytes < bytes) {
      left_ = {0, 0};
      table_.fail(table_.rows.front().at, "what all rows make of this file is too large", "split the file");
      return false;
    }
    left_.values -= values;
    left_.bytes -= bytes;
    return true;
  }

  /// The column of a text that is one placeholder and nothing else.
  static std::optional<std::string> whole(std::string_view text) {
    if (!text.starts_with(opening) || text.find('}') != text.size() - 1) return std::nullopt;
    return std::string(text.substr(opening.size(), text.size() - opening.size() - 1));
  }

  static bool is_choice(const Node& node) { return node.members.size() == 1 && whole(node.members[0].first); }

  bool known(const std::string& column, Position at) {
    table_.used.insert(column);
    if (column == "api" || table_.columns.contains(column)) return true;
    const std::vector<std::string> columns(table_.columns.begin(), table_.columns.end());
    table_.fail(at, fmt::format("the table has no column '{}'", column), did_you_mean(column, columns));
    return false;
  }

  /// Filled as well, so that it counts; a row's value has no placeholders.
  std::optional<Node> copy(const std::string& column) {
    const auto value = value_of(row_, column);
    return value ? fill(*value) : std::nullopt;
  }

  /// A text with placeholders in it, or with several.
  std::optional<Node> text(const Node& node) {
    Node made = node;
    made.text.clear();
    std::string_view rest = node.text;
    for (std::size_t at = 0; (at = rest.find(opening)) != std::string_view::npos;) {
      const std::size_t end = rest.find('}', at);
      if (end == std::string_view::npos) {
        table_.fail(node.at, "a '${' has no matching '}'");
        return std::nullopt;
      }
      made.text += rest.substr(0, at);
      if (!append(made, std::string(rest.substr(at + opening.size(), end - at - opening.size()))))
        return std::nullopt;
      rest.remove_prefix(end + 1);
    }
    made.text += rest;
    return made;
  }

  bool append(Node& made, const std::string& column) {
    if (!known(column, made.at)) return false;
    const auto value = value_of(row_, column);
    if (value && value->is_scalar()) {
      made.text += value->text;
      return charge(0, value->text.size());
    }
    if (value)
      table_.fail(
          value->at,
          fmt::format("column '{}' stands inside a text: its value must be one word or number", column));
    else
      table_.fail(row_.at, fmt::format("the row of {} has no '{}'", row_.api, column),
                  fmt::format("the text at line {} needs it", made.at.line));
    return false;
  }

  std::optional<Node> list(const Node& node) {
    Node made = node;
    made.items.clear();
    for (const Node& item : node.items) {
      const bool is_placeholder = whole(item.text) || is_choice(item);
      auto filled = fill(item);
      if (!filled) continue;
      if (is_placeholder && filled->kind == Node::Kind::list)
        std::ranges::move(filled->items, std::back_inserter(made.items));
      else
        made.items.push_back(std::move(*filled));
    }
    return made;
  }

  std::optional<Node> map(const Node& node) {
    Node made = node;
    made.members.clear();
    made.key_positions.clear();
    for (std::size_t i = 0; i < node.members.size(); ++i) {
      const auto& [key, value] = node.members[i];
      if (key.find(opening) != std::string::npos)
        table_.fail(node.key_positions[i], "a key with a ${column} stands alone in its map",
                    "then it chooses one of the values below it");
      auto filled = fill(value);
      if (!filled) continue;
      made.members.push_back({key, std::move(*filled)});
      made.key_positions.push_back(node.key_positions[i]);
    }
    return made;
  }

  /// `${column}: {word: value, ..., else: value}`.
  std::optional<Node> choose(const Node& node) {
    const std::string column = *whole(node.members[0].first);
    const Node& choices = node.members[0].second;
    if (!known(column, node.key_positions[0])) return std::nullopt;
    if (choices.kind != Node::Kind::map) {
      table_.fail(choices.at, fmt::format("below ${{{}}} stands a value for each of its words", column));
      return std::nullopt;
    }
    check_words(column, choices);
    const auto word = value_of(row_, column);
    const Node* chosen = word && word->is_scalar() ? choices.find(word->text) : nullptr;
    if (!chosen) chosen = choices.find(otherwise);
    return chosen ? fill(*chosen) : std::nullopt;
  }

  void check_words(const std::string& column, const Node& choices) {
    std::vector<std::string> words;
    for (const Table::Written& row : table_.rows)
      if (const auto value = value_of(row, column)) words.push_back(value->text);
    for (std::size_t i = 0; i < choices.members.size(); ++i) {
      const std::string& word = choices.members[i].first;
      if (word == otherwise || std::ranges::find(words, word) != words.end()) continue;
      table_.fail(choices.key_positions[i], fmt::format("no row has '{}' in column '{}'", word, column),
                  did_you_mean(word, words));
    }
  }

  Table& table_;
  const Table::Written& row_;
  TableLimits& left_;
};

/// What the file says under `columns:`, as further columns of each row. A later one may use an earlier one.
void add_columns(Table& table, const Node& columns, TableLimits& left) {
  for (std::size_t i = 0; i < columns.members.size(); ++i) {
    const std::string& name = columns.members[i].first;
    if (!table.columns.insert(name).second)
      table.fail(columns.key_positions[i], fmt::format("the table has a column '{}' already", name));
    for (Table::Written& row : table.rows) {
      auto value = Filling(table, row, left).fill(columns.members[i].second);
      if (!value) continue;
      row.values.members.push_back({name, std::move(*value)});
      row.values.key_positions.push_back(columns.key_positions[i]);
    }
  }
}

/// The rest of the file, which is filled.
Node without_table(const Node& root) {
  Node rest = root;
  for (std::size_t i = rest.members.size(); i-- > 0;) {
    if (rest.members[i].first != "apis" && rest.members[i].first != "columns") continue;
    rest.members.erase(rest.members.begin() + static_cast<std::ptrdiff_t>(i));
    rest.key_positions.erase(rest.key_positions.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return rest;
}

void check_use(Table& table, const Node& row) {
  for (std::size_t i = 0; i < row.members.size(); ++i)
    if (const std::string& column = row.members[i].first; table.used.insert(column).second)
      table.fail(row.key_positions[i], fmt::format("nothing in the file names the column '{}'", column));
}

/// The document of a row; an `api:` as if it had been written out.
TableRow filled(Table& table, const Table::Written& row, const Node& rest, TableLimits& left) {
  Node root = Filling(table, row, left).fill(rest).value_or(Node{});
  root.members.insert(root.members.begin(), {"api", text_node(row.api, row.at)});
  root.key_positions.insert(root.key_positions.begin(), row.at);
  return {row.api, row.at, row.values, {table.document.file, table.document.text, std::move(root)}};
}

}  // namespace

Result<std::vector<TableRow>> rows_of(const Document& document, const Node* named,
                                      const TableLimits& limits) {
  const Node* written = document.root.find("apis");
  if (!written) return std::vector<TableRow>{{{}, document.root.at, {}, document}};
  if (Errors errors = validate(document, "table"); !errors.empty()) return errors;
  if (written->is_scalar() && !named)
    return document.error(written->at, "only a case file names its APIs by a spec file", "write the table");
  Table table{document, {}, {}, {}, {}};
  read_rows(table, named ? *named : *written);
  TableLimits left = limits;
  const Node* columns = document.root.find("columns");
  if (columns) add_columns(table, *columns, left);
  const Node rest = without_table(document.root);
  std::vector<TableRow> rows;
  for (const Table::Written& row : table.rows) rows.push_back(filled(table, row, rest, left));
  if (columns) check_use(table, *columns);
  if (!named)
    for (const Member& row : written->members) check_use(table, row.second);
  if (!table.errors.empty()) return std::move(table.errors);
  return rows;
}

Errors join_errors(const std::vector<TableRow>& rows, const std::vector<Errors>& errors) {
  const auto same = [](const Error& a) {
    return [&a](const Error& b) { return a.at == b.at && a.what == b.what && a.hint == b.hint; };
  };
  Errors joined;
  for (std::size_t i = 0; i < errors.size(); ++i)
    for (const Error& one : errors[i]) {
      const bool everywhere = std::ranges::all_of(
          errors, [&](const Errors& others) { return std::ranges::any_of(others, same(one)); });
      Error error = one;
      if (!everywhere)
        error.what += fmt::format(" (in the row of {}, line {})", rows[i].api, rows[i].at.line);
      if (std::ranges::none_of(joined, same(error))) joined.push_back(std::move(error));
    }
  return joined;
}

}  // namespace scatterproof::spec::yaml
