// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include "core/base/error.hpp"
#include "core/stream/carry.hpp"
#include "core/stream/memory_stream.hpp"
#include "core/stream/store_as.hpp"
#include "python/session/arrays.hpp"
#include "python/session/session.hpp"
#include "python/simulate/simulate.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/optics/psf.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using simulator::SceneSpec;

void carry_into(const char* stage, Source& voxels, const VoxelView& array,
                const RunContext& context) {
  StoreAs as_they_are{array.type()};
  MemorySink sink{array};
  carry(stage, voxels, as_they_are, sink, context);
}

void render_phantom(const SceneSpec& scene, const std::optional<std::string>& channel,
                    std::int64_t frame, const WrittenArray& light, const WrittenArray& labels,
                    std::optional<int> workers, const std::optional<std::string>& memory) {
  const SceneSpec seen = channel_of(scene, channel).scene;
  if (frame < 0 || frame >= seen.frames)
    throw InvalidSpec(fmt::format("make the phantom of frame {}: the scene has frames from 0 to {}",
                                  frame, seen.frames - 1));
  const VoxelView photons = view_of(light), numbers = view_of(labels);
  Session session{workers, memory};
  session.run([&](const RunContext& context) {
    const auto objects =
        context.memory.reserve(3 * phantom_bytes(fullest_phantom_of(seen), sample_grid(seen)) +
                                   simulator::Timelapse::bytes(seen) + shared_bytes(seen),
                               "objects");
    const simulator::Timelapse timelapse{seen, context};
    const simulator::Phantom phantom = timelapse.phantom(frame, context);
    const auto shifted = timelapse.shifted_by_focus_drift(phantom, frame);
    const simulator::Phantom sample = on_sample_grid(shifted ? *shifted : phantom, seen);
    simulator::PhantomSource rendered{sample, seen.light};
    carry_into("light", rendered, photons, context);
    const auto numbered = timelapse.masks(phantom, timelapse.labels_of(frame).labels);
    carry_into("labels", *numbered, numbers, context);
  });
}

/// An array that keeps the PSF alive.
nb::object array_of(simulator::Psf psf) {
  auto* const kept = new simulator::Psf{std::move(psf)};
  const nb::capsule owner{kept,
                          [](void* made) noexcept { delete static_cast<simulator::Psf*>(made); }};
  const auto& [z, y, x] = kept->voxels.extent;
  return nb::cast(nb::ndarray<nb::numpy, float>{
      kept->voxels.voxels.data(),
      {static_cast<std::size_t>(z), static_cast<std::size_t>(y), static_cast<std::size_t>(x)},
      owner});
}

nb::dict make_psf(const SceneSpec& scene, const std::optional<std::string>& channel,
                  std::optional<int> workers, const std::optional<std::string>& memory) {
  const SceneSpec seen = channel_of(scene, channel).scene;
  const VoxelSize pitch = blur_grid(seen).pitch;
  Session session{workers, memory};
  simulator::Psf psf;
  session.run([&](const RunContext& context) {
    psf = simulator::make_psf(blur_optics(seen), pitch, blur_sizing(seen), context.pool,
                              &context.memory, context.stop);
    for (const auto& note : psf.notes) context.log.note(note);
    for (const auto& warning : psf.warnings) context.log.warn(warning);
    psf.counted = {};  // the caller's from here on
  });
  nb::dict made;
  made["center"] = nb::make_tuple(psf.centre.z, psf.centre.y, psf.centre.x);
  made["spacing_um"] = nb::make_tuple(pitch.z_um, pitch.y_um, pitch.x_um);
  made["origin_um"] = psf.origin_um;
  made["focus_um"] = psf.focus_um;
  made["array"] = array_of(std::move(psf));
  return made;
}

/// A camera that records volumes of one extent: its maps are read or drawn once.
class Recorder {
 public:
  Recorder(const simulator::ChannelCamera& camera, const Extent3& extent, std::uint64_t seed,
           std::optional<int> workers, const std::optional<std::string>& memory)
      : session_{workers, memory}, extent_{extent} {
    session_.run([&](const RunContext& context) {
      maps_ = context.memory.reserve(camera_map_bytes(camera.camera, extent.y, extent.x),
                                     "the camera's maps");
      camera_.emplace(camera.camera, simulator::ExposureKey{seed, 0, camera.channel}, extent);
    });
  }

  [[nodiscard]] nb::tuple shape() const {
    const auto [z, y, x] = camera_->format(extent_).extent;
    return nb::make_tuple(z, y, x);
  }
  [[nodiscard]] std::string type() const {
    return std::string{name_of(camera_->format(extent_).type)};
  }

  /// How many photons were below 0, and the lowest of them.
  std::pair<std::int64_t, float> record(const ReadArray& photons, std::uint32_t exposure,
                                        const WrittenArray& counts) {
    simulator::CameraReport met;
    const ConstVoxelView light = view_of(photons);
    const VoxelView recorded = view_of(counts);
    session_.run([&](const RunContext& context) {
      simulator::CameraEpilogue one{*camera_, exposure};
      MemorySource source{light};
      MemorySink sink{recorded};
      carry("camera", source, one, sink, context);
      met = one.report();
      if (const auto text = saturation_warning(met); !text.empty()) context.log.warn(text);
    });
    return {met.negative_photons, met.most_negative_photons};
  }

 private:
  Session session_;
  Extent3 extent_;
  Reservation maps_;
  std::optional<simulator::CameraEpilogue> camera_;
};

}  // namespace

void add_optical_parts(nb::module_& module) {
  module.def("render_phantom", render_phantom, nb::arg("scene"), nb::arg("channel").none(),
             nb::arg("frame"), nb::arg("light").noconvert(), nb::arg("labels").noconvert(),
             nb::arg("workers").none(), nb::arg("memory").none(),
             "Fills arrays (z, y, x) of float32 and uint16 with the light and the labels of a "
             "frame.");
  module.def("make_psf", make_psf, nb::arg("scene"), nb::arg("channel").none(),
             nb::arg("workers").none(), nb::arg("memory").none(),
             "Returns the PSF of a scene as an array (z, y, x), its centre, voxel size, origin and "
             "focus, in a dictionary.");
  nb::class_<Recorder>(module, "Recorder", "A camera that records volumes of one extent.")
      .def(
          "__init__",
          [](Recorder* self, const simulator::ChannelCamera& camera, std::int64_t z, std::int64_t y,
             std::int64_t x, std::uint64_t seed, std::optional<int> workers,
             const std::optional<std::string>& memory) {
            new (self) Recorder{camera, {z, y, x}, seed, workers, memory};
          },
          nb::arg("camera"), nb::arg("z"), nb::arg("y"), nb::arg("x"), nb::arg("seed"),
          nb::arg("workers").none(), nb::arg("memory").none())
      .def_prop_ro("shape", &Recorder::shape)
      .def_prop_ro("dtype", &Recorder::type)
      .def("record", &Recorder::record, nb::arg("photons").noconvert(), nb::arg("exposure"),
           nb::arg("counts").noconvert(),
           "Fills `counts` with the recorded counts; returns the number of negative photon "
           "values, and the lowest.");
}

}  // namespace synthoscope::python
