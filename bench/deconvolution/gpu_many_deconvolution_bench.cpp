// SPDX-License-Identifier: MIT
// How much shorter is an iteration of Richardson and Lucy on several devices, each with a part of
// the field? Prints a table with the estimates' difference from those of one device; JSON to the
// file that is named.
//
//     gpu_many_deconvolution_bench [OUT.json]
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <vector>
#include "bench/deconvolution/deconvolution_case.hpp"
#include "core/base/json.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "deconvolution/device/resident_richardson_lucy.hpp"

namespace synthoscope::deconvolution {
namespace {

using bench::Case;
using bench::Here;
using bench::MadeImage;

/// A field, and how many iterations are timed.
struct Timed {
  Case volumes;
  bool has_momentum;
  int iterations;
};

constexpr Timed kTimed[] = {
    {{"128x512x512 by 61x81x81", {128, 512, 512}, {61, 81, 81}}, true, 200},
    {{"101x2048x2048 by 61x81x81", {101, 2048, 2048}, {61, 81, 81}}, false, 50},
    {{"101x2048x2048 by 61x81x81", {101, 2048, 2048}, {61, 81, 81}}, true, 50},
    {{"512x512x512 by 61x81x81", {512, 512, 512}, {61, 81, 81}}, true, 100},
    {{"2048x2048 by 81x81", {1, 2048, 2048}, {1, 81, 81}}, true, 1000},
    {{"2000x2048x2048 by 61x81x81", {2000, 2048, 2048}, {61, 81, 81}}, false, 5},
};

/// Cuts a field along the axis that share_field would choose, whether this pays or not.
std::vector<GpuShare> shares_of(const Geometry& geometry, bool has_momentum,
                                const std::vector<cuda::DeviceInfo>& gpus) {
  std::int64_t free = cuda::memory_of(gpus.front().id).free_bytes;
  for (const auto& gpu : gpus) free = std::min(free, cuda::memory_of(gpu.id).free_bytes);
  std::vector<GpuShare> best;
  for (const auto& axis : {fftconv::kAlongZ, fftconv::kAlongY}) {
    if (std::ssize(gpus) > most_parts(geometry, axis)) continue;
    std::vector<GpuShare> shares;
    for (const FieldPart& part : parts_of_field(geometry, axis, std::ssize(gpus)))
      shares.push_back({gpus[shares.size()], part});
    const std::int64_t bytes = resident_bytes(shares, has_momentum);
    if (bytes <= free && (best.empty() || bytes < resident_bytes(best, has_momentum)))
      best = std::move(shares);
  }
  return best;
}

struct Found {
  double ms;
  std::int64_t peak_bytes;
  Volume<float> plane;  ///< the middle one of the estimate after all iterations
};

Found iterate(const Timed& timed, std::span<const GpuShare> shares, Here& here) {
  const Case& c = timed.volumes;
  MadeImage image{c.field};
  const Volume<float> weights = bench::make_kernel(c.kernel);
  MemorySource kernel{ConstVoxelView{weights.view()}};
  const Geometry geometry = geometry_of(c);
  ResidentRichardsonLucy lucy{Model{geometry, {&kernel, 0, 1}, 20},
                              image,
                              timed.has_momentum,
                              shares,
                              cuda::memory_of(shares.front().gpu.id).free_bytes,
                              here.context};
  lucy.begin();
  for (int i = 0; i < 3; ++i) lucy.iterate();
  static_cast<void>(lucy.result());
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < timed.iterations; ++i) lucy.iterate();
  Source& result = lucy.result();
  const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - begin;
  const Box3 field = field_in_estimate(geometry);
  const Box3 middle{{field.origin.z + field.size.z / 2, field.origin.y, field.origin.x},
                    {1, field.size.y, field.size.x}};
  Found found{ms.count() / timed.iterations, lucy.peak_device_bytes(), Volume<float>{middle.size}};
  result.read(middle, VoxelView{found.plane.view()});
  return found;
}

/// Returns the largest difference, by the largest value.
double difference(const Volume<float>& a, const Volume<float>& b) {
  float most = 0, peak = 0;
  for (std::size_t i = 0; i < a.voxels.size(); ++i) {
    most = std::max(most, std::abs(a.voxels[i] - b.voxels[i]));
    peak = std::max(peak, std::abs(b.voxels[i]));
  }
  return static_cast<double>(most) / static_cast<double>(peak);
}

void measure(const Timed& timed, const std::vector<cuda::DeviceInfo>& gpus, Here& here,
             Json& rows) {
  const Geometry geometry = geometry_of(timed.volumes);
  std::optional<Found> one;
  for (std::size_t count = 1; count <= gpus.size(); count *= 2) {
    const auto shares = shares_of(geometry, timed.has_momentum,
                                  {gpus.begin(), gpus.begin() + static_cast<long>(count)});
    const std::string name =
        fmt::format("{}{}", timed.volumes.name, timed.has_momentum ? ", momentum" : "");
    if (shares.empty()) {
      fmt::print("{:40} {} GPUs: does not fit\n", name, count);
      continue;
    }
    const Found found = iterate(timed, shares, here);
    const Extent3& part = shares.back().part.field.size;
    const bool chosen =
        share_field(geometry, timed.has_momentum, gpus, std::int64_t{1} << 50).size() >= count;
    Json row{{"case", name},
             {"gpus", count},
             {"part", {part.z, part.y, part.x}},
             {"chosen", chosen},
             {"device_bytes", found.peak_bytes},
             {"ms", found.ms}};
    fmt::print("{:40} {} GPUs of {:16} {:7.2f} GiB each {:9.3f} ms", name, count,
               fmt::format("{}", part), static_cast<double>(found.peak_bytes) / (1 << 30),
               found.ms);
    if (one) {
      row["difference"] = difference(found.plane, one->plane);
      fmt::print(", {:.2f} times as fast, difference {:.1e}{}", one->ms / found.ms,
                 difference(found.plane, one->plane), chosen ? "" : " (not chosen)");
    } else {
      one = found;
    }
    fmt::print("\n");
    std::fflush(stdout);
    rows.push_back(std::move(row));
  }
}

int run(const char* json_path) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  Here here;
  Json rows = Json::array();
  fmt::print("{}: milliseconds of an iteration\n", list.devices.front().name);
  for (const Timed& timed : kTimed) measure(timed, list.devices, here, rows);
  if (json_path)
    std::ofstream{json_path} << text_of(
        Json{{"device", list.devices.front().name}, {"rows", rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::deconvolution

int main(int count, char** arguments) {
  return synthoscope::deconvolution::run(count > 1 ? arguments[1] : nullptr);
}
