// SPDX-License-Identifier: MIT
// How fast does a device multiply the matrix of an affine map and the coordinates of an image's
// pixels, element by element, by tiles and by outer products, beside coordinates that are no
// matrix? Sides of images and a file for JSON are arguments; a table comes last.
#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include "core/base/json.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "kernels/device/coordinates/coordinates.hpp"

namespace synthoscope::kernels::device {
namespace {

/// Scale 0.3 and shift 200 along both axes.
constexpr std::array<double, 6> kMatrix{0.3, 0, 200, 0, 0.3, 200};
constexpr int kRuns = 9;

struct Way {
  const char* name;
  CoordinateProduct how;
  ProductTile tile{};
  int doubles_moved;  ///< of a pixel, at least: those of G and of S
};

constexpr Way kWays[] = {
    {"naive", CoordinateProduct::naive, {}, 5},
    {"tiled 3x3", CoordinateProduct::tiled, {3, 3, 3}, 5},
    {"tiled 16x16", CoordinateProduct::tiled, {16, 16, 16}, 5},
    {"tiled 2x128", CoordinateProduct::tiled, {2, 128, 3}, 5},
    {"summa", CoordinateProduct::summa, {}, 5},
    {"fused, stored", CoordinateProduct::fused, {}, 2},
};

/// Seconds, the middle of several runs.
double timed(cuda::Stream& stream, const std::function<void()>& work) {
  cuda::Event from{stream.device()}, to{stream.device()};
  std::vector<double> seconds;
  for (int i = 0; i < kRuns + 3; ++i) {
    from.record(stream);
    work();
    to.record(stream);
    const double one = cuda::seconds_between(from, to);
    if (i >= 3) seconds.push_back(one);
  }
  std::nth_element(seconds.begin(), seconds.begin() + kRuns / 2, seconds.end());
  return seconds[kRuns / 2];
}

/// Bytes read and written in a second by a copy within the device's memory.
double copy_rate(const cuda::DeviceInfo& device, MemoryBudget& memory, cuda::Stream& stream) {
  const cuda::DeviceBuffer<std::byte> both{device.id, memory, std::int64_t{4} << 30, "a copy"};
  const std::int64_t half = both.bytes() / 2;
  cuda::enqueue_zeros(stream, both.data(), both.bytes());
  return 2.0 * static_cast<double>(half) /
         timed(stream, [&] { cuda::enqueue_copy(stream, both.data() + half, both.data(), half); });
}

int run(const std::vector<std::int64_t>& sides, const char* json_path) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  const cuda::DeviceInfo& device = list.devices.front();
  cuda::Stream stream{device.id};
  MemoryBudget memory{cuda::memory_of(device.id).free_bytes};
  std::string table = fmt::format(
      "{}; coordinates in float64, matrices in device memory; the middle of {} runs\n"
      "{:>6} {:14} {:>9} {:>10} {:>9} {:>8} {:>8}\n",
      device.name, kRuns, "side", "product", "ms", "Gpixel/s", "of copy", "naive /", "error");
  Json rows = Json::array();
  const double bytes_per_second = copy_rate(device, memory, stream);
  for (const std::int64_t side : sides) {
    const PixelBox box{0, 0, side, side};
    const std::int64_t count = CoordinateProducts::doubles(side, side);
    const cuda::DeviceBuffer<double> there{device.id, memory, count, "coordinates"};
    cuda::enqueue_zeros(stream, there.data(), there.bytes());
    double naive = 0;
    for (const Way& way : kWays) {
      const CoordinateProducts products{device, way.how, way.tile};
      products.enqueue_targets(stream, box, there.data());
      DeviceCoordinates made;
      const double seconds = timed(
          stream, [&] { made = products.enqueue_product(stream, kMatrix, box, there.data()); });
      if (way.how == CoordinateProduct::naive) naive = seconds;
      double error = 0;
      for (std::int64_t i = 0; i < 64; ++i) {
        const std::int64_t y = i * 7919 % side, x = i * 104729 % side;
        for (std::int64_t axis = 0; axis < 2; ++axis) {
          double found = 0;
          cuda::enqueue_copy(
              stream, &found,
              made.values + axis * made.steps.row_step + y * made.steps.line_step + x, 8);
          stream.finish();
          error = std::max(error,
                           std::abs(found - (0.3 * static_cast<double>(axis == 0 ? y : x) + 200)));
        }
      }
      const double pixels = static_cast<double>(side * side);
      const double share = way.doubles_moved * 8 * pixels / seconds / bytes_per_second;
      table +=
          fmt::format("{:>6} {:14} {:9.4f} {:10.1f} {:8.0f}% {:8.2f} {:8.1e}\n", side, way.name,
                      1e3 * seconds, pixels / seconds * 1e-9, 100 * share, naive / seconds, error);
      rows.push_back({{"side", side},
                      {"product", way.name},
                      {"seconds", seconds},
                      {"share_of_copy", share},
                      {"error", error}});
    }
  }
  fmt::print("{}", table);
  if (json_path)
    std::ofstream{json_path} << text_of(Json{{"device", device.name},
                                             {"copy_bytes_per_second", bytes_per_second},
                                             {"runs", kRuns},
                                             {"rows", rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::kernels::device

int main(int count, char** arguments) {
  std::vector<std::int64_t> sides;
  const char* json_path = nullptr;
  for (int i = 1; i < count; ++i) {
    const std::int64_t side = std::atoll(arguments[i]);
    if (side > 0)
      sides.push_back(side);
    else
      json_path = arguments[i];
  }
  if (sides.empty()) sides = {256, 512, 1024, 4096, 8054};
  return synthoscope::kernels::device::run(sides, json_path);
}
