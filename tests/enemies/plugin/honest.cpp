// SPDX-License-Identifier: Apache-2.0
// An honest library: all six operations with their gradients and every combiner, any layout, all of its own
// checks; one element at a time.
#include <scatterproof/kernel_abi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace {

#ifndef LAYOUT
#define LAYOUT "strided"
#endif

std::string entry(const std::string& operation) {
  const std::string ways =
      R"("combine": ["assign", "sum", "prod", "mean", "amax", "amin"], "include_start": [true, false],)";
  return R"({"operation": ")" + operation + R"(",)" + (operation[0] == 's' ? ways : "") +
         R"("dtypes": ["i32", "i64", "f32", "f64"], "index_dtypes": ["i32", "i64"], "layout": ")" LAYOUT
         R"(", "wrap_negative": true, "gradient": true, "checks": ["rank", "shape", "dtype", "index", "axis", "value"]})";
}

const char* describe(char*, std::size_t) {
  static const std::string description =
      R"({"name": "honest", "version": "1", "device": "cpu", "kernels": [)" + entry("scatter_elements") +
      "," + entry("scatter_rows") + "," + entry("scatter_nd") + "," + entry("gather_elements") + "," +
      entry("gather_rows") + "," + entry("gather_nd") + "]}";
  return description.c_str();
}

using Tensor = scatterproof_tensor;
using Sizes = std::vector<std::int64_t>;

struct Refusal {
  scatterproof_status status;
  std::string words;
};

void require(bool holds, scatterproof_status status, const char* words) {
  if (!holds) throw Refusal{status, words};
}

struct Call {
  std::string op;
  std::int64_t axis, batch_dims;
  std::string combine;
  bool include_start, truncate, wrap_negative;
  const Tensor* index;
  const Tensor* table;   // what the index points into: data, or a scatter's output
  const Tensor* stream;  // the other one: updates, or a gather's output
  bool scatter;
  const Tensor* cotangent;  // of a question for gradients; null: of a call
};

std::string word(const char* attributes, const char* name) {
  const std::string text = scatterproof_attribute(attributes, name) + 1;
  return text.substr(0, text.find('"'));
}

Call read(std::string op, const char* attributes, const Tensor* inputs, const Tensor* outputs) {
  const auto truth = [&](const char* name) { return scatterproof_attribute(attributes, name)[0] == 't'; };
  const std::size_t suffix = op.rfind("_gradient");
  const bool gradient = suffix != std::string::npos;
  if (gradient) op.resize(suffix);
  const bool scatter = op.rfind("scatter", 0) == 0;
  Call call{op,
            scatterproof_integer(attributes, "axis"),
            scatterproof_integer(attributes, "batch_dims"),
            word(attributes, "combine"),
            truth("include_start"),
            word(attributes, "integer_mean") == "truncate",
            truth("wrap_negative"),
            nullptr,
            nullptr,
            nullptr,
            scatter,
            gradient ? &inputs[scatter ? 4 : 2] : nullptr};
  call.index = &inputs[scatter ? 0 : 1];
  call.table = !scatter ? &inputs[0] : gradient ? &inputs[2] : &outputs[0];
  call.stream = scatter ? &inputs[1] : gradient ? &inputs[2] : &outputs[0];
  return call;
}

Sizes sizes(const Tensor& t) { return {t.shape, t.shape + t.ndim}; }

/// The bytes of the element at p. A tensor without dimensions has one.
char* element(const Tensor& t, const std::int64_t* p) {
  std::int64_t offset = 0;
  for (int d = 0; d < t.ndim; ++d) offset += p[d] * t.strides[d];
  return static_cast<char*>(t.data) + t.byte_offset + offset * (t.dtype.bits / 8);
}

std::int64_t index_at(const Tensor& index, const std::int64_t* p) {
  const char* bytes = element(index, p);
  return index.dtype.bits == 32 ? *reinterpret_cast<const std::int32_t*>(bytes)
                                : *reinterpret_cast<const std::int64_t*>(bytes);
}

