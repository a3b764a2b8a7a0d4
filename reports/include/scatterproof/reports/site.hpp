// SPDX-License-Identifier: Apache-2.0
// Pages of a site as plain data: text, links and tables, without markup. Only the writer makes markup, so
// nothing that a document, an engine or a stream says can become any.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::reports {

/// A piece of a line. A link is relative to the page, or begins with `https://` or `http://`; any other link
/// is shown as text.
struct SiteSpan {
  enum class Look { plain, code, strong, quiet, good, bad, unsure };
  std::string text;
  std::string link = {};
  Look look = Look::plain;
  std::string id = {};  ///< of code: links may lead there; may be empty

  bool operator==(const SiteSpan&) const = default;
};
using SiteLine = std::vector<SiteSpan>;

struct SiteHeading {
  int level = 2;
  std::string id;
  std::string text;
};
struct SiteParagraph {
  SiteLine line;
};
struct SiteList {
  std::vector<SiteLine> items;
  bool searched = false;  ///< the search of the page hides items without the words
};
struct SiteRow {
  std::string id;  ///< may be empty
  std::vector<SiteLine> cells;
  /// How many rows the cells after the first count for. The others of these rows have their first cell alone.
  std::size_t rows = 1;

  bool operator==(const SiteRow&) const = default;
};
/// The first cell of each row is its head.
struct SiteTable {
  std::string label;
  std::vector<std::string> heads;
  std::vector<SiteRow> rows;
};
/// Text as it is, to copy.
struct SiteCode {
  std::string text;
};
/// A heading with the search field of the page, which scripts show.
struct SiteSearch {
  std::string label;
};
struct SiteFold;
using SiteBlock =
    std::variant<SiteHeading, SiteParagraph, SiteList, SiteTable, SiteCode, SiteSearch, SiteFold>;
/// Folded until it is opened, or until its id is in the address.
struct SiteFold {
  std::string id;
  SiteLine title;
  std::vector<SiteBlock> blocks;
};

struct SitePage {
  std::string file;
  std::string title;
  SiteLine trail = {};  ///< the pages above it
  SiteLine lead = {};   ///< below the title
  std::vector<SiteBlock> blocks = {};
};

/// What all pages of a site have: who made it and when; and the entry page, from what.
struct SiteFrame {
  std::string tool_version;
  std::string made;   ///< a sentence, which on other pages is a link to the entry page
  std::string from;   ///< another, on the entry page alone
  std::string entry;  ///< the file of that page
  SiteLine pages;     ///< in the navigation
};

/// Writes pages and what they share into a folder. Nothing asks another server for anything.
class SiteWriter {
 public:
  SiteWriter(Folder& folder, SiteFrame frame);
  void write(const SitePage& page);

 private:
  std::string made_of(const SitePage& page) const;

  Folder& folder_;
  SiteFrame frame_;
};

/// A name as part of a file's name, and as an id on a page.
std::string site_file(const std::string& name);
std::string site_id(const std::string& name);

}  // namespace scatterproof::reports
