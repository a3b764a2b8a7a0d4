// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/engines/protocol/channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace scatterproof::engines::protocol {
namespace {

constexpr std::size_t chunk_size = 64u << 10;

}  // namespace

Channel::~Channel() { ::close(fd_); }

/// Takes in what is there, waiting for something; false at the end.
bool Channel::fill() {
  std::array<char, chunk_size> chunk;
  ssize_t count = -1;
  do count = recv(fd_, chunk.data(), chunk.size(), 0);
  while (count < 0 && errno == EINTR);
  if (count > 0) inbox_.append(chunk.data(), static_cast<std::size_t>(count));
  return count > 0;
}

std::optional<Channel::Message> Channel::receive() {
  std::size_t newline = 0;
  for (std::size_t searched = 0; (newline = inbox_.find('\n', searched)) == std::string::npos;) {
    searched = inbox_.size();
    if (!fill()) return {};
  }
  Message message{
      Json::parse(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(newline), nullptr, false), {}};
  inbox_.erase(0, newline + 1);
  if (message.json.is_discarded()) throw Wrong{"a message is not JSON"};
  Members members(message.json, "a message");
  const Json* announced = members.find("bytes");
  const auto bytes = announced == nullptr ? 0 : members.to_integer(*announced, "bytes");
  if (bytes < 0 || bytes > largest_payload) throw Wrong{fmt::format("a message announces {} bytes", bytes)};
  const auto size = static_cast<std::size_t>(bytes);
  message.payload = make_payload(size);
  std::size_t filled = std::min(size, inbox_.size());
  if (filled > 0) std::memcpy(message.payload->data(), inbox_.data(), filled);
  inbox_.erase(0, filled);
  while (filled < size) {
    const ssize_t count = recv(fd_, message.payload->data() + filled, size - filled, MSG_WAITALL);
    if (count == 0 || (count < 0 && errno != EINTR)) return {};
    if (count > 0) filled += static_cast<std::size_t>(count);
  }
  return message;
}

void Channel::send(Parcel parcel) {
  while (!parcel.empty()) {
    const std::string_view next = parcel.front();
    const ssize_t count = ::send(fd_, next.data(), next.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Wrong{fmt::format("the channel is closed: {}", std::strerror(errno))};
    parcel.drop(static_cast<std::size_t>(count));
  }
}

}  // namespace scatterproof::engines::protocol
