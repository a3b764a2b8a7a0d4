// SPDX-License-Identifier: Apache-2.0
#include "html/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "html/markup.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t longest_sentence = 600;  // bytes
constexpr std::size_t longest_link = 1000;
constexpr std::size_t most_notices = 100;  // stale entries, and engines that are absent

/// A letter for each standing, since colour alone says nothing to many readers.
char letter(Standing how) {
  switch (how) {
    case Standing::passed:
      return 'P';
    case Standing::weak:
      return 'W';
    case Standing::failed:
      return 'F';
    case Standing::known:
      return 'K';
    case Standing::flaky:
      return 'L';
    case Standing::open:
      return 'O';
    case Standing::unsupported:
      break;
  }
  return 'U';
}

std::size_t total_of(const Tally& tally) {
  std::size_t sum = 0;
  for (const auto& [how, n] : tally) sum += n;
  return sum;
}

/// The link may be empty: then it is the text alone.
std::string linked(const std::string& html, const std::string& link) {
  return link.empty() ? html : fmt::format("<a href=\"{}\">{}</a>", html_text(link, longest_link), html);
}

/// `F 2/35`: failures, if there are any, of how many calls; else `P 33`.
std::string matrix_cell(const Tally& tally, const std::string& link) {
  const Standing mark = mark_of(tally);
  std::string text = fmt::format("<b>{}</b> {}", letter(mark), tally.at(mark));
  if (mark == Standing::failed || mark == Standing::flaky || mark == Standing::known)
    text = linked(text + fmt::format("/{}", total_of(tally)), link);
  return fmt::format("<td class=\"{}\" title=\"{}\">{}</td>", word(mark), spelled_out(tally), text);
}

std::string stale_notices(const spec::Trailer& trailer) {
  if (trailer.stale.empty()) return "";
  std::string text = "<h3>Stale baseline entries</h3>\n<ul>\n";
  for (std::size_t i = 0; i < std::min(trailer.stale.size(), most_notices); ++i) {
    const spec::StaleEntry& entry = trailer.stale[i];
    text += fmt::format("<li>{}: {}</li>\n", html_name(fmt::format("{}:{}", entry.file, entry.line)),
                        html_text(entry.text, longest_sentence));
  }
  if (trailer.stale.size() > most_notices)
    text += fmt::format("<li>and {} more</li>\n", trailer.stale.size() - most_notices);
  return text + "</ul>\n";
}

std::string gate_notices(const spec::Trailer& trailer) {
  if (trailer.gates.empty()) return "";
  std::string text = "<h3>Failed gates</h3>\n<ul>\n";
  for (const spec::FailedGate& gate : trailer.gates)
    text += fmt::format("<li>{}: {}</li>\n", html_name(gate.gate), html_text(gate.text, longest_sentence));
  return text + "</ul>\n";
}

std::string reach_notices(const spec::Trailer& trailer) {
  std::string list;
  for (const spec::Reach& reach : trailer.reach)
    list += fmt::format("<li>{}</li>\n", html_text(words_of(reach), longest_sentence));
  return list.empty() ? "" : "<h3>Engines that few calls reached</h3>\n<ul>\n" + list + "</ul>\n";
}

std::string notices_of_calls_left_out(const spec::Trailer& trailer) {
  std::string list;
  for (const spec::Skipped& skipped : trailer.skipped)
    list += fmt::format("<li>{}</li>\n", html_text(words_of(skipped), longest_sentence));
  if (const std::string words = unreached_words(trailer, true); !words.empty())
    list += fmt::format("<li>{}</li>\n", html_text(words, longest_sentence));
  return list.empty() ? "" : "<h3>Calls left out</h3>\n<ul>\n" + list + "</ul>\n";
}

std::string absent_engines(const spec::Header& header) {
  std::string list;
  for (const spec::EngineSummary& engine : header.engines)
    if (engine.state != "ready")
      list +=
          fmt::format("<li>{}: {}</li>\n", html_name(engine.name), html_text(engine.state, longest_sentence));
  return list.empty() ? "" : "<h3>Engines that did not run</h3>\n<ul>\n" + list + "</ul>\n";
}

}  // namespace

std::string Links::api(const std::string& name) const {
  return page_of ? page_of(name) : "#api/" + html_anchor(name);
}

std::string Links::place(const std::string& api, const std::string& anchor) const {
  return (page_of ? page_of(api) : std::string()) + "#" + anchor;
}

Sections::Sections(const Overview& run, const spec::Trailer& trailer, const Past& past, Links links)
    : run_(run), trailer_(trailer), past_(past), links_(std::move(links)) {
  std::unordered_map<spec::TextHash, std::size_t> used;
  for (const Failures* failures : {&run.failures(), &run.known()})
    for (const CaseFailure& failure : failures->all()) {
      const std::string anchor = html_anchor(failures->first(failure).id);
      if (const std::size_t n = ++used[spec::hash_of(anchor)]; n > 1) repeated_[&failure] = n;
      by_api_[failures->api(failure)].push_back({failures, &failure});
    }
}

