// SPDX-License-Identifier: Apache-2.0
// A worker's process from its first message to its last.
#include "scatterproof/engines/server/serve.hpp"

#include <fcntl.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conversation.hpp"

namespace scatterproof::engines {
namespace {

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
  const char* data = std::getenv("SCATTERPROOF_DATA");
  if (data == nullptr) {
    spec::Error error;
    error.what = "SCATTERPROOF_DATA is not set";
    error.hint = "the tool sets it for its workers: the folder that holds spec/data/ops";
    return error;
  }
  return spec::SpecLibrary::load(std::string(data) + "/spec/data/ops");
}

}  // namespace scatterproof::engines
