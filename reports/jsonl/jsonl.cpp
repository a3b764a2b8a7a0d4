// SPDX-License-Identifier: Apache-2.0
// JSON lines: the stream itself; each line is written before the next call is judged.
#include <memory>
#include <ostream>

#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::reports {
namespace {

class JsonLines final : public Reporter {
 public:
  explicit JsonLines(std::ostream& out) : out_(out) {}

  void run_started(const spec::Header& header) override { put(spec::to_json_line(header)); }
  void call_judged(const spec::Record& record) override { put(spec::to_json_line(record)); }
  void run_finished(const spec::Trailer& trailer) override {
    if (!trailer.ended.empty()) put(spec::to_json_line(trailer));  // a cut-off stream stays recognisable
  }

 private:
  void put(const std::string& line) { out_ << line << '\n' << std::flush; }
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Reporter> make_jsonl(std::ostream& out, const Style&) {
  return std::make_unique<JsonLines>(out);
}

}  // namespace scatterproof::reports
