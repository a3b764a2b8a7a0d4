// SPDX-License-Identifier: Apache-2.0
#include "hostile_files.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>

namespace scatterproof::tests {
namespace {

constexpr std::size_t many = 100'000;
constexpr std::size_t full = 4u << 20;  // the largest file that is read at all

std::string times(std::size_t count, const std::string& text) {
  std::string all;
  all.reserve(count * text.size());
  while (count-- > 0) all += text;
  return all;
}

std::string numbered(std::size_t count, const std::string& before, const std::string& after) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += before + std::to_string(i) + after;
  return all;
}

std::string stairs() {
  std::string all;
  for (std::size_t i = 0; i < 2000; ++i) all += std::string(i, ' ') + "a:\n";
  return all;
}

std::string random_bytes() {
  std::mt19937 random(1);
  std::string all(100'000, '\0');
  for (char& byte : all) byte = static_cast<char>(random() % 255 + 1);
  return "# " + all;
}

using Text = std::function<std::string()>;

const std::map<std::string, Text>& texts() {
  static const std::map<std::string, Text> all = {
      {"brackets", [] { return times(many, "["); }},
      {"braces", [] { return times(many, "{"); }},
      {"dashes", [] { return times(many, "- "); }},
      {"bracket-lines", [] { return times(many, "[\n"); }},
      {"brackets-apart", [] { return times(many, "[a: "); }},
      {"brackets-4mb", [] { return times(full, "["); }},
      {"flow-list-4mb", [] { return "[" + times(full / 2 - 1, "1,") + "]"; }},
      {"flow-lines-4mb", [] { return "[" + times(full / 3 - 1, "1,\n") + "]"; }},
      {"100001-scalars", [] { return times(many + 1, "- 1\n"); }},
      {"empty-items", [] { return times(many + 1, "-\n"); }},
      {"100000-keys", [] { return numbered(many, "k", ": 1\n"); }},
      {"100000-duplicates", [] { return times(many, "a: 1\n"); }},
      {"scalar-64k", [] { return "a: " + std::string(65537, 'x') + "\n"; }},
      {"block-scalar", [] { return "a: |\n" + times(70'000, " x\n"); }},
      {"quoted-4mb", [] { return "a: \"" + std::string(full - 8, 'x') + "\"\n"; }},
      {"unclosed-quote-4mb", [] { return "a: \"" + std::string(full - 8, 'x'); }},
      {"plain-lines-4mb", [] { return times(full / 2, "a\n"); }},
      {"blank-lines-4mb", [] { return std::string(full, '\n'); }},
      {"comment-4mb", [] { return std::string(full, '#'); }},
      {"spaces-4mb", [] { return std::string(full, ' '); }},
      {"long-key", [] { return std::string(300, 'k') + ": 1\n"; }},
      {"anchors", [] { return numbered(many, "- &a", " x\n"); }},
      {"tags", [] { return times(many, "- !!str x\n"); }},
      {"aliases", [] { return "- &a x\n" + times(many, "- *a\n"); }},
      {"long-tag", [] { return "!" + std::string(1u << 20, 'x') + " a\n"; }},
      {"directives", [] { return times(many, "%YAML 1.2\n"); }},
      {"documents", [] { return times(many, "--- a\n"); }},
      {"question-marks", [] { return times(many, "? "); }},
      {"colons", [] { return times(many, ": "); }},
      {"brace-colons", [] { return times(many, "{:"); }},
      {"stairs", stairs},
      {"random-bytes", random_bytes},
      {"scalar-50mb", [] { return std::string(50u << 20, 'x'); }},
      {"long-pattern-string",
       [] {
         return "api: x\ncases:\n  - id: \"" + std::string(60'000, 'a') + " b\"\n    why: w\n    call: {}\n";
       }},
      {"100000-wrong-values",
       [] {
         return "api: x\ncases:\n  - id: a\n    why: w\n    call:\n      a: {dtype: f32, values: [\n" +
                times(many - 100, "x,\n") + "1]}\n";
       }},
  };
  return all;
}

}  // namespace

std::string make_hostile(const std::string& name, const std::string& folder) {
  namespace fs = std::filesystem;
  if (name == "/dev/zero") return name;
  const std::string path = folder + "/" + name;
  if (name == "folder") return fs::create_directory(path), path;
  if (name == "missing") return path;
  if (name == "pipe") return ::mkfifo(path.c_str(), 0600), path;
  if (name == "symlink-loop") return fs::create_symlink(name, path), path;
  const bool readable_text = name != "no-permission" && name != "sparse-1tb";
  std::ofstream(path, std::ios::binary) << (readable_text ? texts().at(name)() : "a: 1\n");
  if (name == "no-permission") fs::permissions(path, fs::perms::none);
  if (name == "sparse-1tb") fs::resize_file(path, std::uintmax_t{1} << 40);
  return path;
}

}  // namespace scatterproof::tests
