// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace scatterproof::runner::site {
namespace {

bool is_of_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// A reading says what it does in a sentence; several are told one after the other.
std::string reading_words(const spec::FamilyComparison& comparison, const std::string& names) {
  std::vector<std::string> says;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t end = std::min(names.find(" and ", at), names.size());
    const std::string id = names.substr(at, end - at);
    const auto found = std::ranges::find(comparison.readings, id, &spec::CallReading::id);
    says.push_back(found != comparison.readings.end() ? found->says : id);
    at = end + 5;
  }
  return fmt::format("{}", fmt::join(says, "; "));
}

}  // namespace

std::string behaviour_words(const spec::FamilyComparison& comparison, const std::string& behaviour) {
  if (behaviour == "as defined") return "gives the usual result";
  if (behaviour == "refuses") return "refuses the call";
  if (behaviour == "refuses after writing") return "refuses the call after it has changed an argument";
  if (behaviour == "crashes") return "crashes or hangs";
  if (behaviour == "unexplained") return "gives another result";
  if (behaviour == "undefined") return "promises nothing";
  if (behaviour == "silent") return "does not say";
  if (behaviour == "several") return "allows several results";
  if (behaviour == "cannot say") return "has no way to write such a call";
  return reading_words(comparison, behaviour);
}

bool promises_something(const std::string& behaviour) {
  return behaviour != "undefined" && behaviour != "silent" && behaviour != "several" &&
         behaviour != "cannot say";
}

std::string seen_words(const spec::FamilyComparison& comparison, const std::vector<KeptBehaviour>& seen) {
  std::vector<std::string> words;
  for (const KeptBehaviour& one : seen)
    words.push_back(behaviour_words(comparison, one.name) + (one.repeated ? "" : " (not each time)"));
  return fmt::format("{}", fmt::join(words, ", or "));
}

std::string count_words(std::size_t n, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string with_names(const std::string& text,
                       const std::vector<std::pair<std::string, std::string>>& names) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_a_name(text[end])) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    const std::string word = text.substr(at, end - at);
    const bool is_member = at > 0 && text[at - 1] == '.';
    const auto found = std::ranges::find(names, word, [](const auto& pair) { return pair.first; });
    out += found != names.end() && !is_member ? found->second : word;
    at = end;
  }
  return out;
}

}  // namespace scatterproof::runner::site
