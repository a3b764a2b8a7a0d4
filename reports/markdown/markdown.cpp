// SPDX-License-Identifier: Apache-2.0
// Markdown: a comment on a pull request.
#include <memory>
#include <ostream>

#include "markdown/digest.hpp"
#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t longest_comment = 64000;  // GitHub takes 65536

class Markdown final : public Reporter {
 public:
  explicit Markdown(std::ostream& out) : out_(out) {}

  void run_started(const spec::Header& header) override { run_.run_started(header); }
  void call_judged(const spec::Record& record) override { run_.call_judged(record); }
  void run_finished(const spec::Trailer& trailer) override {
    out_ << digest(run_, trailer, longest_comment);
    out_.flush();
  }

 private:
  std::ostream& out_;
  Overview run_;
};

}  // namespace

std::unique_ptr<Reporter> make_markdown(std::ostream& out, const Style&) {
  return std::make_unique<Markdown>(out);
}

}  // namespace scatterproof::reports
