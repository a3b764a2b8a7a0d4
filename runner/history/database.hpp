// SPDX-License-Identifier: Apache-2.0
// The connection to a history's database, of either kind.
#pragma once

#include <soci/soci.h>

#include <string>
#include <vector>

#include "history.hpp"

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

/// The connection, and what differs between the two kinds of database.
class Database {
 public:
  /// Opens it; throws soci_error.
  explicit Database(const std::string& place);

  /// Everything or nothing, alone: whoever else writes waits, and a process that dies has written nothing.
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
      return error(thrown.what());
    }
  }

  spec::Error error(const std::string& what) const;

  /// Creates the tables, or brings them up to date. False: a newer program wrote them.
  bool migrate();

  /// Rows of one statement: fewer round trips to a server.
  void insert(const std::string& run, const std::vector<Bound>& rows);

  soci::session session;

 private:
  /// Of the tables; 0: there are none.
  int version();

  std::string place_;
  bool server_;
};

}  // namespace scatterproof::runner::history
