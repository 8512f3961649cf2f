// SPDX-License-Identifier: MIT
// How fast are planes of given shapes, which clusters of blocks transform, beside rows and columns
// one after the other? Each line of the file that is named has planes, rows and columns of a
// volume; radices of rows and of a block's columns; blocks of a cluster, classes, threads, and
// blocks of a multiprocessor: "512 512 512 16,16 16 8 4 256 2". bench/gpu/planes.txt has those of
// the table.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <fstream>
#include <sstream>
#include "bench/timed_on_gpu.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "fftconv/device/passes/spectra.hpp"

namespace synthoscope::fftconv::device {
namespace {

class NoVoxels final : public Source {
 public:
  explicit NoVoxels(const Extent3& extent) : extent_{extent} {}
  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3& /*box*/, VoxelView /*to*/) override {}

 private:
  Extent3 extent_;
};

struct Line {
  Extent3 volume;
  PlaneShape shape;
};

LineShape line_of_radices(const std::string& list) {
  LineShape line{1, 1, {}};
  std::istringstream radices{list};
  for (std::string radix; std::getline(radices, radix, ',');) {
    line.radices.push_back(std::stoi(radix));
    line.length *= line.radices.back();
  }
  return line;
}

std::vector<Line> lines_in(const char* path) {
  std::vector<Line> lines;
  std::ifstream file{path};
  std::string rows, columns;
  for (Line l; file >> l.volume.z >> l.volume.y >> l.volume.x >> rows >> columns >>
               l.shape.cluster >> l.shape.classes >> l.shape.threads >> l.shape.blocks;) {
    l.shape.rows = line_of_radices(rows);
    l.shape.columns = line_of_radices(columns);
    lines.push_back(l);
  }
  return lines;
}

using synthoscope::bench::timed;

struct Passed {
  double forward = 0, columns = 0, back = 0;
  [[nodiscard]] double all() const { return forward + columns + back; }
};

/// @param by_planes  each plane is convolved by itself
Passed measure(const Extent3& volume_size, const PlaneShape& shape, const cuda::DeviceInfo& device,
               TaskPool& pool, bool by_planes) {
  Problem problem;
  problem.image = volume_size;
  problem.kernel = {1, 1, 1};
  Cut cut{wanted_extent(problem)};
  cut.direct_z = by_planes;
  const Extent3 transform{by_planes ? 1 : volume_size.z, volume_size.y, volume_size.x};
  const Layout layout = make_layout(problem, transform, cut);
  DeviceLayout sizes = make_device_layout(problem, transform, cut, block_limits(device));
  sizes.fused = shape.cluster > 0
                    ? plane_passes(shape, by_planes ? 0 : volume_size.z, block_limits(device))
                    : PlanePasses{};
  if (shape.cluster > 0 && (!sizes.fused.any() || shape.rows_of_plane() != volume_size.y ||
                            2 * shape.rows.length != volume_size.x))
    return {};
  sizes.keeps_transfer = true;
  sizes.ring_planes = layout.ring_planes;
  MemoryBudget memory{cuda::memory_of(device.id).free_bytes};
  cuda::Stream stream{device.id};
  const cuda::DeviceBuffer<float> image{device.id, memory, volume(volume_size), "image"};
  cuda::enqueue_zeros(stream, image.data(), image.bytes());
  NoVoxels image_source{volume_size}, kernel_source{problem.kernel};
  const Term term{&image_source, {&kernel_source, 0, 1}, {}};
  Spectra spectra{device, memory, layout, sizes, false};
  const Loading f = spectra.describe(image_input(layout, WorkAxes{}, term, 0));
  const RingTurnTables turn = spectra.describe(ring_turns_of(layout).front());
  if (by_planes) spectra.describe_planes(f);
  spectra.prepare(stream, pool);
  const Interval all{0, volume_size.z};
  if (spectra.convolves_planes())
    return {0,
            timed(stream,
                  [&] {
                    spectra.convolve_planes(stream, f, image.data(), all, volume_size.y,
                                            volume_size.x, image.data());
                  }),
            0};
  return {timed(stream, [&] { spectra.take_image(stream, f, image.data(), all); }),
          timed(stream, [&] { spectra.convolve(stream, turn); }), timed(stream, [&] {
            spectra.give(stream, all, volume_size.y, volume_size.x, image.data());
          })};
}

int run(const char* path) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty() || !path) {
    fmt::print("{}\n", path ? list.why_none : "name a file of shapes");
    return 0;
  }
  const cuda::DeviceInfo& device = list.devices.front();
  TaskPool pool{available_threads()};
  fmt::print(
      "{}; milliseconds of volumes of zeros, the middle of 9 runs: forward, along z, back, all\n",
      device.name);
  Extent3 last;
  Passed rows, rows_alone;
  for (const Line& line : lines_in(path)) {
    if (!(line.volume == last)) {
      rows = measure(last = line.volume, {}, device, pool, false);
      rows_alone = measure(last, {}, device, pool, true);
    }
    const Passed planes = measure(line.volume, line.shape, device, pool, false);
    const Passed alone = measure(line.volume, line.shape, device, pool, true);
    fmt::print(
        "{:>14} {:10} {:6} C{:<2} D{} T{:<3} B{} | {:7.3f} {:7.3f} {:7.3f} {:7.3f} | rows "
        "{:7.3f} {:7.3f} {:7.3f} {:7.3f} | {:.3f} | 2-D {:7.3f} of {:7.3f}\n",
        fmt::format("{}x{}x{}", line.volume.z, line.volume.y, line.volume.x),
        fmt::format("{}", fmt::join(line.shape.rows.radices, ",")),
        fmt::format("{}", fmt::join(line.shape.columns.radices, ",")), line.shape.cluster,
        line.shape.classes, line.shape.threads, line.shape.blocks, planes.forward, planes.columns,
        planes.back, planes.all(), rows.forward, rows.columns, rows.back, rows.all(),
        planes.all() / rows.all(), alone.all(), rows_alone.all());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace synthoscope::fftconv::device

int main(int count, char** arguments) {
  return synthoscope::fftconv::device::run(count > 1 ? arguments[1] : nullptr);
}
