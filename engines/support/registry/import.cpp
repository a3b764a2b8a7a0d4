// SPDX-License-Identifier: Apache-2.0
// A script in the engine's folder, run by the engine's own Python, writes the tests as a recording.
#include "scatterproof/engines/registry/import.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "execute.hpp"
#include "options.hpp"

namespace scatterproof::engines {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((fs::temp_directory_path() / "scatterproof-XXXXXX").string()) {
    made_ = ::mkdtemp(path_.data()) != nullptr;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (made_) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  bool made() const { return made_; }
  std::string file(const char* name) const { return (fs::path(path_) / name).string(); }

 private:
  std::string path_;
  bool made_;
};

}  // namespace

spec::Result<Recording> import_tests(const std::string& engine, const std::vector<std::string>& folders,
                                     const Places& places) {
  const auto options = registry::worker_options(engine, places);
  if (!options) return options.errors();
  const TemporaryFolder folder;
  if (!folder.made())
    return spec::Error{.what = fmt::format("cannot make a temporary folder: {}", std::strerror(errno)),
                       .hint = "TMPDIR names the folder for such"};
  const std::string recording = folder.file("tests.jsonl");
  std::vector<std::string> command = {"env"};
  for (const auto& [name, value] : options->environment) command.push_back(name + "=" + value);
  command.push_back(options->command.front());
  command.push_back(fs::path(options->command.back()).replace_filename("import_tests.py").string());
  command.push_back(recording);
  command.insert(command.end(), folders.begin(), folders.end());
  if (registry::execute(command) != 0)
    return spec::Error{.what = fmt::format("the tests of {} could not be read", options->info.name),
                       .hint = "what the script said is above"};
  return read_recording(recording);
}

}  // namespace scatterproof::engines
