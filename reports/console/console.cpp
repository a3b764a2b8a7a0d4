// SPDX-License-Identifier: Apache-2.0
// The console report: the matrix, a count for each verdict, then every unexpected failure with its
// explanation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <ostream>
#include <tuple>
#include <utility>

#include "scatterproof/reports/reporter.hpp"
#include "table.hpp"
#include "text.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t longest_explanation = 4096;  // bytes, unless verbose
constexpr std::size_t most_failures = 100;         // groups, unless verbose

/// In what failures of one case are alike. Streams of version 1 have no diagnosis: their words must do.
std::string alike(const spec::Record& record) {
  if (record.diagnosis.kind == spec::DiagnosisKind::none) return record.explanation;
  return to_string(without_numbers(record.diagnosis)) + '\n' + record.message;
}

/// Failures of one case that are alike on several engines.
struct Failure {
  spec::Record first;
  std::vector<std::pair<std::string, std::string>> engines;  ///< name, reproduce line
};

Colour colour_of(Standing standing) {
  switch (standing) {
    case Standing::passed:
      return Colour::green;
    case Standing::failed:
      return Colour::red;
    case Standing::weak:
    case Standing::known:
      return Colour::yellow;
    default:
      return Colour::dim;
  }
}

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

class Console final : public Reporter {
 public:
  Console(std::ostream& out, const Style& style) : out_(out), style_(style) {}

  void run_started(const spec::Header& header) override { header_ = header; }

  void call_judged(const spec::Record& record) override {
    records_ += record.count;
    matrix_.count(record);
    verdicts_[record.verdict][standing(record)] += record.count;
    switch (standing(record)) {
      case Standing::failed:
        add_failure(record);
        break;
      case Standing::known:
        known_[record.known_reason] += record.count;
        break;
      case Standing::unsupported:
        unsupported_[cause(record)] += record.count;
        break;
      default:
        break;
    }
    if (style_.verbosity > 0) list(record);
  }

  void run_finished(const spec::Trailer& trailer) override {
    if (style_.verbosity > 0 && records_ > 0) out_ << '\n';
    if (records_ > 0) matrix_.print(out_, style_);
    print_verdicts();
    print_reasons("known deviations", known_, Colour::yellow);
    print_reasons("unsupported", unsupported_, Colour::dim);
    print_unavailable();
    print_failures();
    print_stale(trailer);
    print_ending(trailer);
    out_.flush();
  }

 private:
  void list(const spec::Record& record) {
    const std::string word = fmt::format("{:<17}", name(record.verdict));
    out_ << painted(style_, colour_of(standing(record)), word)
         << fmt::format("{} on {}{}\n", printable(record.id), printable(record.engine),
                        record.disposition == spec::Disposition::known ? ", known" : "");
    if (standing(record) == Standing::weak) print_indented(cause(record), 2, Colour::dim);
  }

  void add_failure(const spec::Record& record) {
    const auto [place, is_new] =
        failure_places_.try_emplace({record.id, record.verdict, alike(record)}, failures_.size());
    if (is_new) failures_.push_back({record, {}});
    failures_[place->second].engines.emplace_back(record.engine, record.reproduce);
  }

  void print_verdicts() {
    if (records_ > 0) out_ << '\n';
    for (const auto& [verdict, standings] : verdicts_) {
      std::size_t total = 0;
      Colour colour = Colour::plain;
      std::string split;
      for (const auto& [standing, n] : standings) {
        total += n;
        colour = standing == Standing::failed || colour == Colour::plain ? colour_of(standing) : colour;
        if (standing == Standing::failed)
          split += fmt::format("{}{} unexpected", split.empty() ? "" : ", ", n);
        if (standing == Standing::known) split += fmt::format("{}{} known", split.empty() ? "" : ", ", n);
      }
      const std::string words =
          split.empty() ? std::string(meaning(verdict)) : fmt::format("{} ({})", meaning(verdict), split);
      out_ << fmt::format("{:>7} ", total) << painted(style_, colour, fmt::format("{:<17}", name(verdict)));
      put_hanging(words, 25, Colour::dim);
    }
  }

  /// Goes on in a line that is `indent` columns long; further lines begin below this place.
  void put_hanging(std::string_view text, std::size_t indent, Colour colour) {
    std::string before;
    for (const std::string& line : wrapped(text, columns_from(indent))) {
      out_ << before << painted(style_, colour, line) << '\n';
      before = std::string(indent, ' ');
    }
  }

  void print_reasons(const char* title, const std::map<std::string, std::size_t>& reasons, Colour colour) {
    if (reasons.empty()) return;
    out_ << '\n' << painted(style_, colour, title) << '\n';
    for (const auto& [reason, n] : reasons) {
      const std::string text =
          capped(printable(reason.empty() ? "no reason given" : reason), longest_explanation);
      out_ << fmt::format("{:>7} ", n);
      put_hanging(text, 8, Colour::plain);
    }
  }

  void print_unavailable() {
    std::string separator = "\n";
    for (const spec::EngineSummary& engine : header_.engines) {
      if (engine.state == "ready") continue;
      out_ << separator << painted(style_, Colour::dim, printable(engine.name + ": " + engine.state)) << '\n';
      separator.clear();
    }
  }

