// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

namespace scatterproof::engines::plugin {
namespace {

constexpr const char* entry_point = "scatterproof_kernels_v1";

/// The buffer for a library's message. What it wrote is not trusted: bytes that are not printable ASCII
/// become `?`, and the text ends at the end of the buffer.
class Words {
 public:
  char* data() { return buffer_.data(); }
  std::size_t size() const { return buffer_.size(); }
  std::string text() {
    buffer_.back() = '\0';
    std::string text = buffer_.data();
    for (char& c : text)
      if (c < ' ' || c > '~') c = c == '\n' || c == '\t' ? ' ' : '?';
    return text;
  }

 private:
  std::array<char, 1024> buffer_{};
};

std::optional<Complaint> complaint(int status, Words& words) {
  if (status == SCATTERPROOF_DONE) return {};
  return Complaint{status, words.text()};
}

/// Why the struct cannot be used; empty when it can.
std::string misfit(const scatterproof_kernels* kernels) {
  if (kernels == nullptr) return fmt::format("{} returned NULL", entry_point);
  if (kernels->abi_version != SCATTERPROOF_KERNEL_ABI_VERSION)
    return fmt::format(
        "the library speaks version {} of the kernel ABI, this scatterproof version {}: build it "
        "with this one's scatterproof/kernel_abi.h",
        kernels->abi_version, SCATTERPROOF_KERNEL_ABI_VERSION);
  if (kernels->struct_size < sizeof(scatterproof_kernels))
    return fmt::format(
        "the library's struct scatterproof_kernels has {} bytes, {} are needed: set struct_size to "
        "sizeof(scatterproof_kernels)",
        kernels->struct_size, sizeof(scatterproof_kernels));
  if (kernels->describe == nullptr) return "describe is NULL";
  if (kernels->run == nullptr) return "run is NULL";
  const scatterproof_memory* memory = kernels->memory;
  if (memory != nullptr &&
      (memory->allocate == nullptr || memory->release == nullptr || memory->copy == nullptr))
    return "allocate, release or copy of its memory is NULL";
  return {};
}

}  // namespace

std::variant<Library, std::string> Library::load(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return fmt::format("cannot load the library: {}", dlerror());
  const auto entry = reinterpret_cast<decltype(&scatterproof_kernels_v1)>(dlsym(handle, entry_point));
  if (entry == nullptr)
    return fmt::format("{} does not export {}() of scatterproof/kernel_abi.h{}", path, entry_point,
                       ": is it static, or not extern \"C\"?");
  Library library;
  library.kernels_ = entry();
  library.set_threads_ = reinterpret_cast<void (*)(int)>(dlsym(handle, "omp_set_num_threads"));
  if (auto reason = misfit(library.kernels_); !reason.empty()) return reason;
  Words words;
  const char* description = library.kernels_->describe(words.data(), words.size());
  if (description == nullptr) {
    const std::string reason = words.text();
    return reason.empty() ? "its describe returned NULL without a reason" : reason;
  }
  auto capabilities = read_capabilities(description);
  if (!capabilities) {
    std::string reason = to_string(capabilities.errors());
    reason.erase(reason.find_last_not_of('\n') + 1);
    return reason;
  }
  library.capabilities_ = *std::move(capabilities);
  return library;
}

void Library::use_threads(int count) const {
  if (set_threads_ && count > 0) set_threads_(count);
}

std::optional<Complaint> Library::run(const std::string& operation, const std::string& attributes,
                                      std::span<const scatterproof_tensor> inputs,
                                      std::span<scatterproof_tensor> outputs) const {
  Words words;
  return complaint(kernels_->run(operation.c_str(), attributes.c_str(), inputs.data(),
                                 static_cast<std::int32_t>(inputs.size()), outputs.data(),
                                 static_cast<std::int32_t>(outputs.size()), words.data(), words.size()),
                   words);
}

std::optional<Complaint> Library::sync() const {
  if (kernels_->sync == nullptr) return {};
  Words words;
  return complaint(kernels_->sync(words.data(), words.size()), words);
}

spec::Outcome to_outcome(const Complaint& complaint) {
  const auto refused = [&](const char* kind) {
    return spec::Outcome{spec::Refused{{kind}, complaint.words}, 0};
  };
  switch (complaint.status) {
    case SCATTERPROOF_UNSUPPORTED:
      return {spec::Unsupported{complaint.words.empty() ? "the kernel gives no reason" : complaint.words}, 0};
    case SCATTERPROOF_REFUSED_RANK:
      return refused("rank");
    case SCATTERPROOF_REFUSED_SHAPE:
      return refused("shape");
    case SCATTERPROOF_REFUSED_DTYPE:
      return refused("dtype");
    case SCATTERPROOF_REFUSED_INDEX:
      return refused("index");
    case SCATTERPROOF_REFUSED_AXIS:
      return refused("axis");
    case SCATTERPROOF_REFUSED_VALUE:
      return refused("value");
    case SCATTERPROOF_FAILED:
      return {spec::Garbled{"the kernel failed: " + complaint.words, {}}, 0};
    default:
      return {spec::Garbled{
                  fmt::format("the kernel returned {}, which is not a scatterproof_status", complaint.status),
                  {}},
              0};
  }
}

}  // namespace scatterproof::engines::plugin
