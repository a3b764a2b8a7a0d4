// SPDX-License-Identifier: Apache-2.0
// Walks on a CUDA device: an interface that a host compiler understands.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "scatterproof/engines/native/walk.hpp"

namespace scatterproof::engines {

/// Why there is no device to run on, worded for a report; empty when there is one. Call it once, before
/// anything else here.
std::string start_cuda();
std::string cuda_device_name();

/// A walk's operands and result in the device's memory. Errors of the device other than a lack of memory (a
/// std::bad_alloc) stick to the process: they end it, with a line on stderr.
class CudaCall {
 public:
  /// Copies what the walk points to, and the result as it stands, to the device; the latter twice where
  /// restart() is to come.
  CudaCall(const Walk& walk, const std::byte* result, bool restarts);
  ~CudaCall();

  /// A WalkFunction's work, for this walk or an equal one. The device may still be working on return.
  bool execute(const Walk& walk, bool deterministic);
  /// Restores the original result, on the device.
  void restart();
  /// Waits for the device.
  void wait();
  void fetch_result(std::byte* to);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace scatterproof::engines
