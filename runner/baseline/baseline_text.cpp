// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/baseline/baseline_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scatterproof/spec/yaml/quoted.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner {
namespace {

using Lines = std::vector<std::string>;  ///< each with its newline, but perhaps the last

constexpr std::size_t usual_indent = 2;

Lines lines_of(const std::string& text) {
  Lines lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

char first_character(const std::string& line) {
  const std::size_t at = line.find_first_not_of(" \r\n");
  return at == std::string::npos ? '#' : line[at];
}

bool is_blank_or_comment(const std::string& line) { return first_character(line) == '#'; }

/// A baseline file that was read, and where its list is.
struct Read {
  spec::yaml::Document document;
  Lines lines;

  const spec::yaml::Node& list() const { return *document.root.find("baseline"); }

  /// The index of the line with an entry's dash: that of its first field, or one above it.
  std::size_t dash_of(const spec::yaml::Node& entry) const {
    auto at = static_cast<std::size_t>(entry.at.line) - 1;
    while (at > 0 && first_character(lines[at]) != '-') --at;
    return at;
  }
};

spec::Result<Read> read(const std::string& path, const std::string& text) {
  auto document = spec::yaml::read_text(path, text);
  if (!document) return document.errors();
  if (spec::Errors errors = spec::yaml::validate(*document, "baseline"); !errors.empty()) return errors;
  return Read{std::move(document).value(), lines_of(text)};
}

spec::Result<Read> read_editable(const std::string& path, const std::string& text) {
  auto file = read(path, text);
  if (!file) return file.errors();
  const spec::yaml::Node& list = file->list();
  const std::string& line = file->lines[static_cast<std::size_t>(list.at.line) - 1];
  if (!list.items.empty() && line.compare(static_cast<std::size_t>(list.at.column) - 1, 1, "[") == 0)
    return file->document.error(list.at, "the list is written in brackets",
                                "write each entry on lines of its own, after a dash");
  return file;
}

/// The text, if it is a baseline with this number of entries: a file that cannot be read would stop every
/// later run.
spec::Result<std::string> with_so_many(const std::string& path, std::string text, std::size_t entries) {
  const auto again = read(path, text);
  if (again && again->list().items.size() == entries) return text;
  return spec::Error{
      .file = path,
      .what = "the entries of this file cannot be changed by a program",
      .hint = "change them by hand, or write one entry a list item, and nothing after the list"};
}

std::string to_yaml(const BaselineEntry& entry, std::size_t indent) {
  std::string text;
  const auto pad = std::string(indent, ' ');
  std::vector<std::string> verdicts, diagnoses;
  for (const spec::Verdict verdict : entry.verdicts) verdicts.emplace_back(name(verdict));
  for (const std::string& glob : entry.diagnosis_globs) diagnoses.push_back(spec::yaml::quoted(glob));
  const auto one_or_list = [](const std::vector<std::string>& all) {
    return all.size() == 1 ? all.front() : all.empty() ? "" : fmt::format("[{}]", fmt::join(all, ", "));
  };
  std::string cases = entry.cases.size() == 1 ? spec::yaml::quoted(entry.cases.front().glob) : "";
  if (cases.empty())
    for (const CaseGlob& one : entry.cases)
      cases += fmt::format("\n{}    - {}", pad, spec::yaml::quoted(one.glob));
  const auto quoted_or_none = [](const std::string& glob) {
    return glob.empty() ? "" : spec::yaml::quoted(glob);
  };
  const std::pair<const char*, std::string> fields[] = {{"case", cases},
                                                        {"operation", quoted_or_none(entry.operation_glob)},
                                                        {"engine", spec::yaml::quoted(entry.engine_glob)},
                                                        {"verdict", one_or_list(verdicts)},
                                                        {"diagnosis", one_or_list(diagnoses)},
                                                        {"message", quoted_or_none(entry.message_glob)},
                                                        {"call", quoted_or_none(entry.call_glob)},
                                                        {"reason", spec::yaml::quoted(entry.reason)},
                                                        {"since", entry.since}};
  for (const auto& [key, value] : fields)
    if (!value.empty())
      text += fmt::format("{}{}{}:{}{}\n", pad, text.empty() ? "- " : "  ", key,
                          value.starts_with('\n') ? "" : " ", value);
  return text;
}

}  // namespace

spec::Result<std::string> with_entries(const std::string& path, const std::string& text,
                                       const std::vector<BaselineEntry>& entries) {
  const std::string begun = text.empty() ? "# Expected failures.\nbaseline: []\n" : text;
  auto editable = read_editable(path, begun);
  if (!editable) return editable.errors();
  Read file = std::move(editable).value();
  const spec::yaml::Node& list = file.list();
  std::size_t indent = usual_indent;
  if (list.items.empty()) {  // `[]`, perhaps with spaces, becomes nothing
    std::string& line = file.lines[static_cast<std::size_t>(list.at.line) - 1];
    const auto open = static_cast<std::size_t>(list.at.column) - 1;
    const std::size_t close = line.find(']', open);
    if (close != std::string::npos) line.erase(open, close + 1 - open);
    while (!line.empty() && line.ends_with(" \n")) line.erase(line.size() - 2, 1);
  } else {
    indent = file.lines[file.dash_of(list.items.back())].find('-');
  }
  std::string made;
  for (const std::string& line : file.lines) made += line;
  if (!made.ends_with('\n')) made += '\n';
  for (const BaselineEntry& entry : entries) made += to_yaml(entry, indent);
  return with_so_many(path, std::move(made), list.items.size() + entries.size());
}

spec::Result<std::string> without_entries(const std::string& path, const std::string& text,
                                          const std::set<int>& lines) {
  auto editable = read_editable(path, text);
  if (!editable) return editable.errors();
  Read file = std::move(editable).value();
  const std::vector<spec::yaml::Node>& entries = file.list().items;
  std::size_t left = entries.size();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!lines.contains(entries[i].at.line)) {
      for (const spec::yaml::Node& one : entries[i].find("case")->items)
        if (lines.contains(one.at.line)) file.lines[static_cast<std::size_t>(one.at.line) - 1].clear();
      continue;
    }
    --left;
    const std::size_t begin = file.dash_of(entries[i]);
    std::size_t end = i + 1 < entries.size() ? file.dash_of(entries[i + 1]) : file.lines.size();
    while (end > begin + 1 && is_blank_or_comment(file.lines[end - 1])) --end;
    for (std::size_t at = begin; at < end; ++at) file.lines[at].clear();
  }
  if (left == 0 && !entries.empty()) {
    std::string& key =
        file.lines[static_cast<std::size_t>(file.document.root.key_positions.front().line) - 1];
    key.insert(key.find(':') + 1, " []");
  }
  std::string made;
  for (const std::string& line : file.lines) made += line;
  return with_so_many(path, std::move(made), left);
}

}  // namespace scatterproof::runner
