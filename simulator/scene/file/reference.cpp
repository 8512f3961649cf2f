// SPDX-License-Identifier: MIT
// simulator/scene/file/reference.cpp — the reference of all keys, in Markdown.
#include <algorithm>
#include "simulator/detector/camera_presets.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/key_words.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::string_view kChannelReference = R"(
## [[channel]]

Each `[[channel]]` adds one image to every frame, in the order of the tables. All channels show the
same phantom and share the masks. A channel has a name, which is part of its file names, and may
give other values for keys of `[light]`, `[background]`, `[illumination]`, `[pattern]`, `[optics]`
and `[camera]`. Kinds of objects whose light a channel does not give are dark in it.

```toml
[[channel]]
name = "dapi"
optics.wavelength_nm = 461
light.nuclei = 1

[[channel]]
name = "gfp"
optics.wavelength_nm = 510
optics.shift_nm = [120, 0, 35]   # chromatic shift against the truth
light.beads = 1
light.nuclei = 0.05              # bleeds through
```

For `--set` and `[sweep]`, such a key has a name like `channel.gfp.optics.na`. `camera.kind` or
`camera.preset` in a channel sets the keys of its camera that neither the channel nor `[camera]` of
the scene gives. A name has letters, digits, `-` and `_`. A scene has at most 32 channels.
)";

constexpr std::string_view kSweepReference = R"(
## [sweep]

`[sweep]` makes one data set for each combination of values. Each data set has its own folder in the
output folder. Every key except `seed` can have a list or a range. With `repeats = N`, each
combination is simulated N times with different seeds.

```toml
[optics]
collection = "aperture"   # a larger aperture collects more light

[sweep]
repeats = 5
nuclei.clustering = [0, 0.25, 0.5, 0.75]
optics.na = {from = 0.8, to = 1.4, step = 0.2}
camera.exposure_seconds = {from = 0.1, to = 1, count = 4}
```

A folder has the names and values of the keys in its name, as in
`clustering-0.25_na-0.8_exposure_seconds-0.1_repeat-3`. `sweep.json` (written first) and `sweep.csv`
(written last) list the folders. The seed of a data set depends only on the seed of the scene and on
the values of the data set, so you can add values and repeats: `--resume` keeps the existing data
sets.

With `seed = "shared"` instead of `"own"`, the default, the seed depends only on the seed of the
scene and on the number of the repeat. Data sets of one repeat then have the same objects, the same
camera and the same random numbers of the noise, and differ only by the swept keys. Their noise is
not independent: its correlation is 0.94 to 0.998 if they differ in light or lens.

Every data set is checked separately, so a key such as `camera.em_gain`, which only one kind of
camera has, can be given together with `camera.kind = ["emccd"]` here. Commands that make one image
ignore `[sweep]`.
)";

std::string row_of(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const auto& cell : cells) row += fmt::format(" {} |", cell);
  return row + "\n";
}

/// Returns a table of every key of [camera] in which presets differ, and the sources of their
/// values.
std::string camera_presets_reference() {
  std::string text =
      "\n### Presets of [camera]\n\nValues of the keys for each `camera.preset`. Values without a "
      "source are typical of such cameras.\n\n";
  std::vector<std::string> head{"key"}, sources;
  std::vector<SceneSpec> cameras;
  for (const auto& [preset, name] : kCameraPresetNames) {
    if (preset == CameraPreset::none) continue;
    cameras.emplace_back().camera = preset_camera(preset);
    head.push_back(fmt::format("`{}`", name));
    const auto [camera, source] = preset_text(preset);
    sources.push_back(fmt::format("- `{}`: {}. Sources: {}.\n", name, camera, source));
  }
  text += row_of(head) + row_of(std::vector<std::string>(head.size(), "---"));
  for (const SceneKey& key : scene_keys()) {
    if (key.table != "camera" || key.name == "preset") continue;
    const auto first = key.get(cameras.front());
    const bool differs = std::any_of(cameras.begin(), cameras.end(), [&](const SceneSpec& scene) {
      return key.get(scene) != first;
    });
    if (!differs) continue;
    std::vector<std::string> cells{fmt::format("`{}`", key.name)};
    for (const auto& scene : cameras) cells.push_back(toml_of(key.get(scene)));
    text += row_of(cells);
  }
  text += "\n";
  for (const auto& line : sources) text += line;
  return text;
}

}  // namespace

std::string scene_reference_markdown() {
  std::string text =
      "# Scene reference\n\n"
      "A scene is a TOML file. Keys that it leaves out keep their defaults; units are in the names "
      "of\nthe keys; axes are in the order z, y, x. A camera file for `detect` holds the keys of "
      "`[camera]`.\nKeys of `[optics]` and `[pattern]` that the chosen `optics.model` or "
      "`pattern.kind` "
      "does not use change\nnothing, mostly without a warning. This page is generated from the "
      "program.\n";
  std::string table = "none";
  for (const SceneKey& key : scene_keys()) {
    if (key.table != table) {
      text += key.table.empty() ? "\n## At the top\n\n" : fmt::format("\n## [{}]\n\n", key.table);
      text += "| key | type | default | unit | range | meaning |\n|---|---|---|---|---|---|\n";
    }
    table = key.table;
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.name, type_words(key),
                        default_words(key, "`"), key.unit, key.range ? key.range->words() : "",
                        key.help);
  }
  return text + camera_presets_reference() + std::string{kChannelReference} +
         std::string{kSweepReference};
}

}  // namespace synthoscope::simulator
