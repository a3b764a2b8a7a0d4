// SPDX-License-Identifier: Apache-2.0
// A worker's process from its first message to its last.
#include "scatterproof/engines/server/serve.hpp"

#include <cstdio>
#include <cstdlib>

#include "conversation.hpp"

namespace scatterproof::engines {
namespace {

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
  protocol::Channel channel;
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
