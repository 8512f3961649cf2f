// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <algorithm>
#include <tuple>
#include "python/simulate/simulate.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/file/sweep.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using simulator::ChannelCamera;
using simulator::SceneKey;
using simulator::SceneSpec;

nb::object object_of(const simulator::SceneValue& value) {
  return std::visit(
      [](const auto& held) -> nb::object {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::monostate>) {
          return nb::none();
        } else if constexpr (requires {
                               held.size();
                               held[2];
                             } &&
                             !std::is_same_v<Held, std::string>) {
          nb::list three;
          for (const auto& one : held) three.append(one);
          return three;
        } else {
          return nb::cast(held);
        }
      },
      value);
}

/// The dictionary of a table in `all`; of the top itself.
nb::dict table_in(nb::dict& all, const std::string& table) {
  if (table.empty()) return all;
  if (!all.contains(table.c_str())) all[table.c_str()] = nb::dict();
  return nb::cast<nb::dict>(all[table.c_str()]);
}

void put(nb::dict& all, const SceneKey& key, const simulator::SceneValue& value) {
  table_in(all, key.table)[key.name.c_str()] = object_of(value);
}

/// Every key, as a file has them: None where it would be a comment.
nb::dict keys_of(const SceneSpec& scene) {
  nb::dict all;
  const auto open = keys_chosen_by_channels(scene);
  for (const SceneKey& key : simulator::scene_keys())
    put(all, key,
        std::find(open.begin(), open.end(), key.full_name()) == open.end()
            ? key.get(scene)
            : simulator::SceneValue{});
  nb::list channels;
  for (const auto& channel : scene.channels) {
    nb::dict one;
    one["name"] = channel.name;
    for (const auto& [name, value] : channel.keys) put(one, *simulator::find_key(name), value);
    channels.append(one);
  }
  if (!scene.channels.empty()) all["channel"] = channels;
  return all;
}

/// Tells whether the value of a key differs from its default. The kind of a scene's objects chooses
/// the defaults of other keys.
class DiffersFromDefault {
 public:
  explicit DiffersFromDefault(const SceneSpec& scene) : scene_{scene} {
    for (const SceneKey& key : simulator::scene_keys())
      if (key.chooses_defaults) key.set(chosen_, key.get(scene));
  }
  bool operator()(const SceneKey& key) const {
    return key.get(scene_) != key.get(key.chooses_defaults ? usual_ : chosen_);
  }

 private:
  const SceneSpec& scene_;
  SceneSpec usual_, chosen_;
};

/// Returns the keys that were given and differ from their defaults.
nb::dict given_keys_of(const SceneSpec& scene) {
  nb::dict given;
  const DiffersFromDefault differs{scene};
  for (const SceneKey& key : simulator::scene_keys())
    if (scene.given.contains(key.full_name()) && differs(key)) put(given, key, key.get(scene));
  if (!scene.channels.empty()) given["channel"] = keys_of(scene)["channel"];
  return given;
}

/// Of its own table alone.
nb::dict given_keys_of_camera(const ChannelCamera& one) {
  SceneSpec scene;
  scene.camera = one.camera;
  nb::dict given;
  const DiffersFromDefault differs{scene};
  for (const SceneKey& key : simulator::scene_keys())
    if (key.table == "camera" && differs(key)) given[key.name.c_str()] = object_of(key.get(scene));
  return given;
}

nb::tuple state_of(const ChannelCamera& one) {
  SceneSpec scene;
  scene.camera = one.camera;
  return nb::make_tuple(simulator::to_toml(scene), one.channel, one.name, one.of_channels);
}

ChannelCamera camera_of_state(const std::string& toml, std::uint32_t channel,
                              const std::string& name, std::size_t of_channels) {
  return {simulator::parse_camera(toml, "the camera").camera, channel, name, of_channels};
}

nb::tuple zyx(const Extent3& extent) {
  return nb::make_tuple(extent.z, extent.y, extent.x);
}

nb::tuple zyx(const VoxelSize& pitch) {
  return nb::make_tuple(pitch.z_um, pitch.y_um, pitch.x_um);
}

