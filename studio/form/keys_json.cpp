// SPDX-License-Identifier: MIT
#include "studio/form/keys_json.hpp"
#include <cmath>
#include "core/base/json.hpp"
#include "simulator/scene/key_place.hpp"
#include "simulator/scene/keys.hpp"
#include "studio/stages.hpp"

namespace synthoscope::studio {
namespace {

using simulator::ValueKind;

constexpr NameTable<ValueKind, 9> kKindNames{{{ValueKind::number, "number"},
                                              {ValueKind::integer, "integer"},
                                              {ValueKind::flag, "switch"},
                                              {ValueKind::choice, "choice"},
                                              {ValueKind::text, "file"},
                                              {ValueKind::text_or_number, "text_or_number"},
                                              {ValueKind::terms, "terms"},
                                              {ValueKind::three_numbers, "list_of_numbers"},
                                              {ValueKind::three_integers, "list_of_integers"}}};

Json json_of_end(const simulator::SceneKey& key, double simulator::Range::*end) {
  if (!key.range || std::abs((*key.range).*end) >= simulator::kUnbounded) return nullptr;
  return (*key.range).*end;
}

Json json_of_key(const simulator::SceneKey& key, const simulator::SceneSpec& defaults) {
  return {{"name", key.name},
          {"full", key.full_name()},
          {"kind", name_in(kKindNames, key.kind)},
          {"unit", key.unit},
          {"low", json_of_end(key, &simulator::Range::low)},
          {"high", json_of_end(key, &simulator::Range::high)},
          {"low_open", key.range && key.range->open},
          {"high_open", false},
          {"choices", key.names},
          {"default", simulator::json_of(key.get(defaults))},
          {"optional", key.optional},
          {"absent", key.absent},
          {"help", key.help},
          {"stage", name_in(kStageNames, stage_of(key))},
          {"in_channels", simulator::may_differ_in_channels(key)}};
}

}  // namespace

Json keys_json() {
  const simulator::SceneSpec defaults;
  Json tables = Json::array();
  for (const simulator::SceneKey& key : simulator::scene_keys()) {
    if (tables.empty() || tables.back().at("table") != key.table)
      tables.push_back({{"table", key.table}, {"keys", Json::array()}});
    tables.back().at("keys").push_back(json_of_key(key, defaults));
  }
  return tables;
}

}  // namespace synthoscope::studio
