// SPDX-License-Identifier: Apache-2.0
// The content of the HTML report as a folder: pages contain no scripts and no styles, so that a server may
// forbid both, as Jenkins does.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>

#include "html/markup.hpp"
#include "html/page.hpp"
#include "html/past.hpp"
#include "html/performance.hpp"
#include "html/sections.hpp"
#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t most_of_an_index = 2'000'000;  // bytes of its matrix, and of each kind of its groups
constexpr std::size_t most_of_an_api = 4'000'000;
constexpr std::string_view style_link = "<link rel=\"stylesheet\" href=\"scatterproof.css\">\n";

class HtmlFolder final : public Reporter {
 public:
  explicit HtmlFolder(Folder& folder) : folder_(folder) {}

  void past_known(const Past& past) override { past_ = past; }
  void timed(const spec::TimingRun& run) override { timings_.push_back(run); }
  void run_started(const spec::Header& header) override { run_.run_started(header); }
  void call_judged(const spec::Record& record) override { run_.call_judged(record); }
  void run_finished(const spec::Trailer& trailer) override {
    folder_.write("scatterproof.css", page_style());
    for (const std::string& api : run_.apis()) pages_[api] = "api-" + html_file(api) + ".html";
    Sections sections(
        run_, trailer, past_,
        {.page_of = [this](const std::string& api) { return pages_.at(api); }, .index = "index.html"});
    const std::string sentence = run_.concluded(trailer).sentence;
    for (const auto& [api, page] : pages_)
      write(page, api + " - scatterproof",
            "<nav aria-label=\"Pages\"><a href=\"index.html\">The whole run</a></nav>\n<header>\n<h1>" +
                html_text(sentence) + "</h1>\n</header>\n<main>\n<h2>API</h2>\n" +
                sections.api(api, most_of_an_api) + "</main>\n");
    write("index.html", sentence + " - scatterproof",
          sections.head() + "<main>\n" + sections.groups(false, most_of_an_index) +
              sections.matrix(most_of_an_index) + sections.groups(true, most_of_an_index) +
              past_section(past_, most_of_an_index) + performance_section(timings_, most_of_an_index) +
              sections.about() + "</main>\n");
  }

 private:
  void write(const std::string& name, const std::string& title, const std::string& body) {
    folder_.write(name, whole_page({.title = title,
                                    .tool_version = run_.header().tool_version,
                                    .security = {},
                                    .style = std::string(style_link),
                                    .script = {},
                                    .body = body}));
  }

  Folder& folder_;
  Overview run_;
  Past past_;
  std::vector<spec::TimingRun> timings_;
  std::map<std::string, std::string> pages_;  ///< by API
};

}  // namespace

std::unique_ptr<Reporter> make_html_dir(Folder& folder, const Style&) {
  return std::make_unique<HtmlFolder>(folder);
}

}  // namespace scatterproof::reports
