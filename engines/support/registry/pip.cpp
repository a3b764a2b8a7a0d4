// SPDX-License-Identifier: Apache-2.0
#include "pip.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>

#include "execute.hpp"

namespace scatterproof::engines::registry {
namespace {

/// What follows `mark` in a text up to the end of its line; empty when the mark is not there.
std::string_view after(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  if (at == text.npos) return {};
  text.remove_prefix(at + mark.size());
  return text.substr(0, text.find('\n'));
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

/// `torch` of `torch-2.13.0-cp311-linux.whl`.
std::string_view of_file(std::string_view file) { return file.substr(0, file.find('-')); }

/// What a line of pip's says in a few words; empty when it says nothing new.
std::string in_words(std::string_view line) {
  if (const auto file = after(line, "Downloading "); !file.empty())
    return fmt::format("fetching {}", of_file(first_word(file.substr(file.rfind('/') + 1))));
  if (line.starts_with("Collecting ")) return fmt::format("looking for {}", first_word(line.substr(11)));
  if (line.starts_with("Installing collected packages")) return "unpacking";
  return {};
}

/// Why pip did not get a page of the index, by what it logs of that; empty when the page is not there.
std::string in_index_words(std::string_view why) {
  if (why.find("Read timed out") != why.npos || why.find("connect timeout") != why.npos)
    return "the package index does not answer";
  if (why.find("confirming the ssl certificate") != why.npos || why.find("SSLError") != why.npos)
    return "there is no secure connection to the package index";
  for (const std::string_view kind : {" Client Error", " Server Error"})
    if (const auto at = why.find(kind); at != why.npos && at >= 3) {
      const std::string_view status = why.substr(at - 3, 3);
      return status == "404" ? std::string()
                             : fmt::format("the package index answers with HTTP status {}", status);
    }
  return "the package index cannot be reached";
}

/// The same for the first page that pip did not get.
std::string index_failure(std::string_view talk) {
  constexpr std::string_view unfetched = "Could not fetch URL ";
  for (auto at = talk.find(unfetched); at != talk.npos; at = talk.find(unfetched, at + 1))
    if (std::string words = in_index_words(after(talk.substr(at), unfetched)); !words.empty()) return words;
  if (talk.find("is not a trusted or secure host and is being ignored") != talk.npos)
    return "pip ignores the package index, because its address begins with http://";
  return {};
}

struct Sign {
  std::string_view words;  ///< in pip's output
  std::string_view means;
};

// The first that is found speaks.
constexpr Sign signs[] = {
    {"No space left on device", "the disk is full"},
    {"ResolutionImpossible", "the packages cannot be installed together"},
};
constexpr Sign signs_of_the_network[] = {
    {"name resolution", "the package index cannot be reached"},
    {"Failed to establish a new connection", "the package index cannot be reached"},
    {"Network is unreachable", "the package index cannot be reached"},
    {"Read timed out", "the package index does not answer"},
};

}  // namespace

std::string pip_failure(std::string_view talk, std::string_view logged) {
  for (const auto& [words, means] : signs)
    if (talk.find(words) != talk.npos) return std::string(means);
  if (std::string words = index_failure(logged); !words.empty()) return words;
  for (const auto& [words, means] : signs_of_the_network)
    if (talk.find(words) != talk.npos) return std::string(means);
  if (const auto what = after(talk, "No matching distribution found for "); !what.empty())
    return fmt::format("there is no {} for this Python and this machine", what);
  if (const auto what = after(talk, "ERROR: "); !what.empty()) return std::string(what);
  return "pip failed";
}

std::uint64_t fetched_bytes(std::string_view line) {
  if (line.find("Downloading ") == line.npos) return 0;
  const auto open = line.rfind('(');
  if (open == line.npos) return 0;
  const std::string_view size = line.substr(open + 1);
  double number = 0;
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), number);
  if (error != std::errc{}) return 0;
  const std::string_view unit = size.substr(static_cast<std::size_t>(end - size.data()));
  if (unit.starts_with(" kB")) number *= 1e3;
  if (unit.starts_with(" MB")) number *= 1e6;
  if (unit.starts_with(" GB")) number *= 1e9;
  return static_cast<std::uint64_t>(number);
}

std::string package_name(std::string_view pin) {
  std::string name(pin.substr(0, pin.find("==")));
  for (char& c : name)
    c = c == '_' || c == '.' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

spec::Result<std::uint64_t> pip_install(const std::string& environment,
                                        const std::vector<std::string>& arguments, const std::string& log,
                                        const std::function<void(const std::string&)>& doing) {
  std::vector<std::string> command = {environment + "/bin/python",   "-u",         "-m",    "pip", "install",
                                      "--disable-pip-version-check", "--no-input", "--log", log};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::ofstream(log).close();  // pip adds to it, what it does not print too
  std::string talk;
  std::uint64_t fetched = 0;
  const int status = execute(command, [&](const std::string& line) {
    talk += line + '\n';
    fetched += fetched_bytes(line);
    if (const std::string words = in_words(line); !words.empty()) doing(words);
  });
  if (status == 0) return fetched;
  const std::string logged = content(log);
  if (logged.empty()) std::ofstream(log) << talk;  // it failed before it could log
  spec::Error error;
  error.what = pip_failure(talk, logged);
  return error;
}

}  // namespace scatterproof::engines::registry
