// SPDX-License-Identifier: Apache-2.0
// The worker's end of the channel: blocking, since a worker has nothing to do but answer.
#pragma once

#include <optional>
#include <string>

#include "scatterproof/engines/protocol/wire.hpp"

namespace scatterproof::engines::protocol {

class Channel {
 public:
  /// The descriptor that SCATTERPROOF_WORKER_FD names. Throws Wrong when there is none.
  Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel();

  struct Message {
    Json json;
    Payload payload;
  };
  /// The next message; empty when the tool has closed the channel. Throws Wrong on anything that is not a
  /// message.
  std::optional<Message> receive();
  /// Sends all of it. Throws Wrong when the channel is closed.
  void send(Parcel parcel);

 private:
  bool fill();

  int fd_ = -1;
  std::string inbox_;
};

}  // namespace scatterproof::engines::protocol
