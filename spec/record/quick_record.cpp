// SPDX-License-Identifier: Apache-2.0
#include "quick_record.hpp"

#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>
#include <vector>

namespace scatterproof::spec {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A line while it is read. Each function takes what it is named after, or says false.
class Words {
 public:
  explicit Words(std::string_view line) : left_(line) {}

  bool is(std::string_view text) {
    if (!left_.starts_with(text)) return false;
    left_.remove_prefix(text.size());
    return true;
  }
  bool at_end() const { return left_.empty(); }

  /// `"..."`, of ASCII with the short escapes.
  bool text(std::string& to) {
    to.clear();
    if (!is("\"")) return false;
    while (true) {
      std::size_t n = 0;
      while (n < left_.size() && is_plain(left_[n])) ++n;
      to.append(left_.data(), n);
      left_.remove_prefix(n);
      if (left_.size() < 2) return !left_.empty() && is("\"");
      if (is("\"")) return true;
      if (!escape(to)) return false;
    }
  }
  bool texts(std::vector<std::string>& to) {
    return list([&] { return text(to.emplace_back()); });
  }
  template <class Item>
  bool list(const Item& item) {
    if (!is("[")) return false;
    if (is("]")) return true;
    do
      if (!item()) return false;
    while (is(","));
    return is("]");
  }

  template <class Value, class Parse>
  bool word(Value& to, Parse parse) {
    if (!text(word_)) return false;
    const auto value = parse(word_);
    if (value) to = *value;
    return value.has_value();
  }

  template <class Whole>
  bool whole(Whole& to) {
    const std::size_t n = digits();
    if (n == 0 || n == left_.size() || left_[n] == '.' || left_[n] == 'e' || left_[n] == 'E') return false;
    return converted(to, n);
  }
  /// Not below zero.
  bool number(double& to) {
    std::size_t n = digits();
    if (n == 0) return false;
    if (n < left_.size() && left_[n] == '.') {
      const std::size_t fraction = run_of_digits(n + 1);
      if (fraction == 0) return false;
      n += 1 + fraction;
    }
    if (n < left_.size() && (left_[n] == 'e' || left_[n] == 'E')) {
      ++n;
      if (n < left_.size() && (left_[n] == '-' || left_[n] == '+')) ++n;
      const std::size_t power = run_of_digits(n);
      if (power == 0) return false;
      n += power;
    }
    return converted(to, n);
  }

 private:
  static bool is_plain(char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; }

  bool escape(std::string& to) {
    if (left_.front() != '\\') return false;
    constexpr std::string_view letters = "nt\"\\/bfr", meant = "\n\t\"\\/\b\f\r";
    const std::size_t which = letters.find(left_[1]);
    if (which == std::string_view::npos) return false;
    to += meant[which];
    left_.remove_prefix(2);
    return true;
  }

  std::size_t run_of_digits(std::size_t from) const {
    std::size_t n = from;
    while (n < left_.size() && is_digit(left_[n])) ++n;
    return n - from;
  }
  /// The same without zeros before a number, which JSON does not allow.
  std::size_t digits() const {
    const std::size_t n = run_of_digits(0);
    return n > 1 && left_.front() == '0' ? 0 : n;
  }

  template <class Number>
  bool converted(Number& to, std::size_t size) {
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + size, to);
    if (error != std::errc() || end != left_.data() + size) return false;
    left_.remove_prefix(size);
    return true;
  }

  std::string_view left_;
  std::string word_;
};

/// Whether a field is not there, or is as it should be.
template <class Value>
bool if_there(Words& in, std::string_view key, const Value& value) {
  return !in.is(key) || value();
}

bool read_outcome(Words& in, OutcomeSummary& to) {
  return in.is(R"({"kind":)") && in.text(to.kind) &&
         if_there(in, R"(,"classes":)", [&] { return in.texts(to.classes); }) &&
         if_there(in, R"(,"wrote":)", [&] { return in.texts(to.wrote); }) &&
         if_there(in, R"(,"dtype":)", [&] { return in.text(to.dtype); }) &&
         if_there(in, R"(,"shape":)",
                  [&] { return in.list([&] { return in.whole(to.shape.emplace_back()); }); }) &&
         if_there(in, R"(,"digest":)", [&] { return in.text(to.digest); }) &&
         if_there(in, R"(,"values":)", [&] { return in.text(to.values); }) && in.is("}");
}

}  // namespace

