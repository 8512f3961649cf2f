// SPDX-License-Identifier: MIT
#include "fit/pages/fit_json.hpp"
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "score/likeness/likeness_json.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::string_view kAxisNames[] = {"z", "y", "x"};

Json json_of_findings(const Findings& stage) {
  Json estimates = Json::array();
  for (const Estimate& one : stage.estimates)
    estimates.push_back({{"key", one.key},
                         {"axis", one.axis ? Json(*one.axis) : Json(nullptr)},
                         {"value", one.value},
                         {"low", one.low},
                         {"high", one.high},
                         {"unit", one.unit},
                         {"origin", name_in(kOriginNames, one.origin)},
                         {"how", one.how}});
  Json compared = Json::array();
  for (const ComparedNumber& one : stage.compared)
    compared.push_back(
        {{"name", one.name}, {"real", one.real}, {"twin", one.twin}, {"off", one.off}});
  return {{"stage", name_in(kStageNames, stage.stage)},
          {"refusal", stage.refusal},
          {"estimates", std::move(estimates)},
          {"compared", std::move(compared)},
          {"untold", stage.untold}};
}

std::string findings_text(const std::vector<Findings>& findings) {
  std::string text;
  for (const Findings& stage : findings) {
    text += fmt::format("{}\n", name_in(kStageNames, stage.stage));
    if (!stage.refusal.empty()) text += fmt::format("  not fitted: {}\n", stage.refusal);
    for (const Estimate& one : stage.estimates) {
      const std::string key =
          one.axis ? fmt::format("{}, {}", one.key, kAxisNames[static_cast<std::size_t>(*one.axis)])
                   : one.key;
      text += fmt::format("  {:<38} {:>10.4g}   {:.4g} to {:.4g} {}{}\n", key, one.value, one.low,
                          one.high, one.unit,
                          one.origin == Origin::measured
                              ? ""
                              : fmt::format(" ({})", name_in(kOriginNames, one.origin)));
    }
    for (const std::string& untold : stage.untold) text += fmt::format("  {}\n", untold);
  }
  return text;
}

}  // namespace

Json json_of(const Twin& twin) {
  Json stages = Json::array(), places = Json::array();
  for (const Findings& stage : twin.findings) stages.push_back(json_of_findings(stage));
  if (twin.evidence)
    for (const ComparedPlace& place : twin.evidence->places) {
      Json compared = score::json_of(place.compared);
      compared["where"] = name_in(textures::kPatchPlaceNames, place.where);
      places.push_back(std::move(compared));
    }
  return {{"stages", std::move(stages)}, {"evidence", std::move(places)}};
}

std::string twin_text(const Twin& twin) {
  std::string text = findings_text(twin.findings);
  if (twin.evidence)
    for (const ComparedPlace& place : twin.evidence->places)
      text += fmt::format("patches {}: {}\n", name_in(textures::kPatchPlaceNames, place.where),
                          score::verdict_of(place.compared));
  return text;
}

}  // namespace synthoscope::fit
