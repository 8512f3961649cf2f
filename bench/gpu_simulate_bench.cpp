// SPDX-License-Identifier: MIT
// How fast does a device render phantoms and record photons, beside all threads of the host, with
// the same voxels?
// Prints a table last, and JSON to the file that is named.
#include <fmt/format.h>
#include <cstdio>
#include <fstream>
#include "core/cuda/buffer.hpp"
#include "core/cuda/device_stream.hpp"
#include "core/json.hpp"
#include "core/memory_stream.hpp"
#include "core/stopwatch.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/phantom/phantom.hpp"

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

void note(Bench& bench, const std::string& what, double host, double device, bool same) {
  const double mvoxels = static_cast<double>(volume(kField)) / 1e6;
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
  cuda::DeviceEpilogue& epilogue = *camera.on_device();
  epilogue.prepare({bench.device, bench.memory, bench.pool}, bench.stream);
  cuda::enqueue_copy(bench.stream, in.data(), field.voxels.data(), in.bytes());
  bench.stream.finish();
  const double device_seconds = best_seconds([&] {
    epilogue.enqueue_apply(bench.stream, whole(kField), in.data(),
                           reinterpret_cast<std::byte*>(out.data()));
    bench.stream.finish();
  });
  cuda::enqueue_copy(bench.stream, device.voxels.data(), out.data(), out.bytes());
  epilogue.finish(bench.stream);
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
  cuda::DeviceSource& there = *source.on_device();
  const double prepare_seconds = best_seconds([&] {
    there.prepare({bench.device, bench.memory, bench.pool}, bench.stream);
  });
  const double device_seconds = best_seconds([&] {
    there.enqueue_read(bench.stream, whole(kField), reinterpret_cast<std::byte*>(out.data()));
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

int run(const char* json_path) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print(stderr, "measure a GPU: {}\n", list.why_none);
    return 1;
  }
  Bench bench{list.devices.front(), available_threads()};
  for (const CameraKind kind : {CameraKind::scmos, CameraKind::ccd, CameraKind::emccd})
    for (const float photons : {2.0F, 300.0F}) record(bench, kind, photons);

  render_phantom(bench, NucleiKind::generic, TextureKind::chromatin);
  render_phantom(bench, NucleiKind::hl60, TextureKind::perlin);
  render_phantom(bench, NucleiKind::granulocyte, TextureKind::chromatin);

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
  if (count != 2) {
    std::fprintf(stderr, "usage: gpu_simulate_bench OUT.json\n");
    return 2;
  }
  return synthoscope::simulator::run(arguments[1]);
}
