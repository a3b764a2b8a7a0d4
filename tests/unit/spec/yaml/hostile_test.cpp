// SPDX-License-Identifier: Apache-2.0
// Every hostile input is refused with the words and the place that hostile/manifest.tsv asks for, by a child
// process that has 2 seconds of processor time and 512 MiB of address space.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "hostile_files.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::tests {
namespace {

using spec::Error;
using spec::Errors;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

struct Demand {
  std::string place;  // `3:1`, the beginning of one, `-` for none, empty for any
  std::string words;
};
struct Entry {
  std::string file;
  std::string kind;  // read, or a schema's name
  std::vector<Demand> demands;
};

const std::string& hostile_folder() {
  static const std::string folder = SCATTERPROOF_SOURCE_DIR "/tests/unit/spec/yaml/hostile";
  return folder;
}

std::vector<Entry> manifest() {
  std::map<std::pair<std::string, std::string>, std::vector<Demand>> all;
  std::ifstream file(hostile_folder() + "/manifest.tsv");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::string name, kind, place, words;
    std::getline(fields, name, '\t');
    std::getline(fields, kind, '\t');
    std::getline(fields, place, '\t');
    std::getline(fields, words);
    all[{name, kind}].push_back({place, words});
  }
  std::vector<Entry> entries;
  for (auto& [key, demands] : all) entries.push_back({key.first, key.second, std::move(demands)});
  return entries;
}

Errors read(const std::string& path, const std::string& kind) {
  const auto document = spec::yaml::read_file(path);
  if (!document) return document.errors();
  return kind == "read" ? Errors{} : spec::yaml::validate(*document, kind);
}

void limit(int resource, rlim_t most) {
  const rlimit both{most, most};
  ::setrlimit(resource, &both);
}

/// What a child says of the file; `fate` is how the child ended.
std::string read_in_child(const Entry& entry, const std::string& path, int& fate) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    limit(RLIMIT_CPU, sanitized ? 20 : 2);
    if (!sanitized) limit(RLIMIT_AS, 512u << 20);
    ::alarm(60);  // a child that waits, for a pipe's writer say, uses no processor time
    if (entry.file == "generated:no-permission" && ::geteuid() == 0 && ::seteuid(65534) != 0) ::_exit(9);
    std::string text;
    for (const Error& one : read(path, entry.kind))
      text += std::to_string(one.at.line) + ":" + std::to_string(one.at.column) + "\t" + one.what + "\t" +
              one.hint + "\n";
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t count = ::write(ends[1], text.data() + sent, text.size() - sent);
      if (count <= 0) ::_exit(8);
      sent += static_cast<std::size_t>(count);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char block[4096];
  for (ssize_t count = 0; (count = ::read(ends[0], block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(count));
  ::close(ends[0]);
  ::waitpid(child, &fate, 0);
  return text;
}

bool met(const Demand& demand, const std::string& report) {
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    const std::string place = demand.place == "-" ? "0:0" : demand.place;
    const bool whole = place.empty() || place.ends_with(':') || line.substr(place.size(), 1) == "\t";
    if (line.starts_with(place) && whole && line.find(demand.words) != std::string::npos) return true;
  }
  return false;
}

class Hostile : public testing::Test {
 protected:
  Hostile() {
    std::string pattern = std::filesystem::temp_directory_path().string() + "/scatterproof-hostile-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    ::chmod(folder_.c_str(), 0755);  // the child without rights must reach the file
  }
  ~Hostile() override { std::filesystem::remove_all(folder_); }

  std::string path_of(const Entry& entry) const {
    constexpr std::string_view prefix = "generated:";
    if (!entry.file.starts_with(prefix)) return hostile_folder() + "/" + entry.file;
    return make_hostile(entry.file.substr(prefix.size()), folder_);
  }

  std::string folder_;
};

TEST_F(Hostile, EachFileIsRefusedInTimeWithTheRightWords) {
  for (const Entry& entry : manifest()) {
    SCOPED_TRACE(entry.file + " as " + entry.kind);
    int fate = 0;
    const std::string report = read_in_child(entry, path_of(entry), fate);
    EXPECT_TRUE(WIFEXITED(fate) && WEXITSTATUS(fate) == 0) << "wait status " << fate;
    for (const Demand& demand : entry.demands)
      EXPECT_TRUE(met(demand, report)) << demand.place << " " << demand.words << "\nin:\n"
                                       << report.substr(0, 2000);
  }
}

TEST_F(Hostile, TheManifestNamesEveryFileAndThereAreEnough) {
  std::set<std::string> named;
  for (const Entry& entry : manifest()) named.insert(entry.file);
  EXPECT_GE(named.size(), 60u);
  for (const auto& file : std::filesystem::directory_iterator(hostile_folder()))
    EXPECT_TRUE(named.contains(file.path().filename()) || file.path().filename() == "manifest.tsv")
        << file.path();
}

}  // namespace
}  // namespace scatterproof::tests
