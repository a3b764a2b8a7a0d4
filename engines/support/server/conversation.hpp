// SPDX-License-Identifier: Apache-2.0
// A conversation from the worker's side: answers each message of the tool with an engine.
#pragma once

#include <memory>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/engines/protocol/channel.hpp"

namespace scatterproof::engines::protocol {

/// A call did what no engine may, and the tool was told. The process must end.
struct Misbehaved {};

class Conversation {
 public:
  Conversation(Channel& channel, Engine& engine) : channel_(channel), engine_(engine) {}

  /// Answers one message; false when it was stop. Throws Wrong when it is not a valid message, and
  /// Misbehaved.
  bool answer(const Channel::Message& message);

 private:
  void start(std::int64_t seq, std::int64_t version);
  void run(std::int64_t seq, const Json& calls, const Payload& payload);
  void prepare(std::int64_t seq, const Json& calls, const Payload& payload, const TimingOptions& options);
  void repeat(std::int64_t seq, std::int64_t times);
  void forget();
  spec::Outcome execute(const CallRequest& request);
  void reply(std::int64_t seq, const spec::Outcome& outcome);
  void reply(std::int64_t seq, const char* member, Json content);
  [[noreturn]] void misbehaved(std::int64_t seq, const std::string& what);

  Channel& channel_;
  Engine& engine_;
  std::unique_ptr<spec::Call> prepared_;  ///< the call that `timed_` executes
  std::unique_ptr<TimedCall> timed_;
};

}  // namespace scatterproof::engines::protocol
