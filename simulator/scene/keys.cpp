// SPDX-License-Identifier: MIT
#include "simulator/scene/keys.hpp"
#include "simulator/detector/camera_keys.hpp"
#include "simulator/light/light_keys.hpp"
#include "simulator/optics/pupil/optics_keys.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/scene/table_rows.hpp"
#include "simulator/scene/time_keys.hpp"

namespace synthoscope::simulator {
namespace {

void add_grid_keys(std::vector<SceneKey>& keys) {
  keys.push_back(absent_means(
      "random, and recorded in scene.json",
      key("seed", "", Range{0, kUnbounded},
          "determines all random numbers: equal seeds give equal data", SYNTHOSCOPE_MEMBER(seed))));
  keys.push_back(key("frames", "", Range{1, 10000},
                     "number of images (stacks) to simulate. They are independent of each other, "
                     "each with its own objects and noise, unless there is a "
                     "time.interval_seconds: then they are the time points of a movie. All have "
                     "the same camera maps",
                     SYNTHOSCOPE_MEMBER(frames)));
  keys.push_back(key("grid.size", "voxels", Range{1, 0x1p20}, "number of voxels along z, y and x",
                     SYNTHOSCOPE_MEMBER(grid.extent)));
  keys.push_back(key("grid.pitch_nm", "nm", Range{0, 1e9, true},
                     "distance between voxels along z, y and x, the pixel size in the sample",
                     SYNTHOSCOPE_MEMBER(grid.pitch)));
  keys.push_back(key("grid.margin_um", "um", Range{0, 1e6},
                     "the sample is larger than the grid by this on both sides, along z, y and x: "
                     "objects there give light, such as haze from above and below a single plane, "
                     "and are in no mask; rounded up to voxels. Numbers and densities of objects "
                     "are those of the sample; positions are from the corner of the grid",
                     SYNTHOSCOPE_MEMBER(margin_um)));
  keys.push_back(key(
      "grid.masks", "", kAny,
      "what masks show, for a grid of one plane: section, what this plane cuts; footprint, what "
      "lies above or below a pixel within the sample, the object nearest to the plane",
      SYNTHOSCOPE_MEMBER(masks)));
}

void add_phantom_keys(std::vector<SceneKey>& keys) {
  Kinds::for_each([&]<class Kind>(Kind) {
    const auto part = [](auto& scene) -> auto& {
      return Kind::part(scene);
    };
    TableRows rows{keys, Kind::kName, part};
    Kind::list_keys(rows);
  });
}

void add_light_keys(std::vector<SceneKey>& keys) {
  for (const LightKind& kind : kLightKinds)
    keys.push_back(key(
        fmt::format("light.{}", kind.name), "", Range{0, 1e6},
        fmt::format("factor for the light of {}; 0 is dark", kind.what),
        [weight = kind.weight](auto& scene) -> auto& { return scene.light.*weight; }));
}

void add_background_keys(std::vector<SceneKey>& keys) {
  keys.push_back(key("background.photons_per_pixel", "photons per pixel and exposure",
                     Range{0, 1e9}, "stray light, added after the blur",
                     SYNTHOSCOPE_MEMBER(background_photons)));
  TableRows rows{keys, "background", SYNTHOSCOPE_MEMBER(background)};
  list_background_keys(rows);
}

/// Appends the keys of a table. `part(scene)` returns its spec, `list(rows)` lists its keys.
template <class Part, class List>
void add_table(std::vector<SceneKey>& keys, std::string_view table, Part part, List list) {
  TableRows rows{keys, table, part};
  list(rows);
}

void add_optics_keys(std::vector<SceneKey>& keys) {
  TableRows rows{keys, "optics", SYNTHOSCOPE_MEMBER(optics)};
  list_lens_keys(rows);
  keys.push_back(key("optics.oversample", "", Range{1, kMaxOversampling},
                     "render and blur on a grid this number of times finer along y and x, and add "
                     "photons up over the pixels of grid; correct for points next to bodies, and "
                     "for pixels coarser than the light; must be odd if there are points",
                     SYNTHOSCOPE_MEMBER(oversample)));
  list_psf_keys(rows);
}

void add_output_keys(std::vector<SceneKey>& keys) {
  keys.push_back(
      key("output.light", "", kAny,
          "also write light, the photons that leave each voxel of grid in an exposure, before the "
          "blur: the truth of a deconvolution, as float32. The factors of illumination are in it, "
          "except its falloff and flat field; stripes, losses in medium and the background are not",
          SYNTHOSCOPE_MEMBER(output.light)));
}

std::vector<SceneKey> make_keys() {
  std::vector<SceneKey> keys;
  add_grid_keys(keys);
  add_phantom_keys(keys);
  add_table(keys, "time", SYNTHOSCOPE_MEMBER(time), [](auto& rows) { list_time_keys(rows); });
  add_light_keys(keys);
  add_background_keys(keys);
  add_table(keys, "medium", SYNTHOSCOPE_MEMBER(medium), [](auto& rows) { list_medium_keys(rows); });
  add_table(keys, "illumination", SYNTHOSCOPE_MEMBER(illumination),
            [](auto& rows) { list_illumination_keys(rows); });
  add_table(keys, "pattern", SYNTHOSCOPE_MEMBER(pattern),
            [](auto& rows) { list_pattern_keys(rows); });
  add_optics_keys(keys);
  add_table(keys, "camera", SYNTHOSCOPE_MEMBER(camera), [](auto& rows) { list_camera_keys(rows); });
  add_output_keys(keys);
  return keys;
}

}  // namespace

const std::vector<SceneKey>& scene_keys() {
  static const auto kKeys = make_keys();
  return kKeys;
}

const SceneKey* find_key(std::string_view full_name) {
  for (const SceneKey& key : scene_keys())
    if (key.full_name() == full_name) return &key;
  return nullptr;
}

void give(SceneSpec& scene, const SceneKey& key, const SceneValue& value) {
  const SceneSpec before = scene;
  key.set(scene, value);
  if (key.chooses_defaults)
    for (const SceneKey& other : scene_keys())
      if (other.table == key.table && !other.chooses_defaults &&
          before.given.contains(other.full_name()))
        if (const auto its = other.get(before); !std::holds_alternative<std::monostate>(its))
          other.set(scene, its);
  scene.given.insert(key.full_name());
}

std::vector<std::string> keys_not_given(const SceneSpec& scene, std::string_view table) {
  std::vector<std::string> names;
  for (const SceneKey& key : scene_keys())
    if (key.table == table && !key.chooses_defaults && !scene.given.contains(key.full_name()))
      names.push_back(key.full_name());
  return names;
}

void require_in_range(const SceneKey& key, const SceneValue& value) {
  if (!key.range) return;
  const auto check = [&](double number) {
    if (!key.range->holds(number))
      throw InvalidSpec(fmt::format("is {}; give {}", number, key.range->words()));
  };
  if (const auto* number = std::get_if<double>(&value)) check(*number);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) check(static_cast<double>(*integer));
  if (const auto* three = std::get_if<ThreeNumbers>(&value))
    for (const double number : *three) check(number);
  if (const auto* three = std::get_if<ThreeIntegers>(&value))
    for (const auto number : *three) check(static_cast<double>(number));
}

}  // namespace synthoscope::simulator
