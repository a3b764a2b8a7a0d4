// SPDX-License-Identifier: Apache-2.0
// The reports there are.
#include "scatterproof/reports/reporter.hpp"

// One line a report: make_<kind> is defined in the folder of that name.
#define SCATTERPROOF_REPORTS(report) report(console) report(jsonl) report(junit)

namespace scatterproof::reports {

using Make = std::unique_ptr<Reporter>(std::ostream& out, const Style& style);
#define SCATTERPROOF_DECLARE(kind) Make make_##kind;
SCATTERPROOF_REPORTS(SCATTERPROOF_DECLARE)

namespace {

struct Kind {
  const char* name;
  Make* make;
};

#define SCATTERPROOF_ENTRY(kind) {#kind, make_##kind},
constexpr Kind table[] = {SCATTERPROOF_REPORTS(SCATTERPROOF_ENTRY)};

}  // namespace

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : table) names.emplace_back(kind.name);
  return names;
}

std::unique_ptr<Reporter> make_reporter(const std::string& kind, std::ostream& out, const Style& style) {
  for (const Kind& one : table)
    if (kind == one.name) return one.make(out, style);
  return nullptr;
}

void replay(const spec::Run& run, Reporter& reporter) {
  reporter.run_started(run.header);
  for (const spec::Record& record : run.records) reporter.call_judged(record);
  spec::Trailer cut_off;
  cut_off.records = run.records.size();
  reporter.run_finished(run.trailer.value_or(cut_off));
}

}  // namespace scatterproof::reports
