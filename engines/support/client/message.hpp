// SPDX-License-Identifier: Apache-2.0
// The messages of the worker protocol: written for the worker; its replies are untrusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/engines/kernels/capabilities.hpp"
#include "scatterproof/engines/protocol/wire.hpp"

namespace scatterproof::engines::protocol {

/// What is wrong with a reply, as a sentence.
struct Fault {
  std::string what;
};

/// What a worker declares about itself.
struct Greeting {
  EngineInfo info;
  OfferedKernels kernels = {};  ///< as in `info`, read
  bool times = false;           ///< it takes prepare, repeat and forget
  bool omits = false;           ///< it leaves arguments out that it is told to
  bool shares = false;          ///< it takes tensors of one call that share a storage
  bool documents = false;       ///< it has the texts of documents
  bool loops = false;           ///< it takes loop
};

/// What a worker takes that not every worker does.
struct Taken {
  bool threads = false;
  bool omits = false;
  bool shares = false;
  bool gradients = false;  ///< in reverse mode
  bool tangents = false;   ///< in forward mode
  bool second_order = false;
};

Parcel start_message(std::int64_t seq);
Parcel stop_message(std::int64_t seq);
/// The calls are numbered from `seq` + 1, in order.
Parcel run_message(std::int64_t seq, std::span<const CallRequest> requests, const Taken& taken);
/// The call gets the number `seq` + 1.
Parcel prepare_message(std::int64_t seq, const spec::Call& call, const TimingOptions& options);
Parcel repeat_message(std::int64_t seq, std::int64_t times);
Parcel forget_message(std::int64_t seq);
/// The calls are numbered as in a run.
Parcel loop_message(std::int64_t seq, std::span<const CallRequest> requests, std::int64_t rounds,
                    const Taken& taken);
Parcel document_message(std::int64_t seq, const std::string& name);

/// The line of a reply. Its payload, if it announces any, is the `bytes` after it.
class Reply {
 public:
  static std::variant<Reply, Fault> parse(std::string_view line);
  Reply(Reply&&) noexcept;
  Reply& operator=(Reply&&) noexcept;
  ~Reply();

  std::int64_t seq() const { return seq_; }
  std::size_t bytes() const { return bytes_; }

  /// Reads it as the answer to `start`. If the worker cannot be used, the fault is what it says.
  std::variant<Greeting, Fault> greeting() const;
  /// Reads it as the answer to a call: Produced, Refused, Unsupported, or Crashed when the call misbehaved.
  /// `gradients`: the number of those that were asked for.
  std::variant<spec::Outcome, Fault> outcome(const spec::Call& call, std::size_t gradients,
                                             const Payload& payload) const;
  /// Whether an answer to a call says that the worker ends after it.
  bool ends() const;
  /// Reads it as the answer to repeat or loop: seconds, or the outcome of a call that failed, as above.
  std::variant<double, spec::Outcome, Fault> repeated() const;
  /// Reads it as the answer to document.
  std::variant<DocumentText, Fault> document() const;
  /// Reads it as the answer to a whole run, or to forget or stop: nothing, or what is wrong.
  std::optional<Fault> end_of_run(std::size_t calls) const;
  std::optional<Fault> done(std::string_view what) const;

 private:
  struct Body;
  Reply();
  spec::Outcome decode_failed() const;
  std::unique_ptr<Body> body_;
  std::int64_t seq_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace scatterproof::engines::protocol
