// SPDX-License-Identifier: Apache-2.0
// From a seed and a number to a fault.
#include "drawn.hpp"

#include <fmt/format.h>

#include <charconv>

namespace scatterproof::engines {
namespace {

constexpr std::string_view prefix = "drawn-", of_gradients = "gradient-";

std::string_view sentence(std::string_view effect) {
  if (const auto* fault = faulty::find_state_fault(effect)) return fault->says;
  if (const auto* fault = faulty::find_gradient_state_fault(effect)) return fault->says;
  if (const auto* fault = faulty::find_gradient_fault(effect)) return fault->says;
  return faulty::find_fault(effect)->says;
}

/// Reads a number at the front of the text and removes it.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

DrawnFault draw_fault(std::uint64_t seed, std::uint64_t number, bool gradient) {
  spec::Dice dice(seed, number);
  const auto& effects = gradient ? faulty::gradient_effects() : faulty::effects();
  const auto can_meet = gradient ? faulty::gradient_can_meet : faulty::can_meet;
  // Places are equally likely, however many effects each has.
  std::vector<std::string_view> places;
  for (const faulty::Effect& effect : effects)
    if (places.empty() || places.back() != effect.place) places.push_back(effect.place);
  const std::string_view place = dice.pick(places);
  std::vector<faulty::Effect> here;
  for (const faulty::Effect& effect : effects)
    if (effect.place == place) here.push_back(effect);
  const faulty::Effect effect = dice.pick(here);
  FaultCondition condition = effect.needs ? *effect.needs : faulty::draw_condition(dice);
  while (!effect.needs && !can_meet(effect, condition)) condition = faulty::draw_condition(dice);
  return {.name = fmt::format("{}{}{}-{}", prefix, gradient ? of_gradients : "", seed, number),
          .place = place,
          .effect = effect.name,
          .says = sentence(effect.name),
          .condition = condition};
}

bool is_of_gradients(const DrawnFault& fault) { return fault.effect.starts_with("gradient-"); }

std::optional<DrawnFault> parse_drawn(std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  std::string_view rest = name.substr(prefix.size());
  const bool gradient = rest.starts_with(of_gradients);
  if (gradient) rest.remove_prefix(of_gradients.size());
  const auto seed = take_number(rest);
  if (!seed || !rest.starts_with('-')) return std::nullopt;
  rest.remove_prefix(1);
  const auto number = take_number(rest);
  if (!number || !rest.empty()) return std::nullopt;
  return draw_fault(*seed, *number, gradient);
}

}  // namespace scatterproof::engines