bool read_quickly(std::string_view line, Record& record) {
  record = Record();
  Words in(line);
  const auto text_if_there = [&](std::string_view key, std::string& to) {
    return !in.is(key) || in.text(to);
  };
  const auto cause = [&] { return in.word(record.causes.emplace_back(), parse_diagnosis); };
  const auto call_glob = [&] {
    CallGlob& one = record.call_globs.emplace_back();
    return in.is(R"({"glob":)") && in.text(one.glob) && in.is(R"(,"passed":)") && in.whole(one.passed) &&
           in.is("}");
  };
  const auto verdict = [&] { return in.word(record.retried.emplace_back(), parse_verdict); };
  // In the order in which to_json_line writes them.
  return in.is(R"({"type":"record","id":)") && in.text(record.id) && in.is(R"(,"api":)") &&
         in.text(record.api) && text_if_there(R"(,"operation":)", record.operation) &&
         in.is(R"(,"engine":)") && in.text(record.engine) && in.is(R"(,"version":)") &&
         in.text(record.version) && in.is(R"(,"device":)") && in.text(record.device) &&
         in.is(R"(,"verdict":)") && in.word(record.verdict, parse_verdict) && in.is(R"(,"rung":)") &&
         in.word(record.mode, parse_comparison_mode) && in.is(R"(,"disposition":)") &&
         in.word(record.disposition, parse_disposition) &&
         if_there(in, R"(,"diagnosis":)", [&] { return in.word(record.diagnosis, parse_diagnosis); }) &&
         if_there(in, R"(,"outcome":)", [&] { return read_outcome(in, record.outcome.emplace()); }) &&
         if_there(in, R"(,"broken":)", [&] { return in.texts(record.broken); }) &&
         if_there(in, R"(,"practice":)", [&] { return in.word(record.practice, parse_diagnosis); }) &&
         text_if_there(R"(,"recast":)", record.recast) && in.is(R"(,"explanation":)") &&
         in.text(record.explanation) && if_there(in, R"(,"causes":)", [&] { return in.list(cause); }) &&
         text_if_there(R"(,"message":)", record.message) && in.is(R"(,"reproduce":)") &&
         in.text(record.reproduce) && text_if_there(R"(,"known_reason":)", record.known_reason) &&
         text_if_there(R"(,"known_file":)", record.known_file) &&
         if_there(in, R"(,"known_line":)", [&] { return in.whole(record.known_line); }) &&
         text_if_there(R"(,"file":)", record.file) &&
         if_there(in, R"(,"line":)", [&] { return in.whole(record.line); }) &&
         if_there(in, R"(,"retried":)", [&] { return in.list(verdict); }) &&
         if_there(in, R"(,"bound":)", [&] { return in.number(record.bound.emplace()); }) &&
         if_there(in, R"(,"sensitivity":)", [&] { return in.number(record.sensitivity.emplace()); }) &&
         text_if_there(R"(,"snippet":)", record.snippet) &&
         if_there(in, R"(,"elements":)", [&] { return in.whole(record.elements); }) &&
         if_there(in, R"(,"count":)", [&] { return in.whole(record.count) && record.count <= most_calls; }) &&
         if_there(in, R"(,"number":)", [&] { return in.whole(record.number.emplace()); }) &&
         if_there(in, R"(,"call_globs":)", [&] { return in.list(call_glob); }) &&
         if_there(in, R"(,"passed":)", [&] { return in.whole(record.passed); }) && in.is(R"(,"seed":)") &&
         in.whole(record.seed) && in.is(R"(,"call_seconds":)") && in.number(record.call_seconds) &&
         in.is(R"(,"judge_seconds":)") && in.number(record.judge_seconds) && in.is("}") && in.at_end();
}

}  // namespace scatterproof::spec
