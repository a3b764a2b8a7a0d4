// SPDX-License-Identifier: Apache-2.0
#include "database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "scatterproof/runner/files/state.hpp"
#include "schema.hpp"
#include "sqlite_file.hpp"

namespace scatterproof::runner::history {
namespace {

using soci::into;
using soci::use;

/// Loads the backend, the first time it is wanted.
void load_backend(const std::string& backend, const std::string& object) {
  const std::vector<std::string> loaded = soci::dynamic_backends::list_all();
  if (std::ranges::find(loaded, backend) == loaded.end())
    soci::dynamic_backends::register_backend(backend, object);
}

void open_with(soci::session& session, const std::string& backend, const std::string& object,
               const std::string& place) {
  load_backend(backend, object);
  session.open(backend, place);
}

}  // namespace

bool is_url(const std::string& place) {
  return place.starts_with("postgresql://") || place.starts_with("postgres://");
}

Database::Database(const std::string& place, Purpose purpose) : place_(place), server_(is_url(place)) {
  if (server_) {
    open_with(session, "postgresql", SCATTERPROOF_SOCI_POSTGRESQL, place);
    return;
  }
  open_with(session, "sqlite3", SCATTERPROOF_SOCI_SQLITE3,
            purpose == Purpose::write  ? opened_to_write(place)
            : purpose == Purpose::read ? opened_to_read(place)
                                       : opened_to_look(place));
  session << "PRAGMA busy_timeout = 60000";
  if (purpose != Purpose::write) return;
  session << "PRAGMA journal_mode = WAL";
  session << "PRAGMA synchronous = NORMAL";
}

spec::Error Database::error(const std::exception& thrown) {
  if (is_about_damage(thrown)) return damage("");
  return {.file = shown(place_), .what = "the history cannot be used: " + complaint_of(thrown)};
}

spec::Error Database::damage(const std::string& what) {
  return {.file = shown(place_),
          .what = fmt::format("the history is damaged{}{}{}", damaged_page(), what.empty() ? "" : ": ", what),
          .hint =
              "`scatterproof history export RUN` still writes the runs that lie elsewhere; `history add` "
              "puts them into another file"};
}

std::string Database::damaged_page() try {
  if (server_) return "";
  std::string found;  // `Page 32: ...`, `Tree 3 page 32 cell 1: ...`
  session << "PRAGMA quick_check(1)", into(found);
  const auto at = std::min(found.find("Page "), found.find("page "));
  if (at == found.npos) return "";
  const auto begin = found.begin() + static_cast<std::ptrdiff_t>(at) + 5;
  const std::string number(
      begin, std::find_if_not(begin, found.end(), [](unsigned char c) { return std::isdigit(c); }));
  return number.empty() ? "" : fmt::format(" (page {} of the file)", number);
} catch (const soci::soci_error&) {
  return "";
}

std::set<std::string> Database::table_names() {
  std::set<std::string> names;
  std::string name;
  // A server's database may hold tables of many programs: there only those count that have a history's names.
  soci::statement rows =
      (session.prepare << (server_ ? "SELECT CAST(relname AS TEXT) FROM pg_catalog.pg_class"
                                     " WHERE relname IN ('history_schema', 'runs', 'calls')"
                                     " AND pg_catalog.pg_table_is_visible(oid)"
                                   : "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
                                     " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"),
       into(name));
  for (rows.execute(); rows.fetch();) names.insert(name);
  return names;
}

bool Database::has_columns(const std::string& table, std::string_view columns, int count) {
  const std::string from =
      server_ ? fmt::format(
                    "pg_catalog.pg_attribute WHERE attrelid = to_regclass('{}') AND NOT attisdropped"
                    " AND attname IN ({})",
                    table, columns)
              : fmt::format("pragma_table_info('{}') WHERE name IN ({})", table, columns);
  int there = 0;
  session << "SELECT COUNT(*) FROM " + from, into(there);
  return there == count;
}

Tables Database::tables() {
  const std::set<std::string> names = table_names();
  if (names.empty()) return {};
  if (!names.contains("history_schema") || !has_columns("history_schema", "'version'", 1))
    return {.version = 0, .stranger = *names.begin()};
  Tables found;
  session << "SELECT COALESCE(MAX(version), 0) FROM history_schema", into(found.version);
  if (found.version > static_cast<int>(migrations().size())) return found;
  if (!has_columns("runs", "'run', 'started', 'calls', 'header', 'trailer'", 5)) found.stranger = "runs";
  if (!has_columns("calls", "'run', 'place', 'id', 'engine', 'verdict', 'record'", 6))
    found.stranger = "calls";
  return found;
}

Tables Database::migrate() {
  const auto steps = migrations();
  const Tables seen = tables();
  if (!seen.stranger.empty() || seen.version >= static_cast<int>(steps.size()))
    return seen;  // other processes do not have to wait
  return alone([&] {
    const Tables found = tables();
    if (!found.stranger.empty()) return found;
    session << "CREATE TABLE IF NOT EXISTS history_schema (version INTEGER NOT NULL PRIMARY KEY)";
    for (auto at = static_cast<std::size_t>(found.version); at < steps.size(); ++at) {
      for (const std::string_view statement : steps[at]) session << std::string(statement);
      const int reached = static_cast<int>(at) + 1;
      session << "INSERT INTO history_schema (version) VALUES (:v)", use(reached);
    }
    return found;
  });
}

void Database::insert(const std::string& run, const std::vector<Bound>& rows) {
  std::string text =
      "INSERT INTO calls (run, place, id, api, engine, version, verdict, disposition, calls, record) "
      "VALUES ";
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += fmt::format("{}(:r{}, :p{}, :i{}, :a{}, :e{}, :v{}, :t{}, :d{}, :c{}, :l{})", i ? ", " : "", i, i,
                        i, i, i, i, i, i, i, i);
  soci::statement statement(session);
  for (const Bound& row : rows) {
    statement.exchange(use(run));
    statement.exchange(use(row.place));
    statement.exchange(use(row.id));
    statement.exchange(use(row.api));
    statement.exchange(use(row.engine));
    statement.exchange(use(row.version));
    statement.exchange(use(row.verdict));
    statement.exchange(use(row.disposition));
    statement.exchange(use(row.calls));
    statement.exchange(use(row.record));
  }
  statement.alloc();
  statement.prepare(text);
  statement.define_and_bind();
  statement.execute(true);
}

std::vector<std::pair<std::string, std::string>> backends() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [backend, object] : {std::pair("sqlite3", SCATTERPROOF_SOCI_SQLITE3),
                                        std::pair("postgresql", SCATTERPROOF_SOCI_POSTGRESQL)})
    try {
      load_backend(backend, object);
      all.emplace_back(backend, "");
    } catch (const std::exception& thrown) {
      all.emplace_back(backend, thrown.what());
    }
  return all;
}

std::string shown(const std::string& place) {
  const std::size_t at = place.rfind('@'), slashes = place.find("//");
  if (!is_url(place) || at == std::string::npos) return place;
  return place.substr(0, slashes + 2) + "..." + place.substr(at);
}

std::string usual_place() {
  if (const char* named = std::getenv("SCATTERPROOF_HISTORY"); named && *named) return named;
  const std::string folder = state_folder();
  return folder.empty() ? "" : folder + "/history.db";
}

bool may_exist(const std::string& place) { return is_url(place) || std::filesystem::exists(place); }

}  // namespace scatterproof::runner::history
