// SPDX-License-Identifier: Apache-2.0
// What a fault of gradients is: one stage of computing the gradients of a call, done wrongly. Stages 1 and 2
// are those of a call (fault.hpp): a kernel that computes gradients reads the same arguments again.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fault.hpp"
#include "scatterproof/engines/native/native.hpp"

namespace scatterproof::engines::faulty {

/// One of the values that meet in a cell of a scatter.
struct Participant {
  double value = 0;
  std::int64_t element = 0;  ///< row-major, of the updates; of a start: of the data
  double weight = 0;         ///< the derivative of the cell by this value
};

/// Stage 3: what meets in a cell, and which share of its cotangent each value gets.
struct Meeting {
  Combiner combine = Combiner::assign;
  DType dtype = DType::f32;
  double cotangent = 0;
  Participant start;
  bool start_counts = false;
  std::vector<Participant> received;  ///< in the order of the moves; empty: untouched
};

/// Stage 4: what an element gets from a cell.
struct GradientShare {
  double value = 0;
  std::int64_t cell = 0;  ///< row-major, of the result
  bool of_updates = false;
  std::int64_t element = 0;  ///< row-major, of the updates or the data
};
struct Summing {
  std::vector<GradientShare> shares = {};
  DType dtype = DType::f32;        ///< of the gradients
  DType accumulator = DType::f64;  ///< each step is rounded to this
  bool adds = true;                ///< false: the last share of an element replaces those before
  double unreached = 0;            ///< what an element without a share gets
};

/// A fault changes what one stage works on. Null: the stage is correct.
struct GradientFault {
  std::string name;  ///< begins with `gradient-`
  std::string says;
  void (*read)(Reading& reading) = nullptr;
  void (*move)(Moving& moving) = nullptr;
  void (*cotangent)(Tensor& cotangent) = nullptr;    ///< the contents of what is read
  void (*meet)(Meeting& cell) = nullptr;             ///< before its weights are found
  void (*weigh)(Meeting& cell) = nullptr;            ///< afterwards
  void (*sum)(Summing& summing) = nullptr;           ///< before the shares are added up
  void (*answer)(spec::Produced& answer) = nullptr;  ///< what is handed back, the result among it
};

/// The same stages for one call, able to know more than the call.
struct GradientStages {
  std::function<void(Reading&)> read = nullptr;
  std::function<void(Moving&)> move = nullptr;
  std::function<void(Tensor&)> cotangent = nullptr;
  std::function<void(Meeting&)> meet = nullptr;
  std::function<void(Meeting&)> weigh = nullptr;
  std::function<void(Summing&)> sum = nullptr;
  std::function<void(KernelGradients&)> finish = nullptr;  ///< once the gradients are known
  std::function<void(spec::Produced&)> answer = nullptr;
};
GradientStages stages_of(const GradientFault& fault);

// The library of faults of gradients.
std::vector<GradientFault> cotangent_faults();
std::vector<GradientFault> weight_faults();
std::vector<GradientFault> sum_faults();
std::vector<GradientFault> gradient_answer_faults();
/// Of the library of forward faults: those that a backward kernel has in the same way.
std::vector<GradientFault> repeated_faults();
const std::vector<GradientFault>& gradient_faults();
const GradientFault* find_gradient_fault(std::string_view name);

/// The gradients of a call that is taken, with these stages done wrongly.
KernelGradients gradients(const KernelCall& asked, const Tensor& cotangent, const GradientStages& wrong);

/// Is correct until a gradient is asked for; then `wrong` says what goes wrong in it. `known`: told of each
/// call with its cotangent and correct gradients, if it is given.
using WrongGradients = std::function<GradientStages(const KernelCall& call)>;
using GradientsKnown = std::function<void(const KernelCall&, const Tensor& cotangent, KernelGradients)>;
std::unique_ptr<Engine> make_gradient_engine(std::string name, const spec::SpecLibrary& specs,
                                             WrongGradients wrong, GradientsKnown known = nullptr);

}  // namespace scatterproof::engines::faulty
