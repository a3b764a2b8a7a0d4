// SPDX-License-Identifier: Apache-2.0
// The console report: the matrix, a count for each verdict, what is known, unsupported and absent, then the
// unexpected failures with explanations (one for each group that is probably one bug), the worst first, and
// one line that sums it all up.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <ostream>
#include <utility>

#include "failures.hpp"
#include "matrix.hpp"
#include "overview.hpp"
#include "page.hpp"
#include "practices.hpp"
#include "record_spool.hpp"
#include "scatterproof/reports/reporter.hpp"
#include "shown_names.hpp"
#include "summaries.hpp"
#include "text.hpp"
#include "workflow_commands.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t longest_explanation = 4096;  // bytes, unless verbose
constexpr std::size_t most_failures = 100;         // groups, unless verbose
constexpr std::size_t most_names = 3;              // of APIs or cases in a group

Colour colour_of(Standing standing) {
  switch (standing) {
    case Standing::passed:
      return Colour::green;
    case Standing::failed:
      return Colour::red;
    case Standing::weak:
    case Standing::flaky:
    case Standing::known:
      return Colour::yellow;
    default:
      return Colour::dim;
  }
}

Colour colour_of(Conclusion::Mood mood) {
  using enum Conclusion::Mood;
  return mood == bad ? Colour::red : mood == good ? Colour::green : Colour::yellow;
}

class Console final : public Reporter {
 public:
  Console(std::ostream& out, const Style& style)
      : out_(out), style_(style), page_{out, style}, commands_(style.in_actions ? &out : nullptr) {}

  void run_started(const spec::Header& header) override {
    commands_.stop();
    header_ = header;
    names_ = ShownNames(header.engines);
    for (spec::EngineSummary& engine : header_.engines) engine.name = names_.of(engine.name);
    matrix_.order(header_.engines);
  }

  void call_judged(const spec::Record& judged) override {
    spec::Record renamed;
    const spec::Record& record = names_.shown(judged, renamed);
    counts_.add(record);
    matrix_.count(record);
    if (standing(record) == Standing::known) {
      known_verdicts_[record.verdict] += record.count;
      known_[{record.engine, record.known_reason}] += record.count;
    } else if (standing(record) == Standing::flaky) {
      flaky_.push_back(flaky_records_.add(record));
    } else {
      verdicts_[record.verdict] += record.count;
      colours_[record.verdict] = colour_of(standing(record));
    }
    reports::add(record, practices_);
    if (standing(record) == Standing::failed) failures_.add(record);
    if (standing(record) == Standing::unsupported) unsupported_[cause(record)] += record.count;
    if (style_.verbosity > 0) list(record);
  }

  void run_finished(const spec::Trailer& trailer) override {
    if (style_.verbosity > 0 && counts_.calls.all() > 0) out_ << '\n';
    if (counts_.calls.all() > 0) matrix_.print(page_);
    for (const auto& [engine, shown] : names_.declared())
      page_.put_note(one_line(fmt::format("{} is {}", shown, engine)));
    print_verdicts();
    reports::print(practices_, page_);
    print_known(page_, known_);
    print_unsupported(page_, unsupported_);
    print_unavailable(page_, header_.engines);
    print_failures();
    print_flaky();
    print_stale(trailer);
    print_gates(trailer);
    print_summary(trailer);
    commands_.resume();
    out_.flush();
  }

 private:
  void list(const spec::Record& record) {
    const std::string word = fmt::format("{:<17}", name(record.verdict));
    out_ << painted(style_, colour_of(standing(record)), word)
         << fmt::format("{} on {}{}\n", one_line(record.id), one_line(record.engine),
                        standing(record) == Standing::known   ? ", known"
                        : standing(record) == Standing::flaky ? ", flaky"
                                                              : "");
    if (standing(record) == Standing::weak) print_indented(cause(record), 2, Colour::dim);
  }

  /// A line for each verdict, without the calls that are flaky or known to fail: those have lines of their
  /// own.
  void print_verdicts() {
    if (counts_.calls.all() > 0) out_ << '\n';
    for (const auto& [verdict, n] : verdicts_)
      print_total(n, name(verdict), colours_[verdict], meaning(verdict));
    std::size_t known = 0;
    std::vector<std::string> words;
    for (const auto& [verdict, n] : known_verdicts_) {
      known += n;
      words.push_back(fmt::format("{} {}", n, name(verdict)));
    }
    if (!flaky_.empty())
      print_total(flaky_.size(), "flaky", Colour::yellow, "failed, and passed on a freshly started engine");
    if (known > 0) print_total(known, "known", Colour::yellow, fmt::format("{}", fmt::join(words, ", ")));
  }

