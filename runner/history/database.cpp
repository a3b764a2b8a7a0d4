// SPDX-License-Identifier: Apache-2.0
#include "database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "../state.hpp"
#include "schema.hpp"

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

Database::Database(const std::string& place) : place_(place), server_(is_url(place)) {
  if (server_) {
    open_with(session, "postgresql", SCATTERPROOF_SOCI_POSTGRESQL, place);
    return;
  }
  // Words with '=' are options to SOCI.
  open_with(session, "sqlite3", SCATTERPROOF_SOCI_SQLITE3,
            place.find('=') == std::string::npos ? place : "dbname=\"" + place + '"');
  session << "PRAGMA busy_timeout = 60000";
  session << "PRAGMA journal_mode = WAL";
  session << "PRAGMA synchronous = NORMAL";
}

spec::Error Database::error(const std::string& what) const {
  return {.file = shown(place_), .what = "the history cannot be used: " + what.substr(0, what.find('\n'))};
}

bool Database::migrate() {
  if (version() == static_cast<int>(migrations().size())) return true;  // nobody has to wait
  return alone([&] {
    session << "CREATE TABLE IF NOT EXISTS history_schema (version INTEGER NOT NULL PRIMARY KEY)";
    int version = 0;
    session << "SELECT COALESCE(MAX(version), 0) FROM history_schema", into(version);
    const auto steps = migrations();
    if (version > static_cast<int>(steps.size())) return false;
    for (auto at = static_cast<std::size_t>(version); at < steps.size(); ++at) {
      for (const std::string_view statement : steps[at]) session << std::string(statement);
      const int reached = static_cast<int>(at) + 1;
      session << "INSERT INTO history_schema (version) VALUES (:v)", use(reached);
    }
    return true;
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

int Database::version() {
  try {
    int version = 0;
    session << "SELECT COALESCE(MAX(version), 0) FROM history_schema", into(version);
    return version;
  } catch (const soci::soci_error&) {
    return 0;
  }
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