template <class Visit>
void for_each_position(const Sizes& shape, Visit visit) {
  for (const std::int64_t size : shape)
    if (size == 0) return;
  Sizes p(shape.size() + 1, 0);  // never empty, so that p.data() is something
  for (;;) {
    visit(p.data());
    std::size_t d = shape.size();
    while (d-- > 0 && ++p[d] == shape[d]) p[d] = 0;
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

/// From a position of the stream to that in the table.
Sizes place(const Call& call, const std::int64_t* p) {
  const Tensor& index = *call.index;
  Sizes at;
  const auto add = [&](std::int64_t i) {
    const std::int64_t size = call.table->shape[at.size()];
    const std::int64_t from_front = call.wrap_negative && i < 0 ? i + size : i;
    if (from_front < 0 || from_front >= size)
      throw Refusal{SCATTERPROOF_REFUSED_INDEX, "index " + std::to_string(i) + " of " + std::to_string(size)};
    at.push_back(from_front);
  };
  if (call.op.find("_nd") != std::string::npos) {
    const int q = index.ndim - 1;
    Sizes tuple(p, p + q);
    at.assign(p, p + call.batch_dims);
    for (tuple.push_back(0); tuple.back() < index.shape[q]; ++tuple.back())
      add(index_at(index, tuple.data()));
    at.insert(at.end(), p + q, p + call.stream->ndim);
    return at;
  }
  const bool rows = call.op.find("_rows") != std::string::npos;
  const std::int64_t* past = p + call.axis + (rows ? index.ndim : 1);
  at.assign(p, p + call.axis);
  add(index_at(index, rows ? p + call.axis : p));
  at.insert(at.end(), past, p + call.stream->ndim);
  return at;
}

/// The sizes the stream has to have; what must hold for there to be any is checked on the way.
Sizes stream_sizes(const Call& call) {
  const Sizes table = sizes(*call.table);
  const Sizes index = sizes(*call.index);
  if (call.op.find("_nd") != std::string::npos) {
    const bool names_all = !call.scatter && !index.empty() && index.back() == 0;
    require((!table.empty() || names_all) && !index.empty(), SCATTERPROOF_REFUSED_RANK,
            "a tensor has no dimensions");
    const auto least = static_cast<std::int64_t>(std::min(table.size(), index.size()));
    if (!call.scatter)
      require(call.batch_dims == 0 || (call.batch_dims > 0 && call.batch_dims < least),
              SCATTERPROOF_REFUSED_VALUE, "batch_dims");
    for (std::int64_t d = 0; d < call.batch_dims; ++d)
      require(table[d] == index[d], SCATTERPROOF_REFUSED_SHAPE, "batches differ");
    const auto taken = call.batch_dims + index.back();
    require(taken <= static_cast<std::int64_t>(table.size()), SCATTERPROOF_REFUSED_SHAPE,
            "tuples are too long");
    Sizes all(index.begin(), index.end() - 1);
    all.insert(all.end(), table.begin() + taken, table.end());
    return all;
  }
  require(!table.empty(), SCATTERPROOF_REFUSED_RANK, "data has no dimensions");
  const auto rank = static_cast<std::int64_t>(table.size());
  require(call.axis >= 0 && call.axis < rank, SCATTERPROOF_REFUSED_AXIS, "axis is out of range");
  if (call.op.find("_elements") != std::string::npos) return index;
  Sizes all(table.begin(), table.begin() + call.axis);
  all.insert(all.end(), index.begin(), index.end());
  all.insert(all.end(), table.begin() + call.axis + 1, table.end());
  return all;
}

void check(const Call& call) {
  const Sizes expected = stream_sizes(call);
  const bool integers = call.index->dtype.code == 0 && call.index->dtype.bits >= 32;
  require(integers && call.stream->dtype.code == call.table->dtype.code &&
              call.stream->dtype.bits == call.table->dtype.bits,
          SCATTERPROOF_REFUSED_DTYPE, "dtypes do not go together");
  if (call.op.find("_elements") != std::string::npos) {
    require(call.index->ndim == call.table->ndim, SCATTERPROOF_REFUSED_RANK, "ranks differ");
    for (int d = 0; d < call.index->ndim; ++d)
      require(d == call.axis || call.index->shape[d] <= call.table->shape[d], SCATTERPROOF_REFUSED_SHAPE,
              "index is larger than data");
  }
  const Sizes stream = sizes(*call.stream);
  require(stream.size() == expected.size(), SCATTERPROOF_REFUSED_RANK, "rank of updates");
  require(stream == expected, SCATTERPROOF_REFUSED_SHAPE, "sizes of updates");
  // Without elements to move, values of the index still have to be in range.
  const bool tuples = call.op.find("_nd") != std::string::npos;
  for_each_position(sizes(*call.index), [&](const std::int64_t* p) {
    const auto axis = tuples ? call.batch_dims + p[call.index->ndim - 1] : call.axis;
    const std::int64_t size = call.table->shape[axis];
    const std::int64_t i = index_at(*call.index, p);
    require(i < size && i >= (call.wrap_negative ? -size : 0), SCATTERPROOF_REFUSED_INDEX,
            "index is out of range");
  });
}

template <class T>
T combined(const Call& call, T a, T b) {
  if (call.combine == "assign") return b;
  if constexpr (std::is_floating_point_v<T>) {
    if (call.combine[0] == 'a' && (std::isnan(a) || std::isnan(b))) return std::isnan(a) ? a : b;
    if (call.combine == "prod") return a * b;
    if (call.combine == "sum" || call.combine == "mean") return a + b;
  } else {
    using Wrapping = std::make_unsigned_t<T>;
    if (call.combine == "prod") return static_cast<T>(static_cast<Wrapping>(a) * static_cast<Wrapping>(b));
    if (call.combine == "sum" || call.combine == "mean")
      return static_cast<T>(static_cast<Wrapping>(a) + static_cast<Wrapping>(b));
  }
  return call.combine == "amax" ? std::max(a, b) : std::min(a, b);
}

template <class T>
T divided(const Call& call, T sum, std::int64_t count) {
  if constexpr (std::is_floating_point_v<T>) return sum / static_cast<T>(count);
  const auto quotient = static_cast<std::int64_t>(sum) / count;
  const bool down = static_cast<std::int64_t>(sum) % count < 0 && !call.truncate;
  return static_cast<T>(quotient - down);
}

template <class T>
T& cell(const Tensor& t, const std::int64_t* p) {
  return *reinterpret_cast<T*>(element(t, p));
}

template <class T>
void execute(const Call& call) {
  if (!call.scatter)
    return for_each_position(sizes(*call.stream), [&](const std::int64_t* p) {
      cell<T>(*call.stream, p) = cell<T>(*call.table, place(call, p).data());
    });
  const Sizes shape = sizes(*call.table);
  std::vector<std::int64_t> landed(static_cast<std::size_t>(
      std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>())));
  T* const first = reinterpret_cast<T*>(static_cast<char*>(call.table->data));
  for_each_position(sizes(*call.stream), [&](const std::int64_t* p) {
    T& target = cell<T>(*call.table, place(call, p).data());
    const bool alone = landed[static_cast<std::size_t>(&target - first)]++ == 0 && !call.include_start;
    target = alone ? cell<T>(*call.stream, p) : combined(call, target, cell<T>(*call.stream, p));
  });
  for (std::size_t i = 0; call.combine == "mean" && i < landed.size(); ++i)
    if (landed[i] > 0) first[i] = divided(call, first[i], landed[i] + call.include_start);
}

// What meets in a cell, and where its gradients go.
template <class T>
struct Meeting {
  std::vector<T> values;
  std::vector<T*> gradients;
};

/// How the cell changes with its k-th value.
template <class T>
T derivative(const std::string& combine, const std::vector<T>& values, std::size_t k) {
  if (combine == "mean") return T(1) / static_cast<T>(values.size());
  if (combine == "assign") return k + 1 == values.size();
  T product = 1;
  for (std::size_t other = 0; combine == "prod" && other < values.size(); ++other)
    if (other != k) product *= values[other];
  if (combine == "prod" || combine == "sum") return product;
  const T extreme = combine == "amax" ? *std::max_element(values.begin(), values.end())
                                      : *std::min_element(values.begin(), values.end());
  if (values[k] != extreme) return 0;
#ifdef GIVES_EACH_ALL  // a liar: those that tie do not share
  return 1;
#endif
  return T(1) / static_cast<T>(std::count(values.begin(), values.end(), extreme));
}

template <class T>
void differentiate(const Call& call, Tensor* outputs) {
#ifndef LEAVES_ZEROS_OUT  // a liar: the gradient of the table is unwritten where nothing is added
  for_each_position(sizes(*call.table), [&](const std::int64_t* p) { cell<T>(outputs[0], p) = 0; });
#endif
#ifdef STRAYS  // a liar: the byte behind the last gradient
  static_cast<char*>(outputs[call.scatter].data)[call.stream->ndim ? 0 : 8] ^= 1;
#endif
  if (!call.scatter)
    return for_each_position(sizes(*call.stream), [&](const std::int64_t* p) {
      cell<T>(outputs[0], place(call, p).data()) += cell<T>(*call.cotangent, p);
    });
  std::map<Sizes, Meeting<T>> meetings;
  for_each_position(sizes(*call.stream), [&](const std::int64_t* p) {
    Meeting<T>& meeting = meetings[place(call, p)];
    meeting.values.push_back(cell<T>(*call.stream, p));
    meeting.gradients.push_back(&cell<T>(outputs[1], p));
  });
  for_each_position(sizes(*call.table), [&](const std::int64_t* p) {
    Meeting<T>& meeting = meetings[Sizes(p, p + call.table->ndim)];
    if (meeting.values.empty() || (call.include_start && call.combine != "assign")) {
      meeting.values.push_back(cell<T>(*call.table, p));
      meeting.gradients.push_back(&cell<T>(outputs[0], p));
    }
    for (std::size_t k = 0; k < meeting.values.size(); ++k)
      *meeting.gradients[k] =
          cell<T>(*call.cotangent, p) *
          (meeting.values.size() == 1 ? T(1) : derivative(call.combine, meeting.values, k));
  });
}

scatterproof_status run(const char* op, const char* attributes, const Tensor* inputs, std::int32_t,
                        Tensor* outputs, std::int32_t, char* words, std::size_t words_size) try {
  const Call call = read(op, attributes, inputs, outputs);
  check(call);
  const bool real = call.table->dtype.code == 2;
  if (call.cotangent != nullptr) {
    call.table->dtype.bits == 32 ? differentiate<float>(call, outputs) : differentiate<double>(call, outputs);
    return SCATTERPROOF_DONE;
  }
  if (call.table->dtype.bits == 32) real ? execute<float>(call) : execute<std::int32_t>(call);
  if (call.table->dtype.bits == 64) real ? execute<double>(call) : execute<std::int64_t>(call);
#ifdef TAKES_WHAT_LIES_AHEAD  // a liar: the byte ahead of the last input's first element
  if (call.scatter && !sizes(*call.stream).empty())
    *static_cast<char*>(outputs[0].data) = static_cast<char*>(inputs[1].data)[-1];
#endif
#ifdef MINDS_OVERLAP  // a liar: wrong where both inputs have the same address
  if (inputs[0].data == inputs[1].data && !sizes(outputs[0]).empty())
    *static_cast<char*>(outputs[0].data) ^= 1;
#endif
  return SCATTERPROOF_DONE;
} catch (const Refusal& refusal) {
  std::snprintf(words, words_size, "%s", refusal.words.c_str());
  return refusal.status;
}

}  // namespace

extern "C" const scatterproof_kernels* scatterproof_kernels_v1() {
  static const scatterproof_kernels kernels = {
      SCATTERPROOF_KERNEL_ABI_VERSION, sizeof(scatterproof_kernels), describe, run, nullptr, nullptr};
  return &kernels;
}
