// SPDX-License-Identifier: Apache-2.0
// The gradients of a call computed in stages, so that each stage can be done wrongly; and the engine that
// answers them.
#include <algorithm>
#include <memory>
#include <utility>

#include "gradient_fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

using Doubles = std::vector<double>;

Doubles doubles_of(const Tensor& tensor) {
  Doubles all;
  for (const Scalar& value : tensor.values()) all.push_back(value.real());
  return all;
}

std::vector<Participant*> participants(Meeting& cell) {
  std::vector<Participant*> all;
  for (Participant& one : cell.received) all.push_back(&one);
  if (cell.start_counts) all.push_back(&cell.start);
  return all;
}

/// Of all values but this one, from the products before it and behind it.
void weigh_product(const std::vector<Participant*>& meeting) {
  double before = 1;
  for (Participant* one : meeting) one->weight = before, before *= one->value;
  double behind = 1;
  for (std::size_t k = meeting.size(); k-- > 0; behind *= meeting[k]->value) meeting[k]->weight *= behind;
}

void weigh_extreme(const std::vector<Participant*>& meeting, bool highest) {
  double extreme = meeting.front()->value;
  for (const Participant* one : meeting)
    extreme = highest ? std::max(extreme, one->value) : std::min(extreme, one->value);
  double ties = 0;
  for (const Participant* one : meeting) ties += one->value == extreme;
  for (Participant* one : meeting) one->weight = one->value == extreme ? 1 / ties : 0;
}

/// Evenly at ties, and all for the last of several assigned values.
void weigh(Meeting& cell) {
  cell.start.weight = cell.received.empty() ? 1 : 0;
  if (cell.received.empty()) return;
  const std::vector<Participant*> meeting = participants(cell);
  switch (cell.combine) {
    case Combiner::assign:
      for (Participant& one : cell.received) one.weight = &one == &cell.received.back() ? 1 : 0;
      return;
    case Combiner::prod:
      return weigh_product(meeting);
    case Combiner::amax:
    case Combiner::amin:
      return weigh_extreme(meeting, cell.combine == Combiner::amax);
    default:
      break;
  }
  const double weight = cell.combine == Combiner::mean ? 1 / static_cast<double>(meeting.size()) : 1;
  for (Participant* one : meeting) one->weight = weight;
}

std::vector<Meeting> meetings_of(const Moving& moving, const Doubles& cotangent) {
  const KernelCall& call = moving.call;
  const auto* given = std::get_if<Tensor>(&*call.updates);
  const Doubles start = doubles_of(call.data), values = given ? doubles_of(*given) : Doubles();
  const double number = given ? 0 : spec::convert(std::get<Scalar>(*call.updates), call.data.dtype()).real();
  std::vector<Meeting> cells(cotangent.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto element = static_cast<std::int64_t>(c);
    const double from = !call.start_from_data ? call.fill.real() : c < start.size() ? start[c] : 0;
    cells[c] = {.combine = call.combine,
                .dtype = call.data.dtype(),
                .cotangent = cotangent[c],
                .start = {.value = from, .element = element},
                .start_counts = call.combine != Combiner::assign && call.include_start,
                .received = {}};
  }
  for (const Move& move : moving.moves)
    if (const auto to = static_cast<std::size_t>(move.to); to < cells.size())
      cells[to].received.push_back(
          {.value = given ? values[static_cast<std::size_t>(move.from)] : number, .element = move.from});
  return cells;
}

std::vector<GradientShare> shares_of_scatter(const Moving& moving, const Doubles& cotangent,
                                             const GradientStages& wrong) {
  std::vector<GradientShare> shares;
  std::int64_t position = 0;
  for (Meeting& cell : meetings_of(moving, cotangent)) {
    if (wrong.meet) wrong.meet(cell);
    weigh(cell);
    if (wrong.weigh) wrong.weigh(cell);
    shares.push_back({cell.cotangent * cell.start.weight, position, false, cell.start.element});
    for (const Participant& one : cell.received)
      shares.push_back({cell.cotangent * one.weight, position, true, one.element});
    ++position;
  }
  return shares;
}

std::vector<GradientShare> shares_of_gather(const Moving& moving, const Doubles& cotangent) {
  std::vector<GradientShare> shares;
  for (const Move& move : moving.moves)
    if (const auto cell = static_cast<std::size_t>(move.to); cell < cotangent.size())
      shares.push_back({cotangent[cell], move.to, false, move.from});
  return shares;
}