  void print_failures() {
    const std::size_t shown =
        style_.verbosity > 0 ? failures_.size() : std::min(failures_.size(), most_failures);
    for (std::size_t i = 0; i < shown; ++i) print_failure(failures_[i]);
    if (shown < failures_.size())
      out_ << fmt::format("\n... and {} (-v shows all)\n",
                          counted(failures_.size() - shown, "more failure", "more failures"));
  }

  void print_failure(const Failure& failure) {
    const spec::Record& record = failure.first;
    std::string engines;
    for (const auto& [engine, reproduce] : failure.engines)
      engines += (engines.empty() ? "" : ", ") + printable(engine);
    out_ << '\n'
         << painted(style_, Colour::red, "FAILED ") << painted(style_, Colour::bold, printable(record.id))
         << " on " << engines << ": " << painted(style_, Colour::red, name(record.verdict))
         << (record.count > 1 ? fmt::format(" ({} calls alike)", record.count) : "") << '\n';
    print_indented(cause(record), 2, Colour::bold);
    if (const std::size_t newline = record.explanation.find('\n'); newline != std::string::npos)
      print_indented(record.explanation.substr(newline + 1), 4, Colour::plain);
    if (style_.verbosity > 0 && record.message.find('\n') != std::string::npos) {
      out_ << "  the whole message:\n";
      print_indented(record.message, 4, Colour::plain);
    }
    if (record.diagnosis.kind != spec::DiagnosisKind::none)
      out_ << "  diagnosis: " << printable(to_string(record.diagnosis)) << '\n';
    for (const auto& [engine, reproduce] : failure.engines)
      out_ << "  reproduce: " << printable(reproduce) << '\n';
    if (record.snippet.empty()) return;
    // A script is copied from here: no indentation, no wrapped lines.
    out_ << "  without scatterproof:\n\n" << painted(style_, Colour::dim, printable(record.snippet)) << '\n';
  }

  void print_indented(const std::string& raw, std::size_t indent, Colour colour) {
    std::string text = printable(raw);
    if (style_.verbosity == 0) text = capped(std::move(text), longest_explanation);
    for (const std::string& line : wrapped(text, columns_from(indent)))
      out_ << std::string(line.empty() ? 0 : indent, ' ') << painted(style_, colour, line) << '\n';
  }

  void print_stale(const spec::Trailer& trailer) {
    if (trailer.stale.empty()) return;
    out_ << '\n' << painted(style_, Colour::red, "stale baseline entries") << '\n';
    for (const spec::StaleEntry& entry : trailer.stale)
      out_ << printable(fmt::format("  {}:{}: {}\n", entry.file, entry.line, entry.text));
  }

  void print_ending(const spec::Trailer& trailer) {
    out_ << '\n';
    if (trailer.ended.empty())
      out_ << painted(style_, Colour::red, "The stream was cut off: it has no end record.") << '\n';
    if (trailer.interrupted) out_ << painted(style_, Colour::red, "Interrupted.") << '\n';
    if (!trailer.resume.empty()) out_ << "  go on with: " << printable(trailer.resume) << '\n';
    if (records_ < header_.planned)
      out_ << fmt::format("{} of {} planned calls were judged.\n", records_, header_.planned);
    std::size_t failed = 0;
    for (const Failure& failure : failures_) failed += failure.engines.size();
    std::string word = failed > 0 ? counted(failed, "unexpected failure", "unexpected failures") : "";
    if (!trailer.stale.empty())
      word += (word.empty() ? "" : " and ") +
              counted(trailer.stale.size(), "stale baseline entry", "stale baseline entries");
    const bool good = word.empty();
    const bool whole = !trailer.interrupted && !trailer.ended.empty();
    if (good) word = records_ == 0 ? "Nothing ran" : whole ? "As expected" : "As expected so far";
    const Colour colour = !good ? Colour::red : whole && records_ > 0 ? Colour::green : Colour::yellow;
    out_ << painted(style_, colour, word)
         << fmt::format(": {} judged.\n", counted(records_, "call", "calls"));
  }

  std::size_t columns_from(std::size_t indent) const {
    const auto width = static_cast<std::size_t>(std::max(style_.width, 0));
    return std::max<std::size_t>(width, indent + 20) - indent;
  }

  std::ostream& out_;
  Style style_;
  spec::Header header_;
  std::size_t records_ = 0;
  Matrix matrix_;
  std::map<spec::Verdict, std::map<Standing, std::size_t>> verdicts_;
  std::map<std::string, std::size_t> known_;        ///< by reason
  std::map<std::string, std::size_t> unsupported_;  ///< by reason
  std::vector<Failure> failures_;                   ///< in the order they came
  std::map<std::tuple<std::string, spec::Verdict, std::string>, std::size_t> failure_places_;
};

}  // namespace

std::unique_ptr<Reporter> make_console(std::ostream& out, const Style& style) {
  return std::make_unique<Console>(out, style);
}

}  // namespace scatterproof::reports