nb::tuple channels_of_scene(const SceneSpec& scene) {
  nb::list names;
  for (const auto& channel : scene.channels) names.append(channel.name);
  return nb::tuple(names);
}

SceneSpec with_key(const SceneSpec& scene, const std::string& assignment) {
  SceneSpec changed = scene;
  apply_override(changed, assignment);
  return changed;
}

}  // namespace

void add_scene(nb::module_& module) {
  nb::class_<SceneSpec>(module, "Scene", "Everything that determines a data set.")
      .def_static(
          "read", [](const std::string& path) { return simulator::read_scene(path); },
          nb::arg("path"), "Reads a scene from a TOML file; ignores a table [sweep].")
      .def_static("parse", simulator::parse_scene, nb::arg("toml"), nb::arg("name"),
                  nb::arg("has_lines"), "Reads a scene from TOML text; messages call it `name`.")
      .def_static(
          "is_sweep",
          [](const std::string& path) { return !simulator::read_sweep(path).is_empty(); },
          nb::arg("path"), "Returns whether the TOML file describes several data sets.")
      .def("with_key", with_key, nb::arg("assignment"),
           "Returns a copy with one key changed, such as 'optics.na=1.2'; call `check` afterwards.")
      .def(
          "check", [](const SceneSpec& scene) { require_valid(scene); },
          "Raises ValueError if the values contradict each other.")
      .def(
          "to_toml", [](const SceneSpec& scene) { return simulator::to_toml(scene); },
          "Returns every key as TOML.")
      .def("keys", keys_of,
           "Returns a dictionary per table with every key; None if a key is not set.")
      .def("given_keys", given_keys_of,
           "Returns the keys that were given and differ from their defaults.")
      .def_prop_ro("seed", [](const SceneSpec& scene) { return scene.seed; })
      .def_prop_ro("frames", [](const SceneSpec& scene) { return scene.frames; })
      .def_prop_ro("is_movie", [](const SceneSpec& scene) { return scene.time.is_movie(); })
      .def_prop_ro("size", [](const SceneSpec& scene) { return zyx(scene.grid.extent); })
      .def_prop_ro("sample_size",
                   [](const SceneSpec& scene) { return zyx(sample_grid(scene).extent); })
      .def_prop_ro("spacing_um", [](const SceneSpec& scene) { return zyx(scene.grid.pitch); })
      .def_prop_ro("channels", channels_of_scene);

  nb::class_<ChannelCamera>(module, "CameraSpec", "A camera, and the number of its noise stream.")
      .def_static(
          "read",
          [](const std::string& path, const std::optional<std::string>& channel) {
            return simulator::read_camera(path, channel);
          },
          nb::arg("path"), nb::arg("channel").none(), "Reads a camera from a TOML file.")
      .def_static("parse", simulator::parse_camera, nb::arg("toml"), nb::arg("name"),
                  nb::arg("has_lines"), nb::arg("channel").none(), "Reads a camera from TOML text.")
      .def_static(
          "of_scene",
          [](const SceneSpec& scene, const std::optional<std::string>& channel) {
            const simulator::Channel chosen = channel_of(scene, channel);
            return ChannelCamera{chosen.scene.camera, chosen.number, chosen.name,
                                 scene.channels.size()};
          },
          nb::arg("scene"), nb::arg("channel").none(),
          "Returns the camera of a channel of a scene.")
      .def("given_keys", given_keys_of_camera, "Returns the keys that differ from their defaults.")
      .def("__getstate__", state_of)
      .def("__setstate__",
           [](ChannelCamera& self,
              const std::tuple<std::string, std::uint32_t, std::string, std::size_t>& state) {
             new (&self) ChannelCamera{std::apply(camera_of_state, state)};
           })
      .def_prop_ro("channel", [](const ChannelCamera& one) { return one.name; })
      .def_prop_ro("binning", [](const ChannelCamera& one) { return one.camera.binning; });
}

}  // namespace synthoscope::python