std::string Sections::head() const {
  const Conclusion how = run_.concluded(trailer_);
  constexpr std::array words = {"Passed", "Not clear", "Failed"};
  constexpr std::array classes = {"good", "unsure", "bad"};
  const auto mood = static_cast<std::size_t>(how.mood);
  const spec::Header& header = run_.header();
  std::string text = fmt::format(
      "<header class=\"{}\">\n<h1><strong>{}</strong> <span>{}</span></h1>\n<p>scatterproof {}, started {} "
      "on "
      "{}{}</p>\n</header>\n",
      classes[mood], words[mood], html_text(how.sentence, longest_sentence), html_text(header.tool_version),
      html_text(header.started), html_text(header.machine),
      header.host.empty() ? "" : fmt::format(" ({})", html_text(header.host)));
  text +=
      "<section aria-labelledby=\"verdicts\">\n<h2 id=\"verdicts\">Calls by verdict</h2>\n<ul "
      "class=\"verdicts\">\n";
  for (const spec::Verdict verdict : worst_verdicts_first) {
    const Overview::Count count = run_.count(verdict);
    text += fmt::format("<li class=\"{}\"><b>{}</b> {}{}</li>\n",
                        count.calls == 0             ? "none"
                        : count.calls == count.known ? "known"
                                                     : name(verdict),
                        count.calls, name(verdict),
                        count.known == 0 ? "" : fmt::format(" <span>({} known)</span>", count.known));
  }
  return text + "</ul>\n" + gate_notices(trailer_) + reach_notices(trailer_) +
         notices_of_calls_left_out(trailer_) + stale_notices(trailer_) + absent_engines(header) +
         "</section>\n";
}

std::string Sections::column_name(const std::string& engine) const {
  const auto& all = run_.header().engines;
  const auto found = std::ranges::find(all, engine, &spec::EngineSummary::name);
  const bool versioned =
      found == all.end() || found->version.empty() || engine.find('@') != std::string::npos;
  const std::string name = html_text(versioned ? engine : engine + '@' + found->version);
  const std::size_t at = name.find('@');
  return at == std::string::npos ? name : name.substr(0, at) + "<wbr>" + name.substr(at);
}

std::string Sections::matrix(std::size_t most) const {
  const std::vector<std::string> engines = run_.engines();
  std::string text =
      "<section aria-labelledby=\"matrix\">\n<h2 id=\"matrix\">APIs and engines</h2>\n"
      "<p class=\"legend\"><b class=\"failed\">F</b>: how many of all calls failed. If none did, <b "
      "class=\"flaky\">L</b>: how many failed and passed when they were tried again, or <b "
      "class=\"known\">K</b>: how many "
      "failed as the baseline expects. Else <b class=\"passed\">P</b>: how "
      "many passed; <b "
      "class=\"weak\">W</b>: only vacuous passes; <b class=\"open\">O</b>: the document leaves the calls "
      "open; <b "
      "class=\"unsupported\">U</b>: the engine does not offer them. APIs with failures come first.</p>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"The table\">\n<table "
      "class=\"matrix\">\n"
      "<thead><tr><th scope=\"col\">API</th>";
  std::size_t columns = 0;
  for (const std::string& engine : engines)
    columns += append_within(text, most / 2, fmt::format("<th scope=\"col\">{}</th>", column_name(engine)));
  text += "</tr></thead>\n<tbody>\n";
  const std::vector<std::string> apis = run_.apis();
  std::size_t rows = 0;
  for (const std::string& api : apis) {
    const std::string link = placed_apis_.contains(api) ? links_.api(api) : "";
    std::string row = fmt::format("<tr data-api=\"{0}\"><th scope=\"row\">{1}</th>", html_text(api),
                                  linked(html_text(api), link));
    const auto& cells = run_.cells().at(api);
    for (std::size_t i = 0; i < columns; ++i) {
      const auto cell = cells.find(engines[i]);
      row += cell == cells.end() ? "<td></td>" : matrix_cell(cell->second, link);
    }
    if (!append_within(text, most, row + "</tr>\n")) break;
    ++rows;
  }
  text += "</tbody>\n</table>\n</div>\n";
  if (rows < apis.size() || columns < engines.size())
    text += fmt::format(
        "<p class=\"cut\">Cut to keep the page small: {} of {} APIs and {} of {} engines are shown.</p>\n",
        rows, apis.size(), columns, engines.size());
  return text + "</section>\n";
}

std::string Sections::about() const {
  const spec::Header& header = run_.header();
  std::vector<std::string> libraries;
  for (const auto& [library, version] : header.libraries)
    if (libraries.size() < most_notices) libraries.push_back(html_text(library + ' ' + version));
  std::string text = fmt::format(
      "<section aria-labelledby=\"run\">\n<h2 id=\"run\">This run</h2>\n<dl>\n<dt>command</dt><dd>{}</dd>\n"
      "<dt>seed</dt><dd>{}</dd>\n<dt>ended</dt><dd>{}</dd>\n<dt>built with</dt><dd>{}</dd>\n",
      "<code>" + html_text(header.command_line, longest_sentence) + "</code>", header.seed,
      trailer_.ended.empty() ? "cut off: the stream has no end" : html_text(trailer_.ended),
      fmt::join(libraries, ", "));
  for (const auto& [name, shown] : run_.names().declared())
    text += fmt::format("<dt>{}</dt><dd>is {}</dd>\n", html_name(shown), html_name(name));
  if (!trailer_.resume.empty())
    text += fmt::format("<dt>resume with</dt><dd><code>{}</code></dd>\n",
                        html_text(trailer_.resume, longest_sentence));
  text += "</dl>\n<h3>What the verdicts mean</h3>\n<dl>\n";
  for (const spec::Verdict verdict : worst_verdicts_first)
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name(verdict), html_text(meaning(verdict)));
  return text + "</dl>\n</section>\n";
}

}  // namespace scatterproof::reports
