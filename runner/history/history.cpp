// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/history/history.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <stdexcept>

#include "complaint.hpp"
#include "database.hpp"
#include "scatterproof/runner/baseline/baseline_groups.hpp"
#include "scatterproof/spec/core/spool.hpp"
#include "scatterproof/spec/core/stable_hash.hpp"
#include "schema.hpp"
#include "sqlite_file.hpp"

namespace scatterproof::runner::history {
namespace {

namespace fs = std::filesystem;
using soci::into;
using soci::use;

constexpr std::size_t rows_at_once = 100;
constexpr double most_summed = 1e18;  ///< of counts that no stream may hold, which others have written

Bound bound_of(const spec::Record& record, std::size_t place) {
  return {static_cast<long long>(place),
          record.id,
          record.api,
          engine_of(record),
          record.version,
          std::string(name(record.verdict)),
          std::string(name(record.disposition)),
          static_cast<long long>(record.count),
          to_json_line(record)};
}

spec::Errors insert_records(Database& database, const std::string& id, const spec::StoredRun& run) {
  std::vector<Bound> rows;
  std::size_t place = 0;
  const auto insert = [&] {
    if (!rows.empty()) database.insert(id, rows);
    rows.clear();
  };
  spec::Errors errors = run.each([&](const spec::Record& record, std::uint64_t) {
    rows.push_back(bound_of(record, place++));
    if (rows.size() == rows_at_once) insert();
  });
  if (errors.empty()) insert();
  return errors;
}

/// The words were written by this program, but another one may have changed them.
template <class Value, class Parse>
Value read_word(const std::string& word, Parse parse) {
  const auto value = parse(word);
  if (!value) throw soci::soci_error(fmt::format("the table holds the unknown word '{}'", word));
  return *value;
}

spec::Error unusable(const std::string& place, const std::string& why) {
  return {.file = shown(place), .what = "the history cannot be opened: " + why};
}

spec::Error nothing_yet(const std::string& place) {
  return {.file = shown(place),
          .what = "there is no history yet",
          .hint = "`scatterproof history add STREAM` begins one"};
}

/// Why a history cannot be used, or made, where these tables are.
spec::Errors refusal(const std::string& place, const Tables& tables) {
  if (!tables.stranger.empty())
    return {{.file = shown(place),
             .what = fmt::format("this database is another program's, not a history of scatterproof: it has "
                                 "the table '{}'",
                                 tables.stranger),
             .hint = "name another one with --db; nothing in this one was changed"}};
  if (tables.version > static_cast<int>(migrations().size()))
    return {{.file = shown(place),
             .what = "a newer scatterproof wrote this history",
             .hint = "use that release, or another file"}};
  return {};
}

/// The same of a file, which is looked at before it is opened: opening alone can change a database.
spec::Errors refusal_of_file(const std::string& place) {
  std::error_code missing;
  if (is_url(place) || !fs::exists(place, missing)) return {};
  try {
    return refusal(place, Database(place, Purpose::look).tables());
  } catch (const soci::soci_error&) {
    return {};  // it may be in the middle of being written: that shows when it is opened
  }
}

/// Why this process cannot use the file, as far as the system says it; empty when it can.
std::string hindrance(const std::string& place, Purpose purpose) {
  std::error_code ignored;
  if (is_url(place) || !fs::exists(place, ignored)) return "";
  if (fs::is_directory(place, ignored)) return "this is a folder, not a file";
  if (access(place.c_str(), R_OK) != 0) return std::generic_category().message(errno);
  return purpose == Purpose::write && !is_writable(place) ? "it, or its folder, is read-only" : "";
}

/// What was thrown while it was opened, with the page that is damaged.
spec::Error not_opened(const std::string& place, const std::exception& thrown) try {
  if (is_about_damage(thrown) && !is_url(place)) return Database(place, Purpose::look).error(thrown);
  return unusable(place, complaint_of(thrown));
} catch (const soci::soci_error&) {
  return unusable(place, complaint_of(thrown));
}

/// What work opens for a purpose; what it throws becomes an error.
template <class Work>
spec::Result<History> opened(const std::string& place, Purpose purpose, const Work& work) {
  if (const std::string why = hindrance(place, purpose); !why.empty()) return unusable(place, why);
  try {
    if (spec::Errors errors = refusal_of_file(place); !errors.empty()) return errors;
    return work(std::make_unique<Database>(place, purpose));
  } catch (const std::exception& thrown) {
    return not_opened(place, thrown);
  }
}

}  // namespace

History::History(std::unique_ptr<Database> database) : database_(std::move(database)) {}
History::~History() = default;
History::History(History&&) noexcept = default;

spec::Result<History> History::open(const std::string& place) {
  std::error_code failed;
  if (!is_url(place))
    if (const auto folder = fs::path(place).parent_path(); !folder.empty())
      fs::create_directories(folder, failed);
  if (failed) return unusable(place, "its folder cannot be made: " + failed.message());
  return opened(place, Purpose::write, [&](std::unique_ptr<Database> database) -> spec::Result<History> {
    if (spec::Errors errors = refusal(place, database->migrate()); !errors.empty()) return errors;
    return History(std::move(database));
  });
}

spec::Result<History> History::open_existing(const std::string& place, Use use) {
  const std::string where = place.empty() ? usual_place() : place;
  if (where.empty())
    return spec::Error{.what = "there is no place for a history: neither XDG_STATE_HOME nor HOME is set",
                       .hint = "name a file or a PostgreSQL URL with --db"};
  if (!may_exist(where)) return nothing_yet(where);
  const Purpose purpose = use == Use::read ? Purpose::read : Purpose::write;
  return opened(where, purpose, [&](std::unique_ptr<Database> database) -> spec::Result<History> {
    const Tables tables = database->tables();
    if (spec::Errors errors = refusal(where, tables); !errors.empty()) return errors;
    if (tables.version == 0) return nothing_yet(where);
    if (tables.version < static_cast<int>(migrations().size()))
      return unusable(where, "an earlier release wrote it, and `history add` brings it up to date");
    return History(std::move(database));
  });
}

spec::Result<Added> History::add(const spec::StoredRun& run) {
  const std::string id = id_of(run.header), header = to_json_line(run.header);
  const std::string trailer = run.trailer ? to_json_line(*run.trailer) : "";
  const int complete = run.trailer ? 1 : 0, exit_code = run.trailer ? run.trailer->exit_code : 0;
  const auto calls = static_cast<long long>(run.records);
  spec::Errors changed;
  auto added = database_->guarded([&] {
    return database_->alone([&] {
      soci::session& sql = database_->session;
      long long there = -1;
      int there_complete = 0;
      sql << "SELECT calls, complete FROM runs WHERE run = :run", use(id), into(there), into(there_complete);
      const bool known = sql.got_data();
      if (known && (there_complete == 1 || (complete == 0 && there >= calls))) return Added::there_already;
      if (known) {
        sql << "DELETE FROM calls WHERE run = :run", use(id);
        sql << "DELETE FROM runs WHERE run = :run", use(id);
      }
      sql << "INSERT INTO runs (run, started, command_line, host, complete, exit_code, calls, header, "
             "trailer)"
             " VALUES (:run, :started, :line, :host, :complete, :code, :calls, :header, :trailer)",
          use(id), use(run.header.started), use(run.header.command_line), use(run.header.host), use(complete),
          use(exit_code), use(calls), use(header), use(trailer);
      changed = insert_records(*database_, id, run);
      if (!changed.empty()) throw std::runtime_error(changed.front().what);  // nothing of it stays
      return known ? Added::completed : Added::added;
    });
  });
  if (!changed.empty()) return changed;
  return added;
}

spec::Result<std::vector<RunEntry>> History::runs() {
  return database_->guarded(
      [&] {
        std::vector<RunEntry> runs;
        RunEntry one;
        int complete = 0;
        long long calls = 0;
        soci::statement rows =
            (database_->session.prepare
                 << "SELECT run, started, command_line, host, complete, exit_code, calls FROM runs"
                    " ORDER BY started, run",
             into(one.run), into(one.started), into(one.command_line), into(one.host), into(complete),
             into(one.exit_code), into(calls));
        for (rows.execute(); rows.fetch();) {
          one.complete = complete == 1;
          one.calls = static_cast<std::uint64_t>(calls);
          runs.push_back(one);
        }
        return runs;
      });
}

spec::Result<std::vector<spec::Run>> History::newest_ends(int most) {
  using Ends = std::vector<std::array<std::string, 3>>;
  const auto rows = database_->guarded([&] {
    Ends ends;
    std::string run, header, trailer;
    soci::statement selected =
        (database_->session.prepare << "SELECT run, header, trailer FROM runs WHERE complete = 1"
                                       " ORDER BY started DESC, run DESC LIMIT :most",
         use(most), into(run), into(header), into(trailer));
    for (selected.execute(); selected.fetch();) ends.push_back({run, header, trailer});
    return ends;
  });
  if (!rows) return rows.errors();
  std::vector<spec::Run> runs;
  for (const auto& [run, header, trailer] : *rows) {
    auto read = spec::read_ends(run, header, trailer);
    if (!read) return database_->damage(fmt::format("run {}: {}", run, read.errors().front().what));
    runs.push_back(std::move(read).value());
  }
  return runs;
}

spec::Result<spec::StreamFile> History::run(const std::string& id, const spec::TakeRecord& look) {
  const auto all = runs();
  if (!all) return all.errors();
  std::vector<std::string> found;
  for (const RunEntry& one : *all)
    if (one.run.starts_with(id)) found.push_back(one.run);
  if (found.size() != 1)
    return spec::Error{.what = found.empty() ? fmt::format("no run begins with '{}'", id)
                                             : fmt::format("{} runs begin with '{}'", found.size(), id),
                       .hint = "`scatterproof history list` prints the ids of all runs"};
  auto lines = database_->guarded([&] {
    spec::Spool texts;
    std::string header, trailer, record;
    soci::session& sql = database_->session;
    sql << "SELECT header, trailer FROM runs WHERE run = :run", use(found.front()), into(header),
        into(trailer);
    texts.append(header + '\n');
    soci::statement rows = (sql.prepare << "SELECT record FROM calls WHERE run = :run ORDER BY place",
                            use(found.front()), into(record));
    for (rows.execute(); rows.fetch();) texts.append(record + '\n');
    if (!trailer.empty()) texts.append(trailer + '\n');
    return texts;
  });
  if (!lines) return lines.errors();
  auto read = spec::StreamFile::of(found.front(), std::move(lines).value(), look);
  if (read) return read;
  const spec::Error& wrong = read.errors().front();
  return database_->damage(fmt::format("line {} of run {}: {}", wrong.at.line, found.front(), wrong.what));
}

spec::Result<std::vector<Count>> History::counts(const std::string& api, const std::string& engine,
                                                 const std::string& since) {
  return database_->guarded(
      [&] {
        std::vector<Count> counts;
        Count one;
        std::string verdict, disposition;
        double calls = 0;
        soci::statement rows =
            (database_->session.prepare
                 << "SELECT r.run, r.started, c.api, c.engine, c.version, c.verdict, c.disposition, "
                    "SUM(CAST(c.calls AS DOUBLE PRECISION))"  // sums of integers overflow
                    " FROM runs r JOIN calls c ON c.run = r.run"
                    " WHERE (:api = '' OR c.api = :api2) AND (:engine = '' OR c.engine = :engine2)"
                    " AND r.started >= :since"
                    " GROUP BY r.run, r.started, c.api, c.engine, c.version, c.verdict, c.disposition"
                    " ORDER BY r.started, r.run, c.api, c.engine, c.version, c.verdict, c.disposition",
             use(api), use(api), use(engine), use(engine), use(since), into(one.run), into(one.started),
             into(one.api), into(one.engine), into(one.version), into(verdict), into(disposition),
             into(calls));
        for (rows.execute(); rows.fetch();) {
          one.verdict = read_word<spec::Verdict>(verdict, spec::parse_verdict);
          one.disposition = read_word<spec::Disposition>(disposition, spec::parse_disposition);
          one.calls = static_cast<std::uint64_t>(std::clamp(calls, 0.0, most_summed));
          counts.push_back(one);
        }
        return counts;
      });
}

spec::Result<std::vector<CallEntry>> History::calls_that_failed(const std::string& engine) {
  return database_->guarded(
      [&] {
        std::vector<CallEntry> calls;
        CallEntry one;
        std::string verdict, disposition;
        soci::statement rows =
            (database_->session.prepare
                 << "SELECT r.run, r.started, c.id, c.engine, c.version, c.verdict, c.disposition"
                    " FROM runs r JOIN calls c ON c.run = r.run"
                    " WHERE (:engine = '' OR c.engine = :engine2) AND EXISTS (SELECT 1 FROM calls f"
                    " WHERE f.id = c.id AND f.engine = c.engine AND f.disposition <> 'as_expected')"
                    " ORDER BY r.started, r.run, c.place",
             use(engine), use(engine), into(one.run), into(one.started), into(one.id), into(one.engine),
             into(one.version), into(verdict), into(disposition));
        for (rows.execute(); rows.fetch();) {
          one.verdict = read_word<spec::Verdict>(verdict, spec::parse_verdict);
          one.disposition = read_word<spec::Disposition>(disposition, spec::parse_disposition);
          calls.push_back(one);
        }
        return calls;
      });
}

spec::Result<std::string> History::newest_run_of(const std::string& engine) {
  const std::string built = engine + "+%";  // as is_of
  return database_->guarded([&] {
    std::string run;
    database_->session
        << "SELECT r.run FROM runs r JOIN calls c ON c.run = r.run WHERE c.engine || '@' || c.version"
           " = :engine OR c.engine || '@' || c.version LIKE :built"
           " ORDER BY r.started DESC, r.run DESC LIMIT 1",
        use(engine), use(built), into(run);
    return run;
  });
}

spec::Result<std::size_t> History::prune(std::size_t keep) {
  return database_->guarded([&] {
    return database_->alone([&] {
      soci::session& sql = database_->session;
      std::vector<std::string> ids;
      std::string run;
      soci::statement rows =
          (sql.prepare << "SELECT run FROM runs ORDER BY started DESC, run DESC", into(run));
      for (rows.execute(); rows.fetch();) ids.push_back(run);
      const std::size_t kept = std::min(keep, ids.size());
      for (std::size_t i = kept; i < ids.size(); ++i) {
        sql << "DELETE FROM calls WHERE run = :run", use(ids[i]);
        sql << "DELETE FROM runs WHERE run = :run", use(ids[i]);
      }
      return ids.size() - kept;
    });
  });
}

bool is_of(const std::string& engine, const spec::Record& record) {
  const std::string name = engine_of(record) + '@' + record.version;
  return name == engine || name.starts_with(engine + '+');
}

std::string id_of(const spec::Header& header) {
  return header.run.empty() ? fmt::format("old-{:016x}", spec::stable_hash(to_json_line(header), 0))
                            : header.run;
}

}  // namespace scatterproof::runner::history