/// The sum of an argument's shares, in its dtype.
Tensor summed(const Summing& summing, bool of_updates, const Tensor& like) {
  const auto count = static_cast<std::size_t>(like.numel());
  Doubles sums(count, 0);
  std::vector<bool> reached(count);
  for (const GradientShare& share : summing.shares) {
    const auto element = static_cast<std::size_t>(share.element);
    if (share.of_updates != of_updates || element >= count) continue;
    const double before = summing.adds ? sums[element] : 0;
    sums[element] = spec::convert(Scalar::of_real(before + share.value), summing.accumulator).real();
    reached[element] = reached[element] || share.value != 0;
  }
  std::vector<Scalar> values;
  for (std::size_t e = 0; e < count; ++e)
    values.push_back(Scalar::of_real(reached[e] ? sums[e] : summing.unreached));
  return {like.dtype(), like.shape(), values};
}

/// The sums of shares are as few roundings away from what is asked for as the reference's.
KernelGradients summed(const Summing& summing, const KernelCall& asked) {
  const auto* updates = asked.updates ? std::get_if<Tensor>(&*asked.updates) : nullptr;
  return {.data = summed(summing, false, asked.data),
          .updates = updates ? summed(summing, true, *updates) : Tensor()};
}

/// What an engine does to the answer of the call that its kernel has just seen.
using Answer = std::function<void(spec::Produced&)>;

/// Changes what a correct engine hands back together with gradients.
class GradientEngine final : public Engine {
 public:
  GradientEngine(std::unique_ptr<Engine> inner, std::shared_ptr<Answer> answer)
      : inner_(std::move(inner)), answer_(std::move(answer)) {}

  const EngineInfo& info() const override { return inner_->info(); }
  Support supports(const spec::Call& call) const override { return inner_->supports(call); }

 private:
  std::vector<Outcome> do_run(std::span<const CallRequest> requests) override {
    std::vector<Outcome> outcomes;
    for (const CallRequest& request : requests) {
      *answer_ = nullptr;
      outcomes.push_back(std::move(inner_->run({&request, 1}).front()));
      auto* produced = std::get_if<spec::Produced>(&outcomes.back().what);
      if (produced && request.gradient && *answer_) (*answer_)(*produced);
    }
    return outcomes;
  }

  std::unique_ptr<Engine> inner_;
  std::shared_ptr<Answer> answer_;
};

}  // namespace

GradientStages stages_of(const GradientFault& fault) {
  return {.read = fault.read,
          .move = fault.move,
          .cotangent = fault.cotangent,
          .meet = fault.meet,
          .weigh = fault.weigh,
          .sum = fault.sum,
          .answer = fault.answer};
}

KernelGradients gradients(const KernelCall& asked, const Tensor& cotangent, const GradientStages& wrong) {
  Summing summing{.dtype = asked.data.dtype()};
  Reading reading{asked, {}};
  Walk walk;
  // A kernel that is wrong about the index of a call it has taken finds nothing there.
  if (!make_ready(reading, wrong.read, walk)) {
    Moving moving = moving_of(reading, walk);
    if (wrong.move) wrong.move(moving);
    Tensor given = cotangent;
    if (wrong.cotangent) wrong.cotangent(given);
    summing.shares = walk.scatter ? shares_of_scatter(moving, doubles_of(given), wrong)
                                  : shares_of_gather(moving, doubles_of(given));
  }
  if (!asked.start_from_data)
    std::erase_if(summing.shares, [](const GradientShare& share) { return !share.of_updates; });
  if (wrong.sum) wrong.sum(summing);
  KernelGradients made = summed(summing, asked);
  if (wrong.finish) wrong.finish(made);
  return made;
}

std::unique_ptr<Engine> make_gradient_engine(std::string name, const spec::SpecLibrary& specs,
                                             WrongGradients wrong, GradientsKnown known) {
  auto answer = std::make_shared<Answer>();
  auto inner = make_native_engine(std::move(name), "cpu",
                                  [](const KernelCall& call) { return execute(call, {}); }, specs,
                                  {.gradients = [answer, wrong = std::move(wrong), known = std::move(known)](
                                                    const KernelCall& call, const Tensor& cotangent) {
                                    const GradientStages stages = wrong(call);
                                    *answer = stages.answer;
                                    KernelGradients made = gradients(call, cotangent, stages);
                                    if (known) known(call, cotangent, gradients(call, cotangent, {}));
                                    return made;
                                  }});
  return std::make_unique<GradientEngine>(std::move(inner), std::move(answer));
}

}  // namespace scatterproof::engines::faulty