  void print_total(std::size_t n, std::string_view word, Colour colour, std::string_view says) {
    out_ << fmt::format("{:>7} ", n) << painted(style_, colour, fmt::format("{:<17}", word));
    page_.put_hanging(says, 25, Colour::dim);
  }

  void print_failures() {
    const std::vector<Failures::Family> families = failures_.families();
    std::size_t groups = 0, shown = 0;
    for (const Failures::Family& family : families) groups += family.size();
    for (const Failures::Family& family : families) {
      if (!page_.verbose() && shown >= most_failures) break;
      shown += family.size();
      for (std::size_t i = 0; i < (page_.verbose() ? family.size() : 1); ++i) print_group(family[i]);
      if (!page_.verbose() && family.size() > 1) print_others(family);
    }
    if (shown < groups)
      out_ << fmt::format("\n... and {} (-v shows all)\n",
                          counted(groups - shown, "more group of failures", "more groups of failures"));
  }

  void print_group(const Failures::Group& group) {
    if (page_.verbose()) {
      for (const CaseFailure* failure : group) print_failure(failures_.read(*failure), "");
      return;
    }
    print_failure(failures_.read(group), size_of(group));
    if (group.size() > 1) print_others(group);
  }

  /// ` (7 calls of 3 APIs)`; empty: it is one call.
  std::string size_of(const Failures::Group& group) const {
    std::uint64_t calls = 0;
    for (const CaseFailure* failure : group) calls += failure->count;
    const std::size_t apis = failures_.apis(group).size();
    if (calls == 1) return "";
    return fmt::format(" ({} calls{})", calls, apis > 1 ? fmt::format(" of {} APIs", apis) : "");
  }

  void print_failure(const FailureText& failure, const std::string& size) {
    const spec::Record& record = failure.first;
    std::string engines;
    for (const auto& [engine, reproduce] : failure.engines)
      engines += (engines.empty() ? "" : ", ") + one_line(engine);
    out_ << '\n'
         << painted(style_, Colour::red, "FAILED ") << painted(style_, Colour::bold, one_line(record.id))
         << " on " << engines << ": " << painted(style_, Colour::red, name(record.verdict)) << size << '\n';
    print_indented(cause(record), 2, Colour::bold);
    if (const std::size_t newline = failure.story.find('\n'); newline != std::string::npos)
      print_indented(failure.story.substr(newline + 1), 4, Colour::plain);
    if (style_.verbosity > 0 && record.message.find('\n') != std::string::npos) {
      out_ << "  the whole message:\n";
      print_indented(record.message, 4, Colour::plain);
    }
    if (record.disposition == spec::Disposition::expired)
      print_indented("expired baseline entry: " + record.known_reason, 2, Colour::plain);
    if (record.diagnosis.kind != spec::DiagnosisKind::none)
      out_ << "  diagnosis: " << one_line(to_string(record.diagnosis)) << '\n';
    for (const auto& [engine, reproduce] : failure.engines)
      out_ << "  reproduce: " << one_line(reproduce) << '\n';
    if (record.snippet.empty()) return;
    // A script is copied from here: no indentation, no wrapped lines.
    out_ << "  without scatterproof:\n\n" << painted(style_, Colour::dim, printable(record.snippet)) << '\n';
  }

  /// The cases that the first one stands for: their APIs, or their ids if it is one API.
  void print_others(const Failures::Group& group) {
    std::vector<std::string> names;
    const auto apis = failures_.apis(group);
    for (const auto& [api, cases] : apis)
      if (apis.size() > 1) names.push_back(api + (cases > 1 ? fmt::format(" ({})", cases) : ""));
    if (apis.size() == 1)
      for (const CaseFailure* failure : group) names.push_back(failures_.first(*failure).id);
    const std::string first = names.front();
    std::erase(names, first);  // generated calls have one id
    if (names.empty()) return;
    const std::size_t more = names.size() - std::min(names.size(), most_names);
    names.resize(names.size() - more);
    print_indented(fmt::format("also in: {}{} (-v shows each)", fmt::join(names, ", "),
                               more > 0 ? fmt::format(" and {} more", more) : ""),
                   2, Colour::plain);
  }

