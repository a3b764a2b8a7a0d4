// SPDX-License-Identifier: Apache-2.0
#include "recorded_cases.hpp"

#include <fmt/format.h>

#include "scatterproof/engines/recorded/recording.hpp"
#include "scatterproof/runner/catalogue/completed_call.hpp"

namespace scatterproof::runner {
spec::GoodCases recorded_cases(const std::string& path, const spec::SpecLibrary& specs) {
  const auto recording = engines::read_recording(path);
  if (!recording) return {{}, recording.errors()};
  spec::GoodCases read;
  for (std::size_t i = 0; i < recording->calls.size(); ++i) {
    const engines::RecordedCall& recorded = recording->calls[i];
    const spec::Position at{static_cast<int>(i) + 2, 1};
    const spec::OpSpec* op = specs.find(recorded.call.api);
    if (!op) {
      read.errors.push_back(
          {.file = path, .at = at, .what = fmt::format("unknown API '{}'", recorded.call.api)});
      continue;
    }
    auto call = completed_call(*op, recorded.call);
    if (!call) {
      for (const spec::Error& wrong : call.errors())
        read.errors.push_back({.file = path, .at = at, .what = wrong.what, .hint = wrong.hint});
      continue;
    }
    spec::Case one;
    one.id = recorded.from.starts_with(op->api + "/") ? recorded.from
                                                      : fmt::format("{}/recorded/{}", op->api, at.line);
    one.why = "recorded";
    one.call = std::move(call).value();
    one.file = path;
    one.at = at;
    read.cases.push_back(std::move(one));
  }
  return read;
}

}  // namespace scatterproof::runner
