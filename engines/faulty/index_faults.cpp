// SPDX-License-Identifier: Apache-2.0
// Faults in what a value of the index means, and in the check that it is within range.
#include <algorithm>
#include <limits>

#include "fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

std::int64_t modulo(std::int64_t value, std::int64_t size) {
  return size == 0 ? value : (value % size + size) % size;
}

/// A value that is not checked: whatever it is, some element is found.
void let_pass(Lookup& lookup) {
  if (!lookup.good()) lookup.value = modulo(lookup.value, lookup.size);
}

/// What every check refuses.
void spoil(Lookup& lookup) { lookup.value = std::numeric_limits<std::int16_t>::max(); }

constexpr Fault index_table[] = {
    in_read("index-size-accepted", "An index equal to the size is accepted, and names the first element.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) { l.value = l.value == l.size ? 0 : l.value; });
            }),
    in_read("index-last-refused", "The last valid index is refused.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.value == l.size - 1) spoil(l);
              });
            }),
    in_read("index-lowest-refused", "An index of minus the size is refused where it counts from the end.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.wraps && l.value == -l.size) spoil(l);
              });
            }),
    in_read("index-below-lowest-accepted", "An index one below minus the size is accepted.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.wraps && l.value == -l.size - 1 && l.size > 0) l.value = l.size - 1;
              });
            }),
    in_read("index-clamped", "An index out of range is moved to the nearest valid one.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (!l.good() && l.size > 0) l.value = std::clamp<std::int64_t>(l.value, 0, l.size - 1);
              });
            }),
    in_read("index-modulo", "An index out of range is taken modulo the size.",
            [](Reading& r) { change_index(r, [](Lookup& l, Reading&) { let_pass(l); }); }),
    in_read("index-skipped-when-bad", "A move with an index out of range is left out.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading& reading) {
                if (l.good()) return;
                reading.unheeded.insert(l.number);
                l.value = 0;
              });
            }),
    in_read("negative-wrapped", "A negative index counts from the end where the document says it must not.",
            [](Reading& r) { r.call.wrap_negative = true; }),
    in_read("negative-refused", "A negative index is refused where it counts from the end.",
            [](Reading& r) { r.call.wrap_negative = false; }),
    in_read("negative-clamped", "A negative index names the first element.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) { l.value = std::max<std::int64_t>(l.value, 0); });
            }),
    in_read("negative-off-by-one", "A negative index counts from the last element but one.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.wraps && l.value < 0 && l.value > -l.size) --l.value;
              });
            }),
    in_read("negative-wrapped-again", "A negative index counts from the end as many times as it takes.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.value < -l.size) let_pass(l);
              });
            }),
    in_read("lower-bound-unchecked", "Only the upper bound of an index is checked.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.value < 0) let_pass(l);
              });
            }),
    in_read("upper-bound-unchecked", "Only the lower bound of an index is checked.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.value > 0) let_pass(l);
              });
            }),
    in_read("only-first-index-checked", "The range of the first index alone is checked.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.number > 0) let_pass(l);
              });
            }),
    in_read("only-last-index-checked", "The range of the last index alone is checked.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading& reading) {
                if (l.number + 1 < reading.call.index.numel()) let_pass(l);
              });
            }),
    in_read("only-even-indices-checked", "The range of every other index is checked.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.number % 2 != 0) let_pass(l);
              });
            }),
    in_read("one-coordinate-checked", "Of a tuple only the first coordinate is checked.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.component > 0) let_pass(l);
              });
            }),
    in_read("last-coordinate-unchecked", "Of a tuple of several the last coordinate is not checked.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.width > 1 && l.component == l.width - 1) let_pass(l);
              });
            }),
    in_read("index-checked-against-count",
            "An index is checked against the number of elements of the data, not its size.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading& reading) {
                if (l.value >= 0 && l.value < reading.call.data.numel()) let_pass(l);
              });
            }),
    in_answer("index-of-empty-dimension-accepted",
              "An index into a dimension of size 0 is accepted, and nothing done.",
              [](Outcome& outcome, const KernelCall& asked) {
                const bool nothing =
                    asked.data.numel() == 0 && asked.index.numel() > 0 && is_scatter(asked.op);
                if (nothing && refused_as(outcome, "index"))
                  outcome = {spec::Produced{{asked.data.contiguous()}, {}}, 0};
              }),
    in_read("index-narrowed-to-32-bits", "An index is kept in 32 bits before it is checked.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) { l.value = static_cast<std::int32_t>(l.value); });
            }),
    in_read("index-narrowed-to-16-bits", "An index is kept in 16 bits before it is checked.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) { l.value = static_cast<std::int16_t>(l.value); });
            }),
    in_read("index-narrowed-to-8-bits", "An index is kept in 8 bits before it is checked.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) { l.value = static_cast<std::int8_t>(l.value); });
            }),
    in_read("index-unsigned", "A negative index is read as a huge positive one.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.value < 0) spoil(l);
              });
            }),
    in_read("index-from-one", "Indices count from 1.",
            [](Reading& r) { change_index(r, [](Lookup& l, Reading&) { l.value -= l.value > 0 ? 1 : 0; }); }),
    in_read("tuple-reversed", "The coordinates of a tuple are taken from the last to the first.",
            [](Reading& r) {
              if (!is_nd(r.call.op) || r.call.index.rank() == 0 || r.call.index.numel() == 0) return;
              const Tensor index = r.call.index.contiguous();
              const std::int64_t width = index.shape().back();
              Shape strides = index.strides();
              strides.back() = -1;
              r.call.index =
                  *Tensor::view(index.dtype(), index.shape(), strides, width - 1, index.shared_storage());
            }),
    in_read("tuple-cut-short", "The last coordinate of a tuple of several is taken to be 0.",
            [](Reading& r) {
              change_index(r, [](Lookup& l, Reading&) {
                if (l.width > 1 && l.component == l.width - 1 && l.good()) l.value = 0;
              });
            }),
};

}  // namespace

std::span<const Fault> index_faults() { return index_table; }

}  // namespace scatterproof::engines::faulty
