// SPDX-License-Identifier: Apache-2.0
// The end of a channel that answers: blocking, since it has nothing to do but that.
#pragma once

#include <optional>
#include <string>

#include "scatterproof/engines/protocol/wire.hpp"

namespace scatterproof::engines::protocol {

class Channel {
 public:
  /// The end of a stream socket; it is closed at the end.
  explicit Channel(int descriptor) : fd_(descriptor) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel();

  struct Message {
    Json json;
    Payload payload;
  };
  /// The next message; empty when the other end has closed the channel. Throws Wrong on anything that is not
  /// a message. Nothing beyond the message is read from a channel whose other end waits for the answer.
  std::optional<Message> receive();
  /// Sends all of it. Throws Wrong when the channel is closed.
  void send(Parcel parcel);

 private:
  bool fill();

  int fd_;
  std::string inbox_;
};

}  // namespace scatterproof::engines::protocol
