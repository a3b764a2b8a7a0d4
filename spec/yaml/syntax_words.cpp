// SPDX-License-Identifier: Apache-2.0
#include "syntax_words.hpp"

#include <yaml-cpp/exceptions.h>

#include <string_view>
#include <vector>

namespace scatterproof::spec::yaml {
namespace {

namespace theirs = YAML::ErrorMsg;

struct Translation {
  std::string_view message;  // a prefix: some messages end with the offending character
  const char* what;
  const char* hint;
  bool names_opening = false;
};

const std::vector<Translation>& translations() {
  static const std::vector<Translation> all = {
      {theirs::END_OF_MAP_FLOW, "the map opened with '{' is not closed here: ',' or '}' is missing", "",
       true},
      {theirs::END_OF_SEQ_FLOW, "the list opened with '[' is not closed here: ',' or ']' is missing", "",
       true},
      {theirs::END_OF_MAP, "this does not continue the map above it",
       "check the indentation, and that each key has a ': '", true},
      {theirs::END_OF_SEQ, "this does not continue the list above it",
       "check the indentation, and that each item has a '- '", true},
      {theirs::FLOW_END, "unmatched closing bracket", ""},
      {theirs::EOF_IN_SCALAR, "a quote is opened and never closed", "add the closing quote"},
      {theirs::DOC_IN_SCALAR, "a document marker (--- or ...) inside a quoted text", "add the closing quote"},
      {theirs::CHAR_IN_SCALAR, "a line of a quoted text is indented too little",
       "indent it, or close the quote"},
      {theirs::MAP_VALUE, "unexpected ':'",
       "put the value in quotes if it contains ': ', and check the indentation"},
      {theirs::MAP_KEY, "a key is not allowed here", "check the indentation"},
      {theirs::BLOCK_ENTRY, "'- ' is not allowed here", "begin the list on a line of its own"},
      {theirs::UNKNOWN_TOKEN, "a value cannot begin with this character", "put it in quotes"},
      {theirs::TAB_IN_INDENTATION, "a tab is used as indentation", "indent with spaces"},
      {theirs::INVALID_ESCAPE, "unknown escape in a quoted text",
       "use single quotes, or write \\\\ for a backslash"},
      {theirs::INVALID_HEX, "a \\x, \\u or \\U escape with a character that is not a hexadecimal digit", ""},
      {theirs::INVALID_UNICODE, "a \\u or \\U escape is not a valid character", ""},
      {theirs::CHAR_IN_BLOCK, "unexpected text after '|' or '>'", "begin the text on the next line"},
      {theirs::ZERO_INDENT_IN_BLOCK, "a block text cannot have indentation 0", ""},
      {theirs::UNKNOWN_ANCHOR, "aliases (*name) are not used in these files",
       "put it in quotes if it is a string"},
      {theirs::ALIAS_NOT_FOUND, "aliases (*name) are not used in these files",
       "put it in quotes if it is a string"},
      {theirs::CHAR_IN_ALIAS, "aliases (*name) are not used in these files",
       "put it in quotes if it is a string"},
      {theirs::ALIAS_CONTENT, "aliases (*name) are not used in these files", "write the value out"},
      {theirs::MULTIPLE_ALIASES, "aliases (*name) are not used in these files", "write the value out"},
      {theirs::ANCHOR_NOT_FOUND, "anchors (&name) are not used in these files",
       "put it in quotes if it is a string"},
      {theirs::CHAR_IN_ANCHOR, "anchors (&name) are not used in these files",
       "put it in quotes if it is a string"},
      {theirs::MULTIPLE_ANCHORS, "anchors (&name) are not used in these files", "write the value out"},
      {theirs::MULTIPLE_TAGS, "tags (!name) are not used in these files", "leave the tag out"},
      {theirs::CHAR_IN_TAG_HANDLE, "tags (!name) are not used in these files",
       "put it in quotes if it is a string"},
      {theirs::TAG_WITH_NO_SUFFIX, "tags (!name) are not used in these files",
       "put it in quotes if it is a string"},
      {theirs::END_OF_VERBATIM_TAG, "tags (!name) are not used in these files",
       "put it in quotes if it is a string"},
      {theirs::BAD_FILE, "lists and maps are nested too deep", ""},
  };
  return all;
}

}  // namespace

SyntaxWords syntax_words(const std::string& yaml_cpp_message) {
  for (const Translation& one : translations())
    if (yaml_cpp_message.starts_with(one.message)) return {one.what, one.hint, one.names_opening};
  return {"invalid YAML: " + yaml_cpp_message, "", false};
}

}  // namespace scatterproof::spec::yaml
