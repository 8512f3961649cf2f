// SPDX-License-Identifier: MIT
// How fast does a device render phantoms and record photons, beside all threads of the host, with
// the same voxels?
// Prints a table last, and JSON to the file that is named; of a scene, if one is named, how long
// each of its phases takes beside the blur.
#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include "core/base/json.hpp"
#include "core/base/stopwatch.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/device_stream.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/scene/file/scene_file.hpp"

namespace synthoscope::simulator {
namespace {

constexpr Extent3 kField{64, 1024, 1024};
constexpr int kRepeats = 5;

struct Bench {
  Bench(cuda::DeviceInfo info, int threads) : device{std::move(info)}, pool{threads} {}
  cuda::DeviceInfo device;
  MemoryBudget memory{std::int64_t{16} << 30, 0, "--gpu-memory"};
  TaskPool pool;
  cuda::Stream stream{device.id};
  Json rows = Json::array();
  std::string table;
};

void note(Bench& bench, const std::string& what, double host, double device, bool same,
          const Extent3& extent = kField) {
  const double mvoxels = static_cast<double>(volume(extent)) / 1e6;
  bench.rows.push_back(
      {{"what", what}, {"host_seconds", host}, {"device_seconds", device}, {"identical", same}});
  bench.table += fmt::format("{:<28} {:>9.1f} {:>9.1f} {:>7.1f}  {}\n", what, mvoxels / host,
                             mvoxels / device, host / device, same ? "identical" : "DIFFERENT");
}

/// Seconds of `work` at its best.
template <class Work>
double best_seconds(Work&& work) {
  double best = 0;
  for (int i = 0; i < kRepeats; ++i) {
    Stages stages;
    const Stopwatch watch{stages};
    work();
    const double seconds = watch.total();
    best = i == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

/// A dim field with bright spots in it.
Volume<float> field_of(float photons) {
  Volume<float> field{kField};
  for (std::size_t i = 0; i < field.voxels.size(); ++i) {
    const auto level = static_cast<float>(i * 2654435761U % 1024) / 1024;
    field.voxels[i] = photons * (0.2F + level * level * 2.4F);
  }
  return field;
}

void record(Bench& bench, CameraKind kind, float photons) {
  const Volume<float> field = field_of(photons);
  CameraEpilogue camera{typical_camera(kind), {5}, kField};
  Volume<std::uint16_t> host{kField}, device{kField};
  const double host_seconds = best_seconds([&] {
    bench.pool.for_each(kField.z, [&](std::int64_t z) {
      const Box3 box = plane(kField, z);
      camera.apply(box, {field.view().row(z, 0), box.size},
                   HostView3<std::uint16_t>{host.view().row(z, 0), box.size});
    });
  });

  const cuda::DeviceBuffer<float> in{bench.device.id, bench.memory, volume(kField), "photons"};
  const cuda::DeviceBuffer<std::uint16_t> out{bench.device.id, bench.memory, volume(kField),
                                              "counts"};
  const auto epilogue = camera.make_on_device();
  epilogue->prepare({bench.device, bench.memory, bench.pool}, bench.stream);
  cuda::enqueue_copy(bench.stream, in.data(), field.voxels.data(), in.bytes());
  bench.stream.finish();
  const double device_seconds = best_seconds([&] {
    epilogue->enqueue_apply(bench.stream, whole(kField), in.data(),
                            reinterpret_cast<std::byte*>(out.data()));
    bench.stream.finish();
  });
  cuda::enqueue_copy(bench.stream, device.voxels.data(), out.data(), out.bytes());
  epilogue->finish(bench.stream);
  note(bench, fmt::format("{}, about {} photons", name_in(kCameraKindNames, kind), photons),
       host_seconds, device_seconds, host.voxels == device.voxels);
}

/// What a scene renders plane by plane on the host.
template <class T>
void render(Bench& bench, const std::string& what, Source& source) {
  Volume<T> host{kField}, device{kField};
  const double host_seconds = best_seconds([&] {
    bench.pool.for_each(kField.z, [&](std::int64_t z) {
      const Box3 box = plane(kField, z);
      source.read(box, HostView3<T>{host.view().row(z, 0), box.size});
    });
  });
  const cuda::DeviceBuffer<T> out{bench.device.id, bench.memory, volume(kField), "voxels"};
  std::unique_ptr<cuda::DeviceSource> there;
  const double prepare_seconds = best_seconds([&] {
    there = source.make_on_device();
    there->prepare({bench.device, bench.memory, bench.pool}, bench.stream);
  });
  const double device_seconds = best_seconds([&] {
    there->enqueue_read(bench.stream, whole(kField), reinterpret_cast<std::byte*>(out.data()));
    bench.stream.finish();
  });
  cuda::enqueue_copy(bench.stream, device.voxels.data(), out.data(), out.bytes());
  bench.stream.finish();
  note(bench, what, host_seconds, device_seconds, host.voxels == device.voxels);
  bench.table += fmt::format("  prepared in {:.1f} ms\n", prepare_seconds * 1e3);
}

void render_phantom(Bench& bench, NucleiKind kind, TextureKind texture) {
  PhantomSpec spec;
  set_typical(spec.nuclei, kind);
  spec.nuclei.texture = texture;
  spec.nuclei.radius_um = 2.2;
  spec.nuclei.count = 500;
  MemoryBudget memory{std::int64_t{4} << 30};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  const Phantom phantom =
      make_phantom(spec, {kField, {0.3, 0.12, 0.12}}, 3, {bench.pool, memory, progress, log, stop});
  PhantomSource light{phantom};
  render<float>(
      bench,
      fmt::format("{}, {}", name_in(kNucleiKindNames, kind), name_in(kTextureKindNames, texture)),
      light);
  LabelSource labels{phantom};
  render<std::uint16_t>(bench, fmt::format("labels of {}", name_in(kNucleiKindNames, kind)),
                        labels);
}

/// Seconds that slabs of a scene take, of the host and of the device.
struct Phase {
  double host = 0, device = 0;
  bool same = true;
};

/// Calls `on_host` for every plane of a slab by all threads, `on_device` for all of it, and
/// compares what they leave.
template <class T, class OnHost, class OnDevice>
void time_slab(Bench& bench, Phase& phase, const Box3& slab, Volume<T>& host, OnHost&& on_host,
               OnDevice&& on_device) {
  const std::int64_t plane_voxels = slab.size.y * slab.size.x;
  const cuda::DeviceBuffer<T> there{bench.device.id, bench.memory, volume(slab.size), "voxels"};
  Stages stages;
  const Stopwatch of_host{stages};
  bench.pool.for_each(slab.size.z, [&](std::int64_t z) {
    const Box3 plane{{slab.origin.z + z, 0, 0}, {1, slab.size.y, slab.size.x}};
    on_host(plane, HostView3<T>{host.voxels.data() + z * plane_voxels, plane.size});
  });
  phase.host += of_host.total();
  const Stopwatch of_device{stages};
  on_device(reinterpret_cast<std::byte*>(there.data()));
  bench.stream.finish();
  phase.device += of_device.total();
  Volume<T> found{slab.size};
  cuda::enqueue_copy(bench.stream, found.voxels.data(), there.data(), there.bytes());
  bench.stream.finish();
  phase.same =
      phase.same && std::equal(found.voxels.begin(), found.voxels.end(), host.voxels.begin());
}

/// What a simulation of a scene does beside its blur: light, labels and the camera, whose photons
/// are the light before it is blurred. Once, in slabs of planes.
void phases_of(Bench& bench, const char* file) {
  const SceneSpec scene = read_scene(file);
  MemoryBudget memory{std::int64_t{16} << 30};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  const auto seed = static_cast<std::uint64_t>(scene.seed.value_or(1));
  const Phantom phantom =
      make_phantom(phantom_of(scene), scene.grid, seed, {bench.pool, memory, progress, log, stop});
  const Extent3& extent = scene.grid.extent;
  PhantomSource light{phantom};
  LabelSource labels{phantom};
  CameraEpilogue camera{scene.camera, {seed}, extent};
  const cuda::DeviceContext gpu{bench.device, bench.memory, bench.pool};
  const auto light_there = light.make_on_device(), labels_there = labels.make_on_device();
  for (const auto* source : {&light_there, &labels_there}) (*source)->prepare(gpu, bench.stream);
  const auto camera_there = camera.make_on_device();
  camera_there->prepare(gpu, bench.stream);
  Phase rendering, labelling, recording;
  Volume<float> photons{{std::min(kField.z, extent.z), extent.y, extent.x}};
  Volume<std::uint16_t> numbers{photons.extent};
  for (std::int64_t z = 0; z < extent.z; z += kField.z) {
    const Box3 slab{{z, 0, 0}, {std::min(kField.z, extent.z - z), extent.y, extent.x}};
    time_slab(
        bench, rendering, slab, photons,
        [&](const Box3& plane, HostView3<float> out) { light.read(plane, out); },
        [&](std::byte* out) { light_there->enqueue_read(bench.stream, slab, out); });
    const cuda::DeviceBuffer<float> sent{bench.device.id, bench.memory, volume(slab.size),
                                         "photons"};
    cuda::enqueue_copy(bench.stream, sent.data(), photons.voxels.data(), sent.bytes());
    bench.stream.finish();
    time_slab(
        bench, labelling, slab, numbers,
        [&](const Box3& plane, HostView3<std::uint16_t> out) { labels.read(plane, out); },
        [&](std::byte* out) { labels_there->enqueue_read(bench.stream, slab, out); });
    time_slab(
        bench, recording, slab, numbers,
        [&](const Box3& plane, HostView3<std::uint16_t> out) {
          camera.apply(
              plane, HostView3<const float>{photons.view().row(plane.origin.z - z, 0), plane.size},
              out);
        },
        [&](std::byte* out) { camera_there->enqueue_apply(bench.stream, slab, sent.data(), out); });
  }
  camera_there->finish(bench.stream);
  bench.table += fmt::format("{} of {}: seconds of host and device\n", file, extent);
  const std::pair<const char*, const Phase*> all[] = {
      {"light", &rendering}, {"labels", &labelling}, {"camera", &recording}};
  for (const auto& [what, phase] : all) {
    note(bench, what, phase->host, phase->device, phase->same, extent);
    bench.table += fmt::format("  {:.3f} s, {:.4f} s\n", phase->host, phase->device);
  }
}

void all_kinds(Bench& bench) {
  for (const CameraKind kind : {CameraKind::scmos, CameraKind::ccd, CameraKind::emccd})
    for (const float photons : {2.0F, 300.0F}) record(bench, kind, photons);

  render_phantom(bench, NucleiKind::generic, TextureKind::chromatin);
  render_phantom(bench, NucleiKind::hl60, TextureKind::perlin);
  render_phantom(bench, NucleiKind::granulocyte, TextureKind::chromatin);
}

int run(const char* json_path, const char* scene) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print(stderr, "measure a GPU: {}\n", list.why_none);
    return 1;
  }
  Bench bench{list.devices.front(), available_threads()};
  if (scene)
    phases_of(bench, scene);
  else
    all_kinds(bench);

  std::ofstream{json_path} << Json{
      {"device", bench.device.name},
      {"host_threads", bench.pool.threads()},
      {"voxels", volume(kField)},
      {"rows", bench.rows}}.dump(1);
  fmt::print("{}, host of {} threads, {} voxels; megavoxels a second\n{:<28} {:>9} {:>9} {:>7}\n{}",
             bench.device.name, bench.pool.threads(), kField, "what", "host", "device", "times",
             bench.table);
  return 0;
}

}  // namespace
}  // namespace synthoscope::simulator

int main(int count, char** arguments) {
  if (count != 2 && count != 3) {
    std::fprintf(stderr, "usage: gpu_simulate_bench OUT.json [SCENE.toml]\n");
    return 2;
  }
  return synthoscope::simulator::run(arguments[1], count == 3 ? arguments[2] : nullptr);
}
