// SPDX-License-Identifier: Apache-2.0
// A host as small as they get: the reference engine in a process of its own; and what a host does when things
// go wrong, as its argument tells it to.
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/engines/server/serve.hpp"

namespace {

using namespace scatterproof;

/// Sleeps for a millisecond each, or fails.
class Nap final : public engines::TimedCall {
 public:
  explicit Nap(bool fails) : fails_(fails) {}
  std::variant<double, spec::Outcome> repeat(std::int64_t times) override {
    if (fails_) return spec::Outcome{spec::Unsupported{"no more"}, 0};
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(times));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

 private:
  bool fails_;
};

/// Takes any call and comes to grief over it. Timed, it returns how it is to be timed.
class Unlucky final : public engines::InProcessEngine {
 public:
  explicit Unlucky(std::string fate) : fate_(std::move(fate)) {
    info_ = {"unlucky", "", "1", "cpu", {"torch.gather"}, {"i64"}, "luck"};
  }
  std::string start() override { return fate_ == "no-device" ? "no device" : ""; }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const spec::Call&) const override { return {}; }
  engines::PreparedCall prepare(const spec::Call&, const engines::TimingOptions& options) override {
    const std::vector<spec::Scalar> values{spec::Scalar::of_int(options.threads),
                                           spec::Scalar::of_int(options.in_place)};
    return {{spec::Produced{{spec::Tensor(spec::DType::i64, {2}, values)}, {}}, 0},
            std::make_unique<Nap>(fate_ == "fails-later")};
  }

 private:
  spec::Outcome do_call(const spec::Call&, int) override {
    if (fate_ == "throws") throw std::runtime_error("out of luck");
    if (fate_ == "much") {
      const spec::Tensor part(spec::DType::i64, {1 << 23});  // 64 MiB, and one storage for all
      return {spec::Produced{std::vector(17, part), {}}, 0};
    }
    std::raise(SIGSEGV);
    return {};
  }
  std::string fate_;
  engines::EngineInfo info_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "declines") == 0) return engines::decline("nothing to offer");
  if (count > 1) {
    Unlucky unlucky(arguments[1]);
    return engines::serve(unlucky);
  }
  const auto specs = engines::shipped_specs();
  if (!specs) return engines::decline(to_string(specs.errors()));
  return engines::serve(*engines::make_reference(*specs));
}
