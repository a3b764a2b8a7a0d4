// SPDX-License-Identifier: Apache-2.0
// The library of faults, and the engine of one.
#include <fmt/format.h>

#include "fault.hpp"
#include "gradient_fault.hpp"
#include "scatterproof/engines/faulty/drawn.hpp"
#include "scatterproof/engines/faulty/faulty.hpp"
#include "scatterproof/engines/native/native.hpp"

namespace scatterproof::engines {
namespace {

using faulty::Fault;

constexpr Fault none = {.name = "none", .says = "Nothing goes wrong."};

std::vector<const Fault*> all_faults() {
  std::vector<const Fault*> all;
  for (const auto& part :
       {faulty::layout_faults(), faulty::check_faults(), faulty::index_faults(), faulty::move_faults(),
        faulty::collision_faults(), faulty::arithmetic_faults(), faulty::answer_faults()})
    for (const Fault& fault : part) all.push_back(&fault);
  return all;
}

}  // namespace

const Fault* faulty::find_fault(std::string_view name) {
  for (const Fault* fault : all_faults())
    if (fault->name == name) return fault;
  return nullptr;
}

std::vector<FaultListing> list_faults() {
  std::vector<FaultListing> listings;
  for (const Fault* fault : all_faults()) listings.push_back({fault->name, fault->says});
  for (const faulty::GradientFault& fault : faulty::gradient_faults())
    listings.push_back({fault.name, fault.says, true});
  return listings;
}

spec::Result<std::unique_ptr<Engine>> make_faulty(std::string_view name, const spec::SpecLibrary& specs) {
  if (const auto drawn = parse_drawn(name)) return make_drawn(*drawn, specs);
  std::vector<const Fault*> known = all_faults();
  known.push_back(&none);
  std::vector<std::string> names;
  for (const Fault* fault : known) {
    names.emplace_back(fault->name);
    if (fault->name == name)
      return make_native_engine("faulty:" + names.back(), "cpu",
                                [stages = faulty::stages_of(*fault)](const KernelCall& call) {
                                  return faulty::execute(call, stages);
                                },
                                specs,
                                {.gradients = [](const KernelCall& call, const spec::Tensor& cotangent) {
                                  return faulty::gradients(call, cotangent, {});
                                }});
  }
  for (const faulty::GradientFault& fault : faulty::gradient_faults()) {
    names.push_back(fault.name);
    if (fault.name == name)
      return faulty::make_gradient_engine(
          "faulty:" + fault.name, specs,
          [stages = faulty::stages_of(fault)](const KernelCall&) { return stages; });
  }
  const auto near = spec::nearest(std::string(name), names);
  return spec::Error{
      .what = fmt::format("unknown fault '{}'", name),
      .hint = near ? spec::did_you_mean("faulty:" + *near) : "`scatterproof selftest` lists them"};
}

}  // namespace scatterproof::engines
