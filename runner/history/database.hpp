// SPDX-License-Identifier: Apache-2.0
// The connection to a history's database, of either kind.
#pragma once

#include <soci/soci.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "complaint.hpp"
#include "scatterproof/runner/history/history.hpp"

namespace scatterproof::runner::history {

/// Whether it names a server, not a file.
bool is_url(const std::string& place);

/// The columns of `calls`, in the order in which rows are bound.
struct Bound {
  long long place;
  std::string id, api, engine, version, verdict, disposition;
  long long calls;
  std::string record;
};

/// What a connection is for. To look: a file, and its folder, stay as they are to the byte.
enum class Purpose { look, read, write };

/// Whose tables a database holds.
struct Tables {
  int version = 0;  ///< of a history's; 0: there is none
  std::string
      stranger;  ///< another program's table, which forbids creating anything here; empty: there is none
};

/// The connection, and what differs between the two kinds of database.
class Database {
 public:
  /// Opens it; throws soci_error.
  Database(const std::string& place, Purpose purpose);

  /// All or nothing, exclusively: other writers wait, and a process that dies has written nothing.
  template <class Work>
  auto alone(const Work& work) {
    session << (server_ ? "BEGIN" : "BEGIN IMMEDIATE");
    try {
      if (server_) session << "SELECT pg_advisory_xact_lock(7283)";
      auto result = work();
      session << "COMMIT";
      return result;
    } catch (...) {
      try {
        session << "ROLLBACK";
      } catch (const soci::soci_error&) {  // the connection is gone, and the transaction with it
      }
      throw;
    }
  }

  /// Runs work on the database; what it throws becomes an error.
  template <class Work>
  auto guarded(const Work& work) -> spec::Result<decltype(work())> {
    try {
      return work();
    } catch (const std::exception& thrown) {
      return error(thrown);
    }
  }

  /// What was thrown, as a sentence. Where a page of the file is damaged, the page is named.
  spec::Error error(const std::exception& thrown);
  /// The same of a text that is stored in it and that this program did not write so.
  spec::Error damage(const std::string& what);

  /// Whose tables it holds. Throws soci_error.
  Tables tables();

  /// Creates the tables, or brings them up to date, unless they belong to another program. Returns the tables
  /// found.
  Tables migrate();

  /// Rows of one statement: fewer round trips to a server.
  void insert(const std::string& run, const std::vector<Bound>& rows);

  soci::session session;

 private:
  std::set<std::string> table_names();
  bool has_columns(const std::string& table, std::string_view columns, int count);
  /// ` (page 7 of the file)`; empty where none can be named.
  std::string damaged_page();

  std::string place_;
  bool server_;
};

}  // namespace scatterproof::runner::history
