// SPDX-License-Identifier: Apache-2.0
// HTML, read as strictly as the reports write it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace scatterproof::reports {

/// What a page is made of, read as strictly as the pages are written.
struct ParsedPage {
  std::map<std::string, std::size_t> elements;
  std::set<std::string> ids;
  std::vector<std::string> links;
  std::string text;
};

inline ParsedPage parse_page(const std::string& html) {
  static const std::set<std::string> empty = {"meta", "link", "input", "wbr", "br"};
  static const std::regex attribute("\\s+([a-zA-Z0-9-]+)(?:=\"([^\"<>]*)\")?");
  ParsedPage page;
  std::vector<std::string> open;
  // Rows and cells may lack their end tags: the next one, or the end of the table's body, ends them.
  const auto end_of_cell = [&] {
    if (!open.empty() && (open.back() == "td" || open.back() == "th")) open.pop_back();
  };
  const auto end_of_row = [&] {
    end_of_cell();
    if (!open.empty() && open.back() == "tr") open.pop_back();
  };
  for (std::size_t at = std::string("<!DOCTYPE html>").size(); at < html.size();) {
    if (html[at] != '<') {
      const std::size_t end = std::min(html.find('<', at), html.size());
      const std::string text = html.substr(at, end - at);
      EXPECT_EQ(text.find('>'), std::string::npos) << text.substr(0, 100);
      page.text += text;
      at = end;
      continue;
    }
    const std::size_t end = html.find('>', at);
    EXPECT_NE(end, std::string::npos);
    const std::string tag = html.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag.starts_with('/')) {
      if (tag == "/tr") end_of_cell();
      if (tag == "/tbody") end_of_row();
      EXPECT_FALSE(open.empty());
      if (open.empty()) return page;
      EXPECT_EQ(open.back(), tag.substr(1)) << html.substr(at > 200 ? at - 200 : 0, 220);
      open.pop_back();
      continue;
    }
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (name == "td" || name == "th") end_of_cell();
    if (name == "tr") end_of_row();
    ++page.elements[name];
    const std::string rest = tag.substr(name.size());
    std::size_t read = 0;
    for (std::sregex_iterator one(rest.begin(), rest.end(), attribute), none; one != none; ++one) {
      read += static_cast<std::size_t>(one->length());
      if ((*one)[1] == "id") {
        EXPECT_TRUE(page.ids.insert((*one)[2]).second) << "twice: " << (*one)[2];
      }
      if ((*one)[1] == "href") page.links.push_back((*one)[2]);
      EXPECT_FALSE((*one)[1].str().starts_with("on")) << tag;
      EXPECT_NE((*one)[1], "style");
      EXPECT_NE((*one)[1], "src");
    }
    EXPECT_EQ(read, rest.size()) << tag.substr(0, 200);
    if (name == "script" || name == "style") {
      at = html.find("</" + name + ">", at);
      EXPECT_NE(at, std::string::npos);
    }
    if (!empty.contains(name)) open.push_back(name);
  }
  EXPECT_EQ(open.size(), 0U);
  return page;
}

/// One heading, one script, one style; no image; every link leads somewhere on the page.
inline void expect_sound(const std::string& html) {
  const ParsedPage page = parse_page(html);
  EXPECT_EQ(page.elements.at("h1"), 1U);
  EXPECT_EQ(page.elements.at("script"), 1U);
  EXPECT_EQ(page.elements.at("style"), 1U);
  EXPECT_FALSE(page.elements.contains("img"));
  EXPECT_EQ(page.text.find("\xe2\x80\xae"), std::string::npos) << "nothing turns the direction of text";
  for (const std::string& link : page.links) {
    EXPECT_TRUE(link.starts_with('#')) << link;
    EXPECT_TRUE(page.ids.contains(link.substr(1))) << link;
  }
}

}  // namespace scatterproof::reports
