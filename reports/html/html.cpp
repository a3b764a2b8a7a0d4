// SPDX-License-Identifier: Apache-2.0
// HTML: one file that holds all it needs, for a browser, from disk.
#include <algorithm>
#include <memory>
#include <numeric>
#include <ostream>

#include "html/markup.hpp"
#include "html/page.hpp"
#include "html/past.hpp"
#include "html/performance.hpp"
#include "html/sections.hpp"
#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::reports {
namespace {

// Bytes; together less than 5 MB.
constexpr std::size_t most_of_matrix = 800'000;
constexpr std::size_t most_of_groups = 900'000;
constexpr std::size_t most_of_known_groups = 300'000;
constexpr std::size_t most_of_past = 300'000;
constexpr std::size_t most_of_performance = 1'200'000;
constexpr std::size_t most_of_apis = 2'800'000;  // what earlier runs and times leave of it

/// Filters, and the navigation of the page. Without a script there is nothing to filter with.
constexpr std::string_view filters = R"(<form id="filters" role="search" hidden>
<label>Search <input type="search" id="q" autocomplete="off" spellcheck="false"></label>
<label>Failures <select id="show"><option value="">all</option><option>new</option><option>known</option><option>flaky</option></select></label>
<label>Verdict <select id="verdict"><option value="">all</option></select></label>
<label>Engine <select id="engine"><option value="">all</option></select></label>
<button type="button" id="clear">Clear</button>
<output id="shown" aria-live="polite"></output>
<p class="keys">Keys: <kbd>/</kbd> search, <kbd>j</kbd> and <kbd>k</kbd> next and previous failure, <kbd>o</kbd> open, <kbd>c</kbd> copy its command, <kbd>Esc</kbd> clear. The address keeps the filters.</p>
</form>
)";

class Html final : public Reporter {
 public:
  explicit Html(std::ostream& out) : out_(out) {}

  void past_known(const Past& past) override { past_ = past; }
  void timed(const spec::TimingRun& run) override { timings_.push_back(run); }
  void run_started(const spec::Header& header) override { run_.run_started(header); }
  void call_judged(const spec::Record& record) override { run_.call_judged(record); }
  void run_finished(const spec::Trailer& trailer) override {
    Sections sections(run_, trailer, past_, {});
    const std::string past = past_section(past_, most_of_past);
    const std::string performance = performance_section(timings_, most_of_performance);
    const std::string apis = all_apis(sections, most_of_apis - past.size() - performance.size());
    const std::string body =
        "<a class=\"skip\" href=\"#failures\">Skip to the failures</a>\n" + sections.head() +
        "<nav aria-label=\"Sections\"><a href=\"#failures\">New failures</a> <a "
        "href=\"#known\">Known and flaky failures</a> <a href=\"#matrix\">APIs and engines</a> " +
        (past.empty() ? "" : "<a href=\"#past\">Earlier runs</a> ") +
        (performance.empty() ? "" : "<a href=\"#performance\">Performance</a> ") +
        "<a href=\"#apis\">By API</a> <a href=\"#run\">This run</a></nav>\n" + std::string(filters) +
        "<main>\n" + sections.groups(false, most_of_groups) + sections.matrix(most_of_matrix) +
        sections.groups(true, most_of_known_groups) + past + performance + apis + sections.about() +
        "</main>\n";
    out_ << single_file_page(run_.concluded(trailer).sentence + " - scatterproof", run_.header().tool_version,
                             body, page_js);
    out_.flush();
  }

 private:
  /// Each gets a fair share of the room that is left, those with few failures first: so one API with many
  /// does not hide another, and takes what the others leave.
  std::string all_apis(Sections& sections, std::size_t room) const {
    const std::vector<std::string> apis = run_.apis();
    std::vector<std::size_t> order(apis.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return sections.failing_cases(apis[i]); });
    std::vector<std::string> parts(apis.size());
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::string part = sections.api(apis[order[i]], room / (order.size() - i));
      left_out += part.empty();
      room -= part.size();
      parts[order[i]] = std::move(part);
    }
    std::string text = "<section aria-labelledby=\"apis\">\n<h2 id=\"apis\">By API</h2>\n";
    for (const std::string& part : parts) text += part;
    if (left_out > 0)
      text += "<p class=\"cut\">Cut to keep the page small: " + counted(left_out, "API is", "APIs are") +
              " not shown.</p>\n";
    return text + "</section>\n";
  }

  std::ostream& out_;
  Overview run_;
  Past past_;
  std::vector<spec::TimingRun> timings_;
};

}  // namespace

std::unique_ptr<Reporter> make_html(std::ostream& out, const Style&) { return std::make_unique<Html>(out); }

}  // namespace scatterproof::reports
