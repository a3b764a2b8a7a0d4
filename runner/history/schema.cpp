// SPDX-License-Identifier: Apache-2.0
#include "schema.hpp"

namespace scatterproof::runner::history {

std::span<const std::vector<std::string_view>> migrations() {
  static const std::vector<std::string_view> all[] = {
      // 1: runs and their calls. `header`, `trailer` and `record` are lines of the stream, so that it can be
      // written again; the other columns are what is searched for.
      {"CREATE TABLE runs (run TEXT PRIMARY KEY, started TEXT NOT NULL, command_line TEXT NOT NULL,"
       " host TEXT NOT NULL, complete INTEGER NOT NULL, exit_code INTEGER NOT NULL, calls BIGINT NOT NULL,"
       " header TEXT NOT NULL, trailer TEXT NOT NULL)",
       "CREATE TABLE calls (run TEXT NOT NULL REFERENCES runs (run), place BIGINT NOT NULL, id TEXT NOT NULL,"
       " api TEXT NOT NULL, engine TEXT NOT NULL, version TEXT NOT NULL, verdict TEXT NOT NULL,"
       " disposition TEXT NOT NULL, calls BIGINT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (run, place))",
       "CREATE INDEX calls_of_case ON calls (id, engine)"},
  };
  return all;
}

}  // namespace scatterproof::runner::history
