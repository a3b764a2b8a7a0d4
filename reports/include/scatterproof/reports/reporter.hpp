// SPDX-License-Identifier: Apache-2.0
// A report is a listener to the stream of a run. Events default to nothing: a new report shows what it cares
// about.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::reports {

class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void run_started(const spec::Header&) {}
  virtual void call_judged(const spec::Record&) {}
  virtual void run_finished(const spec::Trailer&) {}
};

struct Style {
  bool colour = false;
  int width = 80;
  int verbosity = 0;
};

/// The reports there are, by name.
std::vector<std::string> kinds();

/// A reporter writing to `out`, which must outlive it; nullptr for an unknown kind.
std::unique_ptr<Reporter> make_reporter(const std::string& kind, std::ostream& out, const Style& style);

/// Feeds a whole run to a reporter. When the stream was cut off, run_finished gets a trailer whose `ended` is
/// empty.
void replay(const spec::Run& run, Reporter& reporter);

}  // namespace scatterproof::reports
