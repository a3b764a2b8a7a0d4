// SPDX-License-Identifier: Apache-2.0
// The reports there are.
#include <algorithm>
#include <variant>

#include "scatterproof/reports/reporter.hpp"

// One line a report: make_<kind> is defined in the folder of that name. An underscore stands for a hyphen.
#define SCATTERPROOF_REPORTS(report)                                                                   \
  report(console) report(jsonl) report(junit) report(markdown) report(github) report(tap) report(ctrf) \
      report(html)
// Those that write a folder of files.
#define SCATTERPROOF_FOLDER_REPORTS(report) report(html_dir)

namespace scatterproof::reports {

using Make = std::unique_ptr<Reporter>(std::ostream& out, const Style& style);
using MakeInFolder = std::unique_ptr<Reporter>(Folder& folder, const Style& style);
#define SCATTERPROOF_DECLARE(kind) Make make_##kind;
#define SCATTERPROOF_DECLARE_IN_FOLDER(kind) MakeInFolder make_##kind;
SCATTERPROOF_REPORTS(SCATTERPROOF_DECLARE)
SCATTERPROOF_FOLDER_REPORTS(SCATTERPROOF_DECLARE_IN_FOLDER)

namespace {

struct Kind {
  std::string name;
  std::variant<Make*, MakeInFolder*> make;
};

const std::vector<Kind>& table() {
#define SCATTERPROOF_ENTRY(kind) {#kind, make_##kind},
  static const std::vector<Kind> kinds = [] {
    std::vector<Kind> all = {SCATTERPROOF_REPORTS(SCATTERPROOF_ENTRY)
                                 SCATTERPROOF_FOLDER_REPORTS(SCATTERPROOF_ENTRY)};
    for (Kind& kind : all) std::ranges::replace(kind.name, '_', '-');
    return all;
  }();
  return kinds;
}

/// The kind of that name, if it is made in this way.
template <class MakeIt>
MakeIt* maker(const std::string& name) {
  const auto found = std::ranges::find(table(), name, &Kind::name);
  if (found == table().end()) return nullptr;
  MakeIt* const* make = std::get_if<MakeIt*>(&found->make);
  return make ? *make : nullptr;
}

}  // namespace

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : table()) names.push_back(kind.name);
  return names;
}

bool is_folder(const std::string& kind) { return maker<MakeInFolder>(kind) != nullptr; }

std::unique_ptr<Reporter> make_reporter(const std::string& kind, std::ostream& out, const Style& style) {
  Make* const make = maker<Make>(kind);
  return make ? make(out, style) : nullptr;
}

std::unique_ptr<Reporter> make_reporter(const std::string& kind, Folder& folder, const Style& style) {
  MakeInFolder* const make = maker<MakeInFolder>(kind);
  return make ? make(folder, style) : nullptr;
}

namespace {

void finish(const std::optional<spec::Trailer>& trailer, std::size_t records, Reporter& reporter) {
  spec::Trailer cut_off;
  cut_off.records = records;
  reporter.run_finished(trailer.value_or(cut_off));
}

}  // namespace

void replay(const spec::Run& run, Reporter& reporter) {
  reporter.run_started(run.header);
  for (const spec::Record& record : run.records) reporter.call_judged(record);
  finish(run.trailer, run.records.size(), reporter);
}

spec::Errors replay(const spec::StoredRun& run, Reporter& reporter) {
  reporter.run_started(run.header);
  spec::Errors errors =
      run.each([&](const spec::Record& record, std::uint64_t) { reporter.call_judged(record); });
  if (errors.empty()) finish(run.trailer, run.records, reporter);
  return errors;
}

}  // namespace scatterproof::reports
