// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/history/past.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "scatterproof/reports/counts.hpp"
#include "scatterproof/runner/baseline/baseline_groups.hpp"

namespace scatterproof::runner::history {
namespace {

bool tells_nothing(spec::Verdict verdict) {
  return !reports::is_judged(verdict) && verdict != spec::Verdict::disputed;  // a disputed case fails its run
}

bool is_bad(spec::Verdict verdict, spec::Disposition disposition) {
  return is_failure(verdict) && disposition != spec::Disposition::flaky;
}

/// The results of one API on one engine in the run that is reported.
struct ReportedRow {
  std::string api;
  std::string engine;  ///< as records name it
  std::string version;
  std::string name;  ///< as the history calls it
  bool tells = false;
  std::uint64_t calls = 0;
  std::uint64_t bad = 0;
};

/// In the order in which they first come up.
spec::Result<std::vector<ReportedRow>> rows_of(const spec::StoredRun& run) {
  std::vector<ReportedRow> rows;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  const spec::Errors errors = run.each([&](const spec::Record& one, std::uint64_t) {
    const auto [place, is_new] = places.try_emplace({one.api, one.engine, one.version}, rows.size());
    if (is_new)
      rows.push_back({.api = one.api, .engine = one.engine, .version = one.version, .name = engine_of(one)});
    if (tells_nothing(one.verdict)) return;
    ReportedRow& row = rows[place->second];
    row.tells = true;
    row.calls += one.count;
    row.bad += is_bad(one.verdict, one.disposition) ? one.count : 0;
  });
  if (!errors.empty()) return errors;
  return rows;
}

/// The engines of a run as its records name them, by what the history calls them.
class EngineNames {
 public:
  explicit EngineNames(const std::vector<ReportedRow>& rows) {
    for (const ReportedRow& row : rows) names_[row.name].emplace(row.version, row.engine);
  }

  /// Empty: the run has no such engine.
  std::string find(const std::string& engine, const std::string& version) const {
    const auto found = names_.find(engine);
    if (found == names_.end()) return "";
    if (found->second.size() == 1) return found->second.begin()->second;
    const auto same = found->second.find(version);
    return same == found->second.end() ? "" : same->second;
  }

 private:
  std::map<std::string, std::map<std::string, std::string>> names_;  ///< by version
};

class PastBuilder {
 public:
  void add(std::size_t run, const std::string& api, const std::string& engine, const std::string& version,
           std::uint64_t calls, std::uint64_t bad) {
    std::vector<reports::PastPoint>& points = past.rows[{api, engine}];
    if (points.empty() || points.back().run != run) points.push_back({.run = run, .version = version});
    points.back().calls += calls;
    points.back().failures += bad;
  }
  reports::Past past;
};

/// Those that started before this one, the newest `most` of them.
spec::Result<std::vector<RunEntry>> runs_before(History& history, const spec::Header& header,
                                                std::size_t most) {
  auto runs = history.runs();
  if (!runs) return runs;
  const std::string id = id_of(header);
  std::erase_if(runs.value(),
                [&](const RunEntry& one) { return one.run == id || one.started > header.started; });
  if (runs->size() > most)
    runs.value().erase(runs.value().begin(), runs.value().end() - static_cast<std::ptrdiff_t>(most));
  return runs;
}

}  // namespace

spec::Result<reports::Past> past_of(History& history, const spec::StoredRun& run, std::size_t most) {
  const auto before = runs_before(history, run.header, most - 1);
  if (!before) return before.errors();
  const auto rows = rows_of(run);
  if (!rows) return rows.errors();
  const EngineNames names(*rows);
  std::map<std::string, std::size_t> places;
  PastBuilder builder;
  for (const RunEntry& one : *before) {
    places[one.run] = builder.past.runs.size();
    builder.past.runs.push_back({one.run, one.started, one.command_line});
  }
  if (!before->empty()) {
    const auto counts = history.counts("", "", before->front().started);
    if (!counts) return counts.errors();
    for (const Count& one : *counts) {
      const auto place = places.find(one.run);
      const std::string engine = names.find(one.engine, one.version);
      if (place == places.end() || engine.empty() || tells_nothing(one.verdict)) continue;
      builder.add(place->second, one.api, engine, one.version, one.calls,
                  is_bad(one.verdict, one.disposition) ? one.calls : 0);
    }
  }
  builder.past.runs.push_back({id_of(run.header), run.header.started, run.header.command_line});
  std::set<std::pair<std::string, std::string>> judged;
  for (const ReportedRow& row : *rows) {
    if (!row.tells) continue;
    judged.emplace(row.api, row.engine);
    builder.add(builder.past.runs.size() - 1, row.api, row.engine, row.version, row.calls, row.bad);
  }
  std::erase_if(builder.past.rows, [&](const auto& row) { return !judged.contains(row.first); });
  return std::move(builder.past);
}

}  // namespace scatterproof::runner::history
