// SPDX-License-Identifier: Apache-2.0
// `from: {document, section, clause}`, or a list of these: where a spec or a case says that documents say so.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "scatterproof/spec/opspec/reader.hpp"

namespace scatterproof::spec {
namespace {

using yaml::Node;

/// `12,40 Note that input#3f9a2c1b`. The schema has checked the form.
Anchor read_anchor(const Node& node) {
  Anchor anchor{.numbers = {}, .words = {}, .fingerprint = {}, .at = node.at};
  const std::string& text = node.text;
  const std::size_t blank = std::min(text.find(' '), text.size());
  const std::size_t mark = std::max(std::min(text.rfind('#'), text.size()), blank);
  const char* at = text.data();
  for (const char* end = at + blank; at < end; ++at) {
    int number = 0;
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc{}) break;
    anchor.numbers.push_back(number);
    at = read.ptr;
  }
  if (blank < mark) anchor.words = text.substr(blank + 1, mark - blank - 1);
  if (mark < text.size()) anchor.fingerprint = text.substr(mark + 1);
  return anchor;
}

void read_anchors(Reader& reader, const Node& clauses, const DocumentRef& document, Source& source) {
  if (document.text_name().empty())
    return reader.fail(clauses.at, fmt::format("document '{}' has no text", document.id),
                       "add `text: NAME`, or `page: NAME`, and `release:` to its entry under 'documents'");
  for (const Node& item : clauses.items) source.clauses.push_back(read_anchor(item));
}

Source read_one(Reader& reader, const Node& from, const OpSpec& spec, std::string_view whose) {
  Source source{.document = reader.text(from, "document"), .section = reader.text(from, "section")};
  if (const Node* promises = from.find("promises_error"))
    source.promises_error = promises->number.integer() != 0;
  const DocumentRef* document = spec.document(source.document);
  if (!document) {
    std::vector<std::string> known;
    for (const DocumentRef& one : spec.documents) known.push_back(one.id);
    const Node* named = from.find("document");
    reader.fail_unknown(named ? named->at : from.at, fmt::format("document{}", whose), source.document,
                        known);
  } else if (const Node* clauses = from.find("clause")) {
    read_anchors(reader, *clauses, *document, source);
  }
  return source;
}

}  // namespace

std::string to_string(const Anchor& anchor) {
  return fmt::format("{} {}#{}", fmt::join(anchor.numbers, ","), anchor.words, anchor.fingerprint);
}

Source read_source(Reader& reader, const yaml::Node& map, const OpSpec& spec, std::string_view whose) {
  const Node* from = map.find("from");
  if (!from) return {};
  if (from->kind != Node::Kind::list) return read_one(reader, *from, spec, whose);
  std::vector<Source> sources;
  for (const Node& item : from->items) sources.push_back(read_one(reader, item, spec, whose));
  Source first = sources.empty() ? Source{} : std::move(sources.front());
  for (std::size_t i = 1; i < sources.size(); ++i) first.also.push_back(std::move(sources[i]));
  return first;
}

}  // namespace scatterproof::spec
