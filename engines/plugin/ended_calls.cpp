// SPDX-License-Identifier: Apache-2.0
#include "ended_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace scatterproof::engines::plugin {
namespace {

constexpr std::size_t most_kept = 8;
constexpr std::size_t most_bytes = std::size_t{64} << 10;  // of one call

}  // namespace

void EndedCall::add(std::string name, std::shared_ptr<const Block> block, spec::Tensor contents) {
  parts_.push_back({std::move(name), std::move(block), std::move(contents)});
}

bool EndedCall::is_worth_keeping() const {
  std::size_t bytes = 0;
  for (const Part& part : parts_) {
    if (!part.block->is_in_own_memory()) return false;
    bytes += part.block->size();
  }
  return bytes <= most_bytes;
}

std::string EndedCall::changed() const {
  for (const Part& part : parts_)
    if (const auto& then = part.contents.storage();
        !then.empty() && std::memcmp(part.block->address(), then.data(), then.size()) != 0)
      return part.name;
  return {};
}

void EndedCalls::keep(EndedCall call) {
  if (!call.is_worth_keeping()) return;
  if (calls_.size() == most_kept) calls_.pop_front();
  calls_.push_back(std::move(call));
}

std::string EndedCalls::damage() const {
  for (const EndedCall& call : calls_)
    if (const std::string name = call.changed(); !name.empty())
      return fmt::format(
          "the kernel wrote to {} of an earlier call after that call had returned: its bytes, which were "
          "kept, "
          "differ from what they were then",
          name);
  return {};
}

}  // namespace scatterproof::engines::plugin