  /// A line for each group of a family but the first.
  void print_others(const Failures::Family& family) {
    out_ << "  also in other operations, the smallest call of each:\n";
    for (std::size_t i = 1; i < family.size(); ++i)
      out_ << fmt::format("    {}: {}{}\n", one_line(failures_.operation(family[i])),
                          one_line(failures_.first(*family[i].front()).id), size_of(family[i]));
  }

  void print_indented(const std::string& raw, std::size_t indent, Colour colour) {
    std::string text = printable(raw);
    if (style_.verbosity == 0) text = capped(std::move(text), longest_explanation);
    for (const std::string& line : wrapped(text, page_.columns_from(indent)))
      out_ << std::string(line.empty() ? 0 : indent, ' ') << painted(style_, colour, line) << '\n';
  }

  /// Each with the verdicts it got, in order.
  void print_flaky() {
    if (!flaky_.empty()) out_ << '\n' << painted(style_, Colour::yellow, "flaky calls") << '\n';
    for (const std::uint64_t place : flaky_) {
      const spec::Record record = flaky_records_.read(place);
      std::string verdicts(name(record.verdict));
      for (const spec::Verdict verdict : record.retried) verdicts += fmt::format(", {}", name(verdict));
      out_ << "  " << one_line(record.id) << " on " << one_line(record.engine) << ": " << verdicts << '\n';
      print_indented(cause(record), 4, Colour::plain);
      out_ << "    reproduce: " << one_line(record.reproduce) << '\n';
    }
  }

  void print_stale(const spec::Trailer& trailer) {
    if (trailer.stale.empty()) return;
    const Colour colour = stale_in(header_, trailer) > 0 ? Colour::red : Colour::yellow;
    out_ << '\n' << painted(style_, colour, "stale baseline entries") << '\n';
    for (const spec::StaleEntry& entry : trailer.stale)
      out_ << "  " << one_line(fmt::format("{}:{}: {}", entry.file, entry.line, entry.text)) << '\n';
  }

  void print_gates(const spec::Trailer& trailer) {
    if (trailer.gates.empty()) return;
    out_ << '\n' << painted(style_, Colour::red, "failed gates") << '\n';
    for (const spec::FailedGate& gate : trailer.gates)
      out_ << "  " << one_line(fmt::format("{}: {}", gate.gate, gate.text)) << '\n';
  }

  /// How it went, and how much was judged. Everything that decides the exit code is in one line.
  void print_summary(const spec::Trailer& trailer) {
    out_ << '\n';
    for (spec::Reach reach : trailer.reach) {
      reach.engine = names_.of(reach.engine);
      page_.put_note(one_line(words_of(reach)));
    }
    for (spec::Skipped skipped : trailer.skipped) {
      skipped.engine = names_.of(skipped.engine);
      page_.put_note(one_line(words_of(skipped)));
    }
    if (const std::string words = unreached_words(trailer, style_.verbosity > 0); !words.empty())
      page_.put_note(one_line(words));
    if (!trailer.resume.empty()) out_ << "resume with: " << one_line(trailer.resume) << '\n';
    const Conclusion conclusion = reports::conclusion(header_, trailer, counts_);
    out_ << painted(style_, colour_of(conclusion.mood), "Summary: " + conclusion.sentence) << '\n';
    if (!trailer.next.empty()) out_ << "next, generated calls: " << one_line(trailer.next) << '\n';
  }

  std::ostream& out_;
  Style style_;
  Page page_;
  WorkflowCommands commands_;
  spec::Header header_;
  ShownNames names_;
  RunCounts counts_;
  Matrix matrix_;
  PracticeTable practices_;
  std::map<spec::Verdict, std::size_t> verdicts_;        ///< of calls not known to fail
  std::map<spec::Verdict, Colour> colours_;              ///< for those
  std::map<spec::Verdict, std::size_t> known_verdicts_;  ///< of calls known to fail
  KnownReasons known_;
  std::map<std::string, std::size_t> unsupported_;  ///< by reason
  Failures failures_;
  RecordSpool flaky_records_;
  std::vector<std::uint64_t> flaky_;  ///< their places
};

}  // namespace

std::unique_ptr<Reporter> make_console(std::ostream& out, const Style& style) {
  return std::make_unique<Console>(out, style);
}

}  // namespace scatterproof::reports
