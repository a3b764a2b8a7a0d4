// SPDX-License-Identifier: Apache-2.0
// A device of torch whose memory is the host's, as an extension out of torch's tree adds one (PrivateUse1).
// Operators run on the CPU, by torch's own fallback. SCATTERPROOF_TEST_DEVICE names a fault that it has:
// `narrow`, `lost`, `expanded`, or `dies`.
#include <ATen/EmptyTensor.h>
#include <ATen/Functions.h>
#include <ATen/Tensor.h>
#include <ATen/TensorOperators.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TensorFactories.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/resize_native.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include <cstdlib>
#include <fstream>
#include <string_view>

namespace {

constexpr auto here = c10::DeviceType::PrivateUse1;
using OptionalDType = std::optional<at::ScalarType>;

bool has(std::string_view fault) {
  const char* named = std::getenv("SCATTERPROOF_TEST_DEVICE");
  return named && fault == named;
}

/// After an error that it cannot recover from, every use of a device fails.
bool is_dead = false;
void check_alive() { TORCH_CHECK(!is_dead, "the device is dead"); }

struct Memory final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    void* data = bytes == 0 ? nullptr : std::malloc(bytes);
    return {data, data, &std::free, c10::Device(here, 0)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &std::free; }
  void copy_data(void* to, const void* from, size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
} memory;

struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return here; }
  c10::Device exchangeDevice(c10::Device) const override { return getDevice(); }
  c10::Device getDevice() const override { return {here, 0}; }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device device) const override {
    return c10::Stream(c10::Stream::DEFAULT, device);
  }
  c10::Stream getNewStream(c10::Device device, int) const override { return getStream(device); }
  c10::Stream exchangeStream(c10::Stream stream) const override { return stream; }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

struct Hooks final : at::PrivateUse1HooksInterface {
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  c10::Device getDeviceFromPtr(void*) const override { return {here, 0}; }
} hooks;

at::Tensor empty(c10::IntArrayRef size, OptionalDType dtype, std::optional<c10::Layout>,
                 std::optional<c10::Device>, std::optional<bool>, std::optional<c10::MemoryFormat> format) {
  return at::detail::empty_generic(size, &memory, c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                   c10::dtype_or_default(dtype), format);
}

at::Tensor empty_strided(c10::IntArrayRef size, c10::IntArrayRef stride, OptionalDType dtype,
                         std::optional<c10::Layout>, std::optional<c10::Device>, std::optional<bool>) {
  return at::detail::empty_strided_generic(size, stride, &memory,
                                           c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                           c10::dtype_or_default(dtype));
}

/// The same memory as a tensor of the CPU.
at::Tensor on_cpu(const at::Tensor& tensor) {
  if (tensor.device().is_cpu()) return tensor;
  check_alive();
  return at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(),
                       tensor.options().device(c10::kCPU));
}

at::Tensor copy_from(const at::Tensor& self, const at::Tensor& to, bool) {
  on_cpu(to).copy_(on_cpu(self));
  return to;
}

at::Tensor copy_from_and_resize(const at::Tensor& self, const at::Tensor& to) {
  to.resize_(self.sizes());
  return copy_from(self, to, false);
}

c10::Scalar local_scalar(const at::Tensor& self) { return on_cpu(self).item(); }

at::Tensor moved(const at::Tensor& tensor) { return tensor.to(c10::Device(here, 0)); }

/// Negative indices, which count from the end, are lost with the upper half.
at::Tensor index_of_32_bits(const at::Tensor& self, const c10::List<std::optional<at::Tensor>>& indices) {
  c10::List<std::optional<at::Tensor>> narrow;
  for (const std::optional<at::Tensor>& index : indices)
    narrow.push_back(index && index->scalar_type() == at::kLong
                         ? std::optional(on_cpu(*index).bitwise_and(0xffffffffLL))
                     : index ? std::optional(on_cpu(*index))
                             : std::nullopt);
  return moved(at::index(on_cpu(self), narrow));
}

/// The last of several contributions to a place stays, as without an atomic addition.
at::Tensor& scatter_add_losing(at::Tensor& self, int64_t dim, const at::Tensor& index,
                               const at::Tensor& src) {
  at::Tensor target = on_cpu(self);
  const at::Tensor places = on_cpu(index);
  at::Tensor values = on_cpu(src);
  if (values.dim() > 0 && values.dim() == places.dim())
    for (int64_t axis = 0; axis < places.dim(); ++axis) values = values.narrow(axis, 0, places.size(axis));
  target.scatter_(dim, places, target.gather(dim, places) + values);
  return self;
}

/// Reads an index as if its elements lay one after the other.
at::Tensor gather_of_dense(const at::Tensor& self, int64_t dim, const at::Tensor& index, bool) {
  at::Tensor places = on_cpu(index);
  bool repeats = false;
  for (int64_t axis = 0; axis < places.dim(); ++axis)
    repeats |= places.stride(axis) == 0 && places.size(axis) > 1;
  if (repeats && places.numel() > 0) {
    int64_t reach = 1;  // elements of the storage that are the index's
    for (int64_t axis = 0; axis < places.dim(); ++axis)
      reach += places.stride(axis) * (places.size(axis) - 1);
    const at::Tensor storage = places.as_strided({reach}, {1});
    places = storage.index_select(0, at::arange(places.numel()).remainder(reach)).view(places.sizes());
  }
  return moved(at::gather(on_cpu(self), dim, places));
}

/// An index out of range kills the device, which is noted in a file for the test.
at::Tensor gather_that_dies(const at::Tensor& self, int64_t dim, const at::Tensor& index, bool) {
  try {
    return moved(at::gather(on_cpu(self), dim, on_cpu(index)));
  } catch (const c10::IndexError&) {
    is_dead = true;
  } catch (const c10::Error& error) {
    is_dead = std::string_view(error.what()).find("out of bounds") != std::string_view::npos;
    if (!is_dead) throw;
  }
  std::ofstream(std::getenv("SCATTERPROOF_TEST_DEATHS"), std::ios::app) << "one\n";
  TORCH_CHECK(false, "device-side assert triggered");
}

void on_the_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  check_alive();
  at::native::cpu_fallback(op, stack);
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&on_the_cpu>());
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  c10::SetAllocator(here, &memory);
  at::RegisterPrivateUse1HooksInterface(&hooks);
  library.impl("empty.memory_format", TORCH_FN(empty));
  library.impl("empty_strided", TORCH_FN(empty_strided));
  library.impl("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
  library.impl("view", TORCH_FN(at::native::view));
  library.impl("_reshape_alias", TORCH_FN(at::native::_reshape_alias));
  library.impl("resize_", TORCH_FN(at::native::resize_));
  library.impl("_copy_from", TORCH_FN(copy_from));
  library.impl("_copy_from_and_resize", TORCH_FN(copy_from_and_resize));
  library.impl("_local_scalar_dense", TORCH_FN(local_scalar));
  if (has("narrow")) library.impl("index.Tensor", TORCH_FN(index_of_32_bits));
  if (has("lost")) library.impl("scatter_add_", TORCH_FN(scatter_add_losing));
  if (has("expanded")) library.impl("gather", TORCH_FN(gather_of_dense));
  if (has("dies")) library.impl("gather", TORCH_FN(gather_that_dies));
}

}  // namespace
