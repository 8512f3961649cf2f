// SPDX-License-Identifier: MIT
#include "fit/texture/texture_keys.hpp"
#include <string_view>
#include "simulator/phantom/kinds.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

using simulator::SceneSpec;
using simulator::TextureKind;

constexpr double kTextureStep = 0.3;   ///< in priors: contrasts are flat where a stain is even
constexpr double kStepOfPlaces = 0.7;  ///< the same, where chance is redrawn

FittedKey factor(std::string key, double least, double most, double prior) {
  return {.key = std::move(key), .least = least, .most = most, .prior = prior};
}
FittedKey share(std::string key, double most, double prior) {
  return {.key = std::move(key), .logarithmic = false, .least = 0, .most = most, .prior = prior};
}

void append(std::vector<FittedKey>& keys, std::vector<FittedKey> more) {
  for (FittedKey& key : more) keys.push_back(std::move(key));
}

std::vector<FittedKey> keys_of_nuclei(const simulator::NucleiSpec& nuclei) {
  std::vector<FittedKey> keys;
  if (nuclei.texture != TextureKind::none)
    append(keys, {share("nuclei.texture_contrast", 1, 0.3),
                  factor("nuclei.texture_wavelength_um", 0.5, 20, 0.7)});
  if (nuclei.texture == TextureKind::domains)
    append(keys,
           {share("nuclei.lacuna_share", 0.5, 0.1), share("nuclei.lacuna_density", 1, 0.3),
            share("nuclei.clump_share", 0.5, 0.1), factor("nuclei.clump_density", 0.05, 10, 1),
            factor("nuclei.domain_border", 0.05, 4, 0.5)});
  append(keys, {share("nuclei.envelope_density", 3, 0.6)});
  if (nuclei.nucleoli > 0)
    append(keys, {factor("nuclei.nucleolus_radius", 0.05, 0.5, 0.3),
                  share("nuclei.nucleolus_density", 1, 0.3)});
  return keys;
}

/// From the texture to the last key of nucleoli, in the order of the reference.
bool is_key_of_stain(std::string_view name) {
  constexpr std::string_view kBegins[] = {"texture", "lacuna",   "clump",  "domain_border",
                                          "warp",    "envelope", "nucleol"};
  for (const std::string_view begin : kBegins)
    if (name.substr(0, begin.size()) == begin) return true;
  return false;
}

}  // namespace

std::vector<FittedKey> texture_keys(const SceneSpec& scene) {
  std::vector<FittedKey> keys;
  const simulator::PhantomSpec objects = phantom_of(scene);
  const simulator::Grid sample = sample_grid(scene);
  if (simulator::has_kind<simulator::kinds::Nuclei>(objects, sample))
    keys = keys_of_nuclei(scene.nuclei);
  else if (simulator::has_kind<simulator::kinds::Cells>(objects, sample))
    keys = {share("cells.cytoplasm_contrast", 1, 0.3)};
  for (FittedKey& key : keys) {
    key.how = "from the texture inside objects";
    key.step = kTextureStep;
    // Larger nucleoli find other places; longer waves show another part of the same noise
    key.redraws = key.key == "nuclei.nucleolus_radius" || key.key == "nuclei.texture_wavelength_um";
    if (key.redraws) key.step = kStepOfPlaces;
  }
  return keys;
}

void give_stain(SceneSpec& scene, simulator::NucleiKind kind, const std::set<std::string>& fixed) {
  SceneSpec typical;
  set_typical(typical.nuclei, kind);
  for (const simulator::SceneKey& key : simulator::scene_keys()) {
    if (key.table != "nuclei" || !is_key_of_stain(key.name) || fixed.count(key.full_name()) > 0)
      continue;
    const simulator::SceneValue value = key.get(typical);
    if (!std::holds_alternative<std::monostate>(value)) {
      give(scene, key, value);
    } else {
      scene.nuclei.nucleolus_height.reset();  // the only one that may be absent
      scene.given.erase(key.full_name());
    }
  }
}

void weaken_stain(SceneSpec& scene, double factor, const std::set<std::string>& fixed) {
  const auto change = [&](const char* name, auto&& to) {
    const std::string full = std::string{"nuclei."} + name;
    if (fixed.count(full) > 0) return;
    const simulator::SceneKey& key = key_named(full);
    simulator::give(scene, key, to(std::get<double>(key.get(scene))));
  };
  const auto less = [factor](double excess) { return factor * excess; };
  const auto nearer_to_one = [factor](double density) { return 1 - factor * (1 - density); };
  for (const char* name : {"texture_contrast", "clump_density", "envelope_density"})
    change(name, less);
  for (const char* name : {"lacuna_density", "nucleolus_density"}) change(name, nearer_to_one);
}

}  // namespace synthoscope::fit
