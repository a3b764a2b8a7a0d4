// SPDX-License-Identifier: Apache-2.0
// Pieces of pages.
#pragma once

#include <string>
#include <utility>

#include "scatterproof/reports/site.hpp"

namespace scatterproof::runner::site {

using Look = reports::SiteSpan::Look;
using reports::SiteLine;
using reports::SiteSpan;

inline SiteSpan plain(std::string text) { return {.text = std::move(text)}; }
inline SiteSpan code(std::string text, std::string link = {}) {
  return {.text = std::move(text), .link = std::move(link), .look = Look::code};
}
inline SiteSpan link(std::string text, std::string to) {
  return {.text = std::move(text), .link = std::move(to)};
}
inline SiteSpan shown(Look look, std::string text) { return {.text = std::move(text), .look = look}; }

inline reports::SiteBlock heading(int level, std::string id, std::string text) {
  return reports::SiteHeading{.level = level, .id = std::move(id), .text = std::move(text)};
}
inline reports::SiteBlock paragraph(SiteLine line) { return reports::SiteParagraph{std::move(line)}; }

/// Puts spans between the items of a list of lines.
inline void append(SiteLine& line, SiteLine more) {
  for (SiteSpan& span : more) line.push_back(std::move(span));
}

}  // namespace scatterproof::runner::site
