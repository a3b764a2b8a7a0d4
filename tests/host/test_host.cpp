// SPDX-License-Identifier: Apache-2.0
// A host as small as they get: the reference engine in a process of its own; and what a host does when things
// go wrong, as its argument tells it to.
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "scatterproof/engines/host.hpp"
#include "scatterproof/engines/reference.hpp"

namespace {

using namespace scatterproof;

/// Takes any call and comes to grief over it.
class Unlucky final : public engines::InProcessEngine {
 public:
  explicit Unlucky(std::string fate) : fate_(std::move(fate)) {
    info_ = {"unlucky", "", "1", "cpu", {"torch.gather"}, {"i64"}};
  }
  std::string start() override { return fate_ == "no-device" ? "no device" : ""; }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const spec::Call&) const override { return {}; }

 private:
  spec::Outcome do_call(const spec::Call&) override {
    if (fate_ == "throws") throw std::runtime_error("out of luck");
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
