// SPDX-License-Identifier: Apache-2.0
#include "complaint.hpp"

#include <soci/soci.h>

#include <string_view>

namespace scatterproof::runner::history {
namespace {

constexpr std::string_view damaged = "database disk image is malformed";

struct Known {
  std::string_view words;  ///< in a message
  std::string_view means;
};

// SQLite's. PostgreSQL's are sentences.
constexpr Known known[] = {
    {damaged, "it is damaged"},
    {"file is not a database", "the file is not an SQLite database, or its first page is damaged"},
    {"readonly database", "it is read-only"},
    {"unable to open database file", "the file cannot be opened here"},
    {"database is locked", "another process has been writing it for a minute"},
    {"database or disk is full", "the disk is full"},
    {"disk I/O error", "the file cannot be read or written whole: the disk may be full or broken"},
    {"no such table", "its tables are not those of a history"},
    {"no such column", "its tables are not those of a history"},
};

std::string_view after(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  return at == text.npos ? text : text.substr(at + mark.size());
}

/// The message without what SOCI adds: the statement, the function that failed, and what PostgreSQL writes
/// below its sentence.
std::string message_of(const std::exception& thrown) {
  const auto* of_soci = dynamic_cast<const soci::soci_error*>(&thrown);
  return of_soci ? of_soci->get_error_message() : thrown.what();
}

std::string first_line(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
  text = text.substr(0, text.find('\n'));
  return std::string(text.substr(0, text.find_last_not_of(" .") + 1));
}

}  // namespace

std::string complaint_of(const std::exception& thrown) {
  const std::string message = message_of(thrown);
  for (const auto& [words, means] : known)
    if (message.find(words) != message.npos) return std::string(means);
  std::string_view rest = message;
  for (const std::string_view mark :
       {"Cannot establish connection to the database.", "Cannot execute query.", "Cannot prepare statement.",
        "ERROR:", "FATAL:", "sqlite3_statement_backend::prepare:", "sqlite3_statement_backend::loadOne:",
        "sqlite3_statement_backend::loadRS:"})
    rest = after(rest, mark);
  return first_line(rest);
}

bool is_about_damage(const std::exception& thrown) {
  return message_of(thrown).find(damaged) != std::string::npos;
}

}  // namespace scatterproof::runner::history
