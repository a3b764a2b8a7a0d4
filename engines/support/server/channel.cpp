// SPDX-License-Identifier: Apache-2.0
#include "channel.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace scatterproof::engines::protocol {
namespace {

constexpr const char* variable = "SCATTERPROOF_WORKER_FD";
constexpr std::size_t chunk_size = 64u << 10;

}  // namespace

Channel::Channel() {
  const char* text = std::getenv(variable);
  if (text == nullptr) throw Wrong{"SCATTERPROOF_WORKER_FD is not set: workers are started by scatterproof"};
  const char* end = text + std::strlen(text);
  if (std::from_chars(text, end, fd_).ptr != end || fcntl(fd_, F_SETFD, FD_CLOEXEC) != 0)
    throw Wrong{fmt::format("SCATTERPROOF_WORKER_FD={} is not an open descriptor", text)};
  unsetenv(variable);  // processes that the engine starts do not inherit this
}

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
