// SPDX-License-Identifier: MIT
// How long does a device take for an iteration of Richardson and Lucy on volumes that it holds,
// beside the time in which its memory moves the iteration's bytes? And on volumes that pass from
// the host, beside the time of the link? Checks a small case beside the host. Prints tables; JSON
// to the file that is named.
//
//     gpu_deconvolution_bench [OUT.json [quick|large]]
//
// "large" takes only a volume for which a device of 140 GiB holds no more than the spectra; the
// host needs 80 GiB.
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string_view>
#include <vector>
#include "bench/deconvolution/deconvolution_case.hpp"
#include "bench/timed_on_gpu.hpp"
#include "core/base/json.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/memory/device_rates.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/stream/resident_stream.hpp"
#include "deconvolution/device/resident_richardson_lucy.hpp"
#include "fftconv/device/resident_convolution.hpp"
#include "fftconv/host/executor.hpp"

namespace synthoscope::deconvolution {
namespace {

using bench::Case;
using bench::Here;
using bench::MadeImage;
using bench::make_kernel;
using fftconv::device::ResidentConvolution;
using fftconv::device::Side;

constexpr Case kCases[] = {
    {"128x512x512 by 61x81x81", {128, 512, 512}, {61, 81, 81}},
    {"101x2048x2048 by 61x81x81", {101, 2048, 2048}, {61, 81, 81}},
    {"512x512x512 by 61x81x81", {512, 512, 512}, {61, 81, 81}},
    {"2048x2048 by 81x81", {1, 2048, 2048}, {1, 81, 81}},
};

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

using synthoscope::bench::timed;

/// Bytes read and written in a second by a copy within the device's memory, of twice 4 GiB.
double copy_rate(const cuda::DeviceInfo& device, cuda::Stream& stream) {
  MemoryBudget memory{std::int64_t{9} << 30};
  const std::int64_t bytes = std::int64_t{4} << 30;
  const cuda::DeviceBuffer<std::byte> from{device.id, memory, bytes, "from"},
      to{device.id, memory, bytes, "to"};
  cuda::enqueue_zeros(stream, from.data(), bytes);
  const double ms =
      timed(stream, [&] { cuda::enqueue_copy(stream, to.data(), from.data(), bytes); });
  return 2e3 * static_cast<double>(bytes) / ms;
}

/// Milliseconds of the passes that are not over rows of voxels.
struct Passes {
  double convolve = 0, correlate = 0, along_y_field = 0, along_y_estimate = 0;
  [[nodiscard]] double sum() const {
    return convolve + correlate + along_y_field + along_y_estimate;
  }
};

Passes passes_of(const Case& c, const fftconv::Kernel& kernel, const cuda::DeviceInfo& device,
                 cuda::Stream& stream, Here& here) {
  MemoryBudget memory{cuda::memory_of(device.id).free_bytes};
  const Geometry geometry = geometry_of(c);
  cuda::ResidentSource none{device.id, {nullptr, PixelType::float32, estimate_extent(geometry)}};
  ResidentConvolution convolution{device,
                                  memory,
                                  fftconv::device::resident_plan(blur_problem(geometry), device),
                                  {&none, kernel, {}}};
  convolution.prepare(stream, here.pool);
  convolution.read_kernel(stream, memory, here.context);
  const auto nothing = [](const cuda::Stream&, const fftconv::device::SpectrumRows&, std::int64_t) {
  };
  return {timed(stream, [&] { convolution.convolve(stream); }),
          timed(stream, [&] { convolution.correlate(stream); }),
          timed(stream, [&] { convolution.change(stream, Side::result, nothing); }),
          timed(stream, [&] { convolution.change(stream, Side::image, nothing); })};
}

/// Milliseconds of an iteration, of many that follow each other.
double iteration_ms(ResidentRichardsonLucy& lucy, int count) {
  for (int i = 0; i < 3; ++i) lucy.iterate();
  static_cast<void>(lucy.result());
  return 1e3 / count * seconds_of([&] {
           for (int i = 0; i < count; ++i) lucy.iterate();
           static_cast<void>(lucy.result());
         });
}

void measure(const Case& c, const cuda::DeviceInfo& device, cuda::Stream& stream, double copy,
             Here& here, Json& rows) {
  MadeImage image{c.field};
  const Volume<float> weights = make_kernel(c.kernel);
  MemorySource kernel_source{ConstVoxelView{weights.view()}};
  const fftconv::Kernel kernel{&kernel_source, 0, 1};
  const Passes passes = passes_of(c, kernel, device, stream, here);
  const Extent3 n = fftconv::device::resident_plan(blur_problem(geometry_of(c)), device).transform;
  for (const bool has_momentum : {false, true}) {
    std::unique_ptr<ResidentRichardsonLucy> lucy;
    const double begin_ms = 1e3 * seconds_of([&] {
                              lucy = std::make_unique<ResidentRichardsonLucy>(
                                  Model{geometry_of(c), kernel, 20}, image, has_momentum,
                                  on_one_gpu(geometry_of(c), device),
                                  cuda::memory_of(device.id).free_bytes, here.context);
                              lucy->begin();
                              static_cast<void>(lucy->result());
                            });
    const auto bytes = static_cast<double>(lucy->iteration_bytes());
    const double bound = 1e3 * bytes / copy, ms = iteration_ms(*lucy, 20),
                 rows_ms = ms - passes.sum();
    Json row{{"case", c.name},
             {"transform", {n.z, n.y, n.x}},
             {"momentum", has_momentum},
             {"bytes", bytes},
             {"device_bytes", lucy->peak_device_bytes()},
             {"begin_ms", begin_ms},
             {"passes_ms",
              {passes.convolve, passes.correlate, passes.along_y_field, passes.along_y_estimate}},
             {"ms", ms},
             {"rows_ms", rows_ms}};
    fmt::print("{:28} {:>14} {:9} {:6.2f} GiB {:6.2f} GB {:8.3f} ms |", c.name,
               fmt::format("{}x{}x{}", n.z, n.y, n.x), has_momentum ? "momentum" : "plain",
               static_cast<double>(lucy->peak_device_bytes()) / (1 << 30), 1e-9 * bytes, bound);
    fmt::print(" {:8.3f} ({:3.0f} %)\n", ms, 100 * bound / ms);
    fmt::print(
        "{:28} along z {:.3f} and {:.3f} ms, along y {:.3f} and {:.3f} ms, rows of voxels "
        "{:.3f} ms; begins in {:.0f} ms\n",
        "", passes.convolve, passes.correlate, passes.along_y_field, passes.along_y_estimate,
        rows_ms, begin_ms);
    std::fflush(stdout);
    rows.push_back(std::move(row));
  }
}

/// Seconds in which the link can copy the bytes: both ways at once, and the rest of one of them.
double link_bound(const LinkBytes& bytes, const cuda::DeviceRates& rates) {
  const std::int64_t both = std::min(bytes.up, bytes.down);
  return 2 * static_cast<double>(both) / rates.pinned_both +
         static_cast<double>(bytes.up - both) / rates.pinned_up +
         static_cast<double>(bytes.down - both) / rates.pinned_down;
}

/// Which volumes pass from the host, and whether they lie in files there.
struct Streamed {
  VolumesOnHost on_host;
  bool has_momentum = false, in_files = false;
};

/// Volumes of the host, pinned or in files of the folder for temporary ones.
class Volumes {
 public:
  Volumes(const Case& c, const Streamed& how, const cuda::DeviceInfo& device, Here& here)
      : how_{how}, device_{device.id}, memory_{here.memory} {
    MadeImage made{c.field};
    image = make(c.field);
    here.pool.for_each(c.field.z, [&](std::int64_t z) {
      Volume<float> one{{1, c.field.y, c.field.x}};
      made.read(plane(c.field, z), VoxelView{one.view()});
      image->write(plane(c.field, z), ConstVoxelView{std::as_const(one).view()});
    });
    if (!how.on_host.estimates) return;
    estimate = make(estimate_extent(geometry_of(c)));
    if (how.has_momentum) last = make(estimate_extent(geometry_of(c)));
  }
  std::unique_ptr<ScratchVolume> image, estimate, last;

