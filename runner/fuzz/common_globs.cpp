// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/fuzz/common_globs.hpp"

#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/select/select.hpp"

namespace scatterproof::runner::fuzz {
namespace {

/// Whether these are the calls of the kind that passed.
bool passed_like(const Kind& one, const Kind& kind) {
  return one.verdict == spec::Verdict::pass && one.api == kind.api && one.engine == kind.engine &&
         one.rule == kind.rule && one.relation == kind.relation && one.gradient == kind.gradient;
}

}  // namespace

void say_common_globs(const FuzzResult& fuzzed, const Kind& kind, const spec::Call& shown,
                      spec::Record& record) {
  const Tally& failed = fuzzed.kinds.at(kind);
  if (failed.globs.empty()) return;
  const std::string text = text_of(shown);
  for (const auto& [glob, calls] : failed.globs)
    if (calls == failed.count && matches_glob(glob, text)) record.call_globs.push_back({.glob = glob});
  for (const auto& [other, tally] : fuzzed.kinds) {
    if (!passed_like(other, kind)) continue;
    record.passed += tally.count;
    for (spec::CallGlob& one : record.call_globs)
      if (const auto found = tally.globs.find(one.glob); found != tally.globs.end())
        one.passed += found->second;
  }
}

}  // namespace scatterproof::runner::fuzz
