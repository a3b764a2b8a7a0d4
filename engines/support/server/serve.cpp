// SPDX-License-Identifier: Apache-2.0
// A worker's process from its first message to its last.
#include "scatterproof/engines/server/serve.hpp"

#include <fcntl.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "conversation.hpp"

namespace scatterproof::engines {
namespace {

namespace fs = std::filesystem;

constexpr const char* variable = "SCATTERPROOF_WORKER_FD";

/// The descriptor that the tool names.
int tools_descriptor() {
  const char* text = std::getenv(variable);
  if (text == nullptr)
    throw protocol::Wrong{"SCATTERPROOF_WORKER_FD is not set: workers are started by scatterproof"};
  const char* end = text + std::strlen(text);
  int descriptor = -1;
  if (std::from_chars(text, end, descriptor).ptr != end || fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0)
    throw protocol::Wrong{fmt::format("SCATTERPROOF_WORKER_FD={} is not an open descriptor", text)};
  unsetenv(variable);  // processes that the engine starts do not inherit this
  return descriptor;
}

/// Offers nothing, and says why.
class Nobody final : public Engine {
 public:
  explicit Nobody(const std::string& reason) : reason_(reason) {}
  std::string start() override { return reason_; }
  const EngineInfo& info() const override { return info_; }
  Support supports(const spec::Call&) const override { return {false, reason_}; }

 private:
  std::vector<spec::Outcome> do_run(std::span<const CallRequest> requests) override {
    return std::vector(requests.size(), spec::Outcome{spec::Unavailable{reason_}, 0});
  }
  std::string reason_;
  EngineInfo info_;
};

spec::Result<std::string> specs_folder() {
  if (const char* data = std::getenv("SCATTERPROOF_DATA")) return std::string(data) + "/spec/data/ops";
  spec::Error error;
  error.what = "SCATTERPROOF_DATA is not set";
  error.hint = "the tool sets it for its workers: the folder that holds spec/data/ops";
  return error;
}

/// Files that contain the name of an API are read first: to search a file takes a thousandth of the time that
/// reading it as a spec takes.
class SpecsByNeed {
 public:
  explicit SpecsByNeed(const std::string& folder) {
    std::error_code failed;
    for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
      if (it->path().extension() == ".yaml") files_.push_back(it->path().string());
  }

  const spec::OpSpec* find(const std::string& api) {
    for (const bool any : {false, true}) {
      const auto found = specs_.find(api);
      if (found != specs_.end()) return &found->second;
      for (std::string& file : files_)
        if (!file.empty() && (any || names(file, api))) read(std::exchange(file, ""));
    }
    const auto found = specs_.find(api);
    return found != specs_.end() ? &found->second : nullptr;
  }

 private:
  static bool names(const std::string& file, const std::string& api) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return text.find(api) != std::string::npos;
  }

  void read(const std::string& file) {
    auto loaded = spec::load_op_specs(file);
    if (!loaded) return;
    std::vector<spec::OpSpec> of_file = std::move(loaded).value();
    for (spec::OpSpec& spec : of_file) {
      for (const spec::Variant& variant : spec.variants)
        specs_.try_emplace(variant.api, spec::as_variant(spec, variant));
      specs_.try_emplace(spec.api, std::move(spec));
    }
  }

  std::vector<std::string> files_;  ///< that have not been read; empty: one that has
  std::map<std::string, spec::OpSpec> specs_;
};

}  // namespace

int serve(Engine& engine) try {
  protocol::Channel channel(tools_descriptor());
  protocol::Conversation conversation(channel, engine);
  while (const auto message = channel.receive())
    if (!conversation.answer(*message)) break;
  return 0;
} catch (const protocol::Wrong& wrong) {
  fmt::print(stderr, "{}\n", wrong.what);
  return 1;
} catch (const protocol::Misbehaved&) {
  return 1;
}

int decline(const std::string& reason) {
  Nobody nobody(reason);
  return serve(nobody);
}

spec::Result<spec::SpecLibrary> shipped_specs() {
  const auto folder = specs_folder();
  if (!folder) return folder.errors();
  return spec::SpecLibrary::load(*folder);
}

spec::Result<std::function<const spec::OpSpec*(const std::string& api)>> shipped_specs_by_need() {
  const auto folder = specs_folder();
  if (!folder) return folder.errors();
  const auto specs = std::make_shared<SpecsByNeed>(*folder);
  return std::function([specs](const std::string& api) { return specs->find(api); });
}

}  // namespace scatterproof::engines