 private:
  std::unique_ptr<ScratchVolume> make(const Extent3& extent) {
    constexpr auto kType = PixelType::float32;
    if (how_.in_files)
      return std::make_unique<ScratchVolume>(extent, kType, std::filesystem::temp_directory_path());
    return std::make_unique<ScratchVolume>(extent, kType, device_, memory_, "a volume");
  }

  Streamed how_;
  cuda::DeviceId device_;
  MemoryBudget& memory_;
};

void measure_streamed(const Case& c, const Streamed& how, int count, const cuda::DeviceInfo& device,
                      const cuda::DeviceRates& rates, Here& here, Json& rows) {
  Volumes volumes{c, how, device, here};
  const Volume<float> weights = make_kernel(c.kernel);
  MemorySource kernel{ConstVoxelView{weights.view()}};
  ResidentRichardsonLucy lucy{Model{geometry_of(c), {&kernel, 0, 1}, 20},
                              *volumes.image,
                              how.has_momentum,
                              on_one_gpu(geometry_of(c), device),
                              cuda::memory_of(device.id).free_bytes,
                              here.context,
                              {how.on_host, volumes.estimate.get(), volumes.last.get()}};
  lucy.begin();
  static_cast<void>(lucy.iterate());
  const LinkBytes before = lucy.copied();
  static_cast<void>(lucy.result());
  const double seconds = seconds_of([&] {
                           for (int i = 0; i < count; ++i) lucy.iterate();
                           static_cast<void>(lucy.result());
                         }) /
                         count;
  const LinkBytes after = lucy.copied(),
                  moved{(after.up - before.up) / count, (after.down - before.down) / count};
  const double bound = link_bound(moved, rates);
  const std::string name =
      fmt::format("{}, {}{}{}{}", c.name, how.on_host.image ? "image " : "",
                  how.on_host.estimates ? "estimates " : "", how.has_momentum ? "momentum " : "",
                  how.in_files ? "in files" : "pinned");
  fmt::print("{:60} {:6.2f} GiB {:6.2f} GB up {:6.2f} GB down {:8.2f} ms | {:8.2f} ({:3.0f} %)\n",
             name, static_cast<double>(lucy.peak_device_bytes()) / (1 << 30),
             1e-9 * static_cast<double>(moved.up), 1e-9 * static_cast<double>(moved.down),
             1e3 * bound, 1e3 * seconds, 100 * bound / seconds);
  std::fflush(stdout);
  rows.push_back({{"case", name},
                  {"device_bytes", lucy.peak_device_bytes()},
                  {"up_bytes", moved.up},
                  {"down_bytes", moved.down},
                  {"bound_ms", 1e3 * bound},
                  {"ms", 1e3 * seconds}});
}

/// Iterations on volumes that pass from the host.
Json measure_link(const cuda::DeviceInfo& device, Here& here, bool is_large) {
  const cuda::DeviceRates rates = cuda::measure_device(device.id, here.memory, here.stop);
  fmt::print(
      "\nMilliseconds of an iteration on volumes of the host; in percent, the time of the link, "
      "which moves {:.1f} GB/s up, {:.1f} down, {:.1f} both ways\n",
      1e-9 * rates.pinned_up, 1e-9 * rates.pinned_down, 1e-9 * rates.pinned_both);
  Json rows = Json::array();
  const auto measured = [&](const Case& c, const Streamed& how, int count) {
    measure_streamed(c, how, count, device, rates, here, rows);
  };
  constexpr VolumesOnHost kAll{.image = true, .estimates = true};
  const Case& c = kCases[1];
  if (is_large) {
    measured({"2000x2048x2048 by 61x81x81", {2000, 2048, 2048}, {61, 81, 81}}, {kAll}, 3);
  } else {
    measured(c, {kAll}, 10);
    measured(c, {kAll, true}, 10);
    measured(c, {{.estimates = true}}, 10);
    measured(c, {{.image = true}}, 10);
    measured(c, {kAll, false, true}, 3);
  }
  return Json{{"pinned_up", rates.pinned_up},
              {"pinned_down", rates.pinned_down},
              {"pinned_both", rates.pinned_both},
              {"rows", rows}};
}

/// The largest difference of an estimate of the host and one of the device in the field, of the
/// brightest voxel.
double error_of(int iterations, bool has_momentum, const cuda::DeviceInfo& device, Here& here) {
  const Case c{"", {32, 90, 100}, {9, 15, 16}};
  const Geometry geometry = geometry_of(c);
  MadeImage image{c.field};
  const Volume<float> weights = make_kernel(c.kernel);
  MemorySource kernel_source{ConstVoxelView{weights.view()}};
  const Model model{geometry, {&kernel_source, 0, 1}, 20};
  ScratchVolume estimate{estimate_extent(geometry), PixelType::float32, here.memory, "estimate"},
      residual{c.field, PixelType::float32, here.memory, "residual"},
      last{estimate_extent(geometry), PixelType::float32, here.memory, "last"};
  const auto executor = fftconv::make_host_executor({std::int64_t{8} << 30});
  RichardsonLucy host{model,
                      {image},
                      {estimate, residual, has_momentum ? &last : nullptr},
                      plan_steps(geometry, executor->machine()),
                      *executor,
                      here.context};
  host.begin();
  ResidentRichardsonLucy there{
      model,       image, has_momentum, on_one_gpu(geometry, device), std::int64_t{2} << 30,
      here.context};
  there.begin();
  for (int i = 0; i < iterations; ++i) {
    host.iterate();
    there.iterate();
  }
  const auto a = read_all<float>(host.result()), b = read_all<float>(there.result());
  const Box3 field = field_in_estimate(geometry);
  double largest = 0, peak = 0;
  for (std::int64_t z = 0; z < field.size.z; ++z)
    for (std::int64_t y = 0; y < field.size.y; ++y)
      for (std::int64_t x = 0; x < field.size.x; ++x) {
        const std::int64_t at_z = field.origin.z + z, at_y = field.origin.y + y,
                           at_x = field.origin.x + x;
        const auto u = static_cast<double>(a.view()(at_z, at_y, at_x));
        largest = std::max(largest, std::abs(u - static_cast<double>(b.view()(at_z, at_y, at_x))));
        peak = std::max(peak, u);
      }
  return largest / peak;
}

int run(const char* json_path, bool quick, bool is_large) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  const cuda::DeviceInfo& device = list.devices.front();
  cuda::Stream stream{device.id};
  Here here;
  const double copy = copy_rate(device, stream);
  fmt::print("{}, copy {:.2f} TB/s, cache {} MiB. Beside the host, of the peak:", device.name,
             copy * 1e-12, device.l2_bytes >> 20);
  Json errors = Json::array();
  for (const bool has_momentum : {false, true})
    for (const int iterations : {1, 30}) {
      const double error = error_of(iterations, has_momentum, device, here);
      fmt::print(" {:.1e} after {}{}", error, iterations, has_momentum ? " with momentum" : "");
      errors.push_back({{"iterations", iterations}, {"momentum", has_momentum}, {"error", error}});
    }
  fmt::print("\nMilliseconds of an iteration; in percent, the counted bytes by a copy's rate\n");
  Json rows = Json::array();
  for (const Case& c : kCases) {
    if (is_large) break;
    measure(c, device, stream, copy, here, rows);
    if (quick) break;
  }
  const Json link = quick ? Json() : measure_link(device, here, is_large);
  if (json_path)
    std::ofstream{json_path} << text_of(Json{{"device", device.name},
                                             {"copy_bytes_per_second", copy},
                                             {"errors", errors},
                                             {"rows", rows},
                                             {"link", link}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::deconvolution

int main(int count, char** arguments) {
  const std::string_view how = count > 2 ? arguments[2] : "";
  return synthoscope::deconvolution::run(count > 1 ? arguments[1] : nullptr, how == "quick",
                                         how == "large");
}
