// SPDX-License-Identifier: Apache-2.0
// What a worker says: a line, and the payload after it, read as the answer to everything that can be asked.
#include <algorithm>
#include <string_view>

#include "message.hpp"
#include "parser.hpp"

using namespace scatterproof;
using namespace scatterproof::engines::protocol;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const parsers::TimeLimit limit;
  const std::string text = parsers::text_of(data, size);
  const std::string_view line = std::string_view(text).substr(0, text.find('\n'));
  const auto parsed = Reply::parse(line);
  const auto* reply = std::get_if<Reply>(&parsed);
  if (reply == nullptr) return 0;
  // The session waits for all the bytes that a reply announces: no decoder sees fewer.
  const std::size_t rest = size - std::min(size, line.size() + 1);
  if (reply->bytes() > std::max<std::size_t>(rest, 4096)) return 0;
  const Payload payload = make_payload(reply->bytes());
  std::transform(text.end() - static_cast<std::ptrdiff_t>(std::min(rest, payload->size())), text.end(),
                 payload->begin(), [](char c) { return static_cast<std::byte>(c); });
  const spec::Call call{"torch.gather",
                        {{"input", spec::Tensor(spec::DType::f32, {2})}, {"dim", spec::Scalar::of_int(0)}}};
  reply->greeting();
  const auto outcome = reply->outcome(call, payload);
  if (const auto* known = std::get_if<spec::Outcome>(&outcome)) to_string(*known);
  reply->repeated();
  reply->end_of_run(1);
  reply->done("stop");
  return 0;
}
