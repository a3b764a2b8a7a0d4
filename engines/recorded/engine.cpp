// SPDX-License-Identifier: Apache-2.0
// Answers calls from a recording.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "scatterproof/engines/recorded/recording.hpp"
#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::engines {
namespace {

struct KeyOf {
  std::string operator()(const spec::None&) const { return "none"; }
  std::string operator()(const spec::Scalar& value) const {
    return fmt::format("{} {}", static_cast<int>(value.kind()), spec::to_string(value));
  }
  std::string operator()(const std::string& word) const { return fmt::format("word {}", word); }
  std::string operator()(const spec::Shape& integers) const { return fmt::format("{}", integers); }
  /// The elements, whatever lies between them in the storage.
  std::string operator()(const spec::Tensor& tensor) const {
    const spec::Tensor compact = tensor.contiguous();
    return fmt::format("{} {} {} {} ", spec::name(tensor.dtype()), tensor.shape(), tensor.strides(),
                       tensor.offset())
        .append(reinterpret_cast<const char*>(compact.storage().data()), compact.storage().size());
  }
};

/// The first, by name, of the arguments that have one storage; empty: the argument shares none.
std::string first_owner(const spec::Call& call, std::size_t at) {
  const auto* tensor = std::get_if<spec::Tensor>(&call.arguments[at].second);
  std::string first;
  for (std::size_t i = 0; i < call.arguments.size() && tensor != nullptr; ++i) {
    const auto* other = std::get_if<spec::Tensor>(&call.arguments[i].second);
    if (i == at || other == nullptr || !spec::share_storage(*tensor, *other)) continue;
    const std::string& name = std::min(call.arguments[at].first, call.arguments[i].first);
    if (first.empty() || name < first) first = name;
  }
  return first;
}

/// The same for two calls exactly when they are the same call. Arguments that a call leaves out are ignored.
std::string key_of(const spec::Call& call) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& [name, value] = call.arguments[i];
    if (std::ranges::find(call.omitted, name) != call.omitted.end()) continue;
    const std::string key = std::visit(KeyOf{}, value);
    parts.push_back(fmt::format("{} {} {} {}", name, first_owner(call, i), key.size(), key));
  }
  std::ranges::sort(parts);  // the order of arguments has no meaning
  return fmt::format("{} {}", call.api, fmt::join(parts, " "));
}

class RecordedEngine final : public Engine {
 public:
  RecordedEngine(const std::string& name, std::string path, Recording recording)
      : path_(std::move(path)), info_(std::move(recording.engine)), cut_off_(recording.cut_off) {
    info_.declared = std::exchange(info_.name, name);
    for (RecordedCall& one : recording.calls)
      answers_[key_of(one.call)].outcomes.push_back(std::move(one.outcome));
  }

  std::string stop() override {
    if (!std::exchange(cut_off_, false)) return {};
    return fmt::format("the last line of {} is cut off, and was left out", path_);
  }
  const EngineInfo& info() const override { return info_; }
  Support supports(const spec::Call& call) const override {
    if (answers_.contains(key_of(call))) return {};
    return {false, "not in " + path_};
  }

 private:
  struct Answers {
    std::vector<spec::Outcome> outcomes;
    std::size_t given = 0;
  };

  std::vector<spec::Outcome> do_run(std::span<const CallRequest> requests) override {
    std::vector<spec::Outcome> outcomes;
    for (const CallRequest& request : requests) {
      const auto found = answers_.find(key_of(*request.call));
      if (found == answers_.end()) {
        outcomes.emplace_back(spec::Unsupported{"not in " + path_}, 0);
      } else {
        Answers& answers = found->second;
        outcomes.push_back(answers.outcomes[answers.given++ % answers.outcomes.size()]);
      }
    }
    return outcomes;
  }

  std::string path_;
  EngineInfo info_;
  bool cut_off_;
  std::unordered_map<std::string, Answers> answers_;
};

}  // namespace

spec::Result<std::unique_ptr<Engine>> make_recorded_engine(const std::string& name, const std::string& path) {
  auto recording = read_recording(path);
  if (!recording) return recording.errors();
  return std::unique_ptr<Engine>(std::make_unique<RecordedEngine>(name, path, std::move(recording).value()));
}

}  // namespace scatterproof::engines
