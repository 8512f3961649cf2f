// SPDX-License-Identifier: MIT
#include "score/likeness/likeness_json.hpp"
#include "core/base/json.hpp"

namespace synthoscope::score {
namespace {

using textures::NullPlace;
constexpr NameTable<NullPlace, 3> kNullPlaceNames{
    {{NullPlace::inside, "inside"}, {NullPlace::above, "above"}, {NullPlace::open, "open"}}};

Json json_of_measure(const textures::MeasureBesideNull& measure) {
  Json json{{"value", nullptr}, {"null", measure.null}};
  if (measure.value) json["value"] = *measure.value;
  if (!measure.null.empty()) {
    json["null_low"] = measure.low;
    json["null_high"] = measure.high;
    json["null_below"] = measure.below;
  }
  json["place"] = name_of(measure.place);
  return json;
}

Json json_of_effects(const ComparedImages& compared) {
  Json effects = Json::array();
  for (const textures::StatisticEffect& effect : compared.likeness.effects) {
    const textures::PatchStatistic& statistic = textures::kPatchStatistics[effect.statistic];
    Json one{
        {"statistic", statistic.name},
        {"effect", effect.effect},
        {"difference", effect.difference},
        {"null_bound", nullptr},
        {"gives_away", effect.gives_away()},
        {"synthetic_images_have", words_of(statistic, effect.difference > 0, compared.pixel_um())}};
    if (effect.null_bound) one["null_bound"] = *effect.null_bound;
    effects.push_back(std::move(one));
  }
  return effects;
}

Json json_of_set(std::int64_t images, std::int64_t patches, const textures::MeasuredSet& set) {
  Json json{
      {"images", images}, {"patches", patches}, {"left_out", set.without}, {"pixel_um", nullptr}};
  if (set.pixel_um) json["pixel_um"] = *set.pixel_um;
  return json;
}

}  // namespace

std::string_view name_of(NullPlace place) {
  return name_in(kNullPlaceNames, place);
}

Json json_of(const ComparedImages& compared) {
  const textures::Likeness& found = compared.likeness;
  return {{"real", json_of_set(found.real_images, found.real_patches, compared.real)},
          {"synthetic",
           json_of_set(found.synthetic_images, found.synthetic_patches, compared.synthetic)},
          {"patch", compared.patch.side},
          {"where", name_in(textures::kPatchPlaceNames, compared.patch.where)},
          {"objects", compared.by_labels ? "labels" : "bright"},
          {"seed", compared.seed},
          {"auc_logistic_regression", json_of_measure(found.logistic)},
          {"auc_random_forest", json_of_measure(found.forest)},
          {"energy_distance", json_of_measure(found.energy)},
          {"sliced_wasserstein", json_of_measure(found.sliced)},
          {"energy_p", found.test.p},
          {"energy_least_p", found.test.least_p},
          {"assignments", found.test.assignments},
          {"all_assignments", found.test.all_assignments},
          {"verdict", verdict_of(compared)},
          {"statistics", json_of_effects(compared)}};
}

}  // namespace synthoscope::score
