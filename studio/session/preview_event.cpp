// SPDX-License-Identifier: MIT
#include "studio/session/preview_event.hpp"
#include "core/base/json.hpp"
#include "core/volume/pixel_type.hpp"

namespace synthoscope::studio {
namespace {

Json json_of(const Extent3& e) {
  return {e.z, e.y, e.x};
}

Json json_of(std::string_view name, const Json& channel, const SharedStack& stack,
             const FirstShown& first) {
  return {{"name", name},
          {"channel", channel},
          {"type", name_of(stack->type)},
          {"extent", json_of(stack->extent)},
          {"since", first.at(stack.get())}};
}

Json json_of_channel(const ShownImage& image) {
  return image.channel.empty() ? Json(nullptr) : Json(image.channel);
}

Json stacks_json(const Shown& shown, const FirstShown& first) {
  Json rows = Json::array();
  rows.push_back(json_of("labels", nullptr, shown.labels, first));
  for (const ShownImage& image : shown.images)
    for (const auto& [name, stack] : stacks_of(image))
      rows.push_back(json_of(name, json_of_channel(image), stack, first));
  return rows;
}

template <class T>
Json json_of(const std::optional<T>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json json_of(const std::optional<simulator::EnergyBalance>& light) {
  if (!light) return nullptr;
  return {{"emitted", light->emitted},
          {"collected", light->collected},
          {"unbounded", light->unbounded},
          {"image", light->image},
          {"lost_by_window", light->lost_by_window},
          {"lost_by_field", light->lost_by_field}};
}

Json images_json(const Shown& shown) {
  Json rows = Json::array();
  for (const ShownImage& image : shown.images) {
    const ImageNumbers& numbers = image.numbers;
    Json widths = Json::array();
    for (const auto& width : numbers.psf_widths_um) widths.push_back(json_of(width));
    rows.push_back({{"channel", json_of_channel(image)},
                    {"snr", json_of(numbers.median_snr)},
                    {"saturated", numbers.saturated},
                    {"median_counts", numbers.median_counts},
                    {"found_dose", json_of(numbers.found_dose)},
                    {"psf_widths_um", widths},
                    {"psf_includes_pixel", json_of(numbers.psf_includes_pixel)},
                    {"light_ledger", json_of(numbers.light_ledger)},
                    {"collects_all", numbers.collects_all}});
  }
  return rows;
}

}  // namespace

std::vector<std::pair<std::string_view, SharedStack>> stacks_of(const ShownImage& image) {
  return {{"light", image.light},
          {"photons", image.photons},
          {"image", image.counts},
          {"psf", image.psf_middle}};
}

FirstShown first_shown_in(std::int64_t id, const Shown& shown, const FirstShown& before) {
  FirstShown first;
  const auto add = [&](const SharedStack& stack) {
    const auto known = before.find(stack.get());
    first.emplace(stack.get(), known == before.end() ? id : known->second);
  };
  add(shown.labels);
  for (const ShownImage& image : shown.images)
    for (const auto& [name, stack] : stacks_of(image)) add(stack);
  return first;
}

Json event_of(std::int64_t id, const Shown& shown, const FirstShown& first) {
  Json walls = Json::object();
  for (const auto& [stage, wall] : shown.seconds) walls[stage] = wall;
  const Index3& origin = shown.region.origin;
  return {{"type", "preview"},
          {"id", id},
          {"region",
           {{"origin", {origin.z, origin.y, origin.x}}, {"extent", json_of(shown.region.size)}}},
          {"seconds", walls},
          {"stacks", stacks_json(shown, first)},
          {"objects", {{"count", shown.objects.count}, {"touching", shown.objects.touching}}},
          {"images", images_json(shown)},
          {"seed", shown.seed},
          {"is_seed_drawn", shown.is_seed_drawn},
          {"warnings", shown.warnings}};
}

}  // namespace synthoscope::studio
