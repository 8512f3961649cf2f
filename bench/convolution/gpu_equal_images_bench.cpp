// SPDX-License-Identifier: MIT
// How long does the wrapped convolution of two equal images that a device holds take by brute
// force, by DFT as a matrix product, and by FFT? Sides, powers of two, and a file for JSON are
// arguments; a table comes last.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include "bench/convolution/equal_images.hpp"
#include "bench/convolution/gpu_equal_images_code.hpp"
#include "bench/convolution/resident_fft.hpp"
#include "core/base/json.hpp"
#include "core/cuda/code/module.hpp"
#include "core/cuda/memory/memory_pool.hpp"

namespace synthoscope::bench {
namespace {

/// What may be waited for, in seconds; brute force is predicted from the side before.
constexpr double kPatience = 3;
constexpr int kRuns = 5;

struct Device {
  cuda::DeviceInfo info;
  cuda::Stream stream;
  MemoryBudget memory;
  TaskPool pool{available_threads()};

  explicit Device(const cuda::DeviceInfo& of)
      : info{of}, stream{of.id}, memory{cuda::memory_of(of.id).free_bytes} {}

  /// Seconds, the middle of several runs after a first one; of one that takes long, itself.
  double timed(const std::function<void()>& work) {
    cuda::Event from{info.id}, to{info.id};
    std::vector<double> seconds;
    for (int i = 0; i < kRuns + 1; ++i) {
      from.record(stream);
      work();
      to.record(stream);
      seconds.push_back(cuda::seconds_between(from, to));
      if (seconds.front() > 0.5) return seconds.front();
    }
    std::nth_element(seconds.begin() + 1, seconds.begin() + 1 + kRuns / 2, seconds.end());
    return seconds[1 + kRuns / 2];
  }
};

struct Code {
  explicit Code(const cuda::DeviceInfo& device)
      : request{{"equal_images.cu", kEqualImagesCode},
                {},
                {"brute_force", "add_parts", "fill_dft", "to_complex", "multiply", "scaled_real",
                 "matrix_product"},
                {},
                device.capability},
        module{device.id, request, cuda::compile(request)} {}
  cuda::CompileRequest request;
  cuda::Module module;
  cuda::GpuKernel brute_force = module.kernel("brute_force"),
                  add_parts = module.kernel("add_parts"), fill_dft = module.kernel("fill_dft"),
                  to_complex = module.kernel("to_complex"), multiply = module.kernel("multiply"),
                  scaled_real = module.kernel("scaled_real"),
                  matrix_product = module.kernel("matrix_product");
};

/// Both images and the result in the device's memory.
struct OnDevice {
  OnDevice(const EqualImages& pair, Device& device)
      : count{pair.side * pair.side},
        a{device.info.id, device.memory, count, "image"},
        b{device.info.id, device.memory, count, "kernel"},
        h{device.info.id, device.memory, count, "result"} {
    cuda::enqueue_copy(device.stream, a.data(), pair.a.voxels.data(), a.bytes());
    cuda::enqueue_copy(device.stream, b.data(), pair.b.voxels.data(), b.bytes());
    cuda::enqueue_zeros(device.stream, h.data(), h.bytes());
    device.stream.finish();
  }
  double error(const EqualImages& pair, Device& device) const {
    Volume<float> result{pair.a.extent};
    cuda::enqueue_copy(device.stream, result.voxels.data(), h.data(), h.bytes());
    device.stream.finish();
    return pair.relative_l2(std::as_const(result).view());
  }
  std::int64_t count;
  cuda::DeviceBuffer<float> a, b, h;
};

cuda::LaunchShape each(std::int64_t count) {
  return {{(count + 255) / 256}, {256}, 0};
}

double brute_force(const EqualImages& pair, const OnDevice& on, const Code& code, Device& device) {
  const std::int64_t n = pair.side, blocks = (n / kBruteRows) * (n / kBruteColumns);
  // Small images have few blocks: several share the rows of the kernel
  std::int64_t rows_each = n;
  while (rows_each > kBruteTaps && blocks * (n / rows_each) < 8 * device.info.multiprocessors)
    rows_each /= 2;
  const std::int64_t parts = n / rows_each;
  const cuda::DeviceBuffer<double> sums{device.info.id, device.memory, parts * on.count, "sums"};
  return device.timed([&] {
    code.brute_force.launch(
        device.stream, {{n / kBruteColumns, n / kBruteRows, parts}, {kBruteThreads}, 0},
        on.a.data(), on.b.data(), static_cast<int>(n), static_cast<int>(rows_each), sums.data());
    code.add_parts.launch(device.stream, each(on.count), sums.data(), static_cast<int>(parts),
                          static_cast<long long>(on.count), on.h.data());
  });
}

/// Matrices of factors are there already.
double by_matrix_products(const EqualImages& pair, const OnDevice& on, const Code& code,
                          Device& device) {
  using Matrix = cuda::DeviceBuffer<std::array<float, 2>>;
  const auto n = static_cast<int>(pair.side);
  const auto count = static_cast<long long>(on.count);
  const auto matrix = [&] { return Matrix{device.info.id, device.memory, on.count, "matrix"}; };
  const Matrix forward = matrix(), back = matrix(), f = matrix(), g = matrix(), other = matrix();
  code.fill_dft.launch(device.stream, each(on.count), forward.data(), n, -1.0);
  code.fill_dft.launch(device.stream, each(on.count), back.data(), n, 1.0);
  const auto both_axes = [&](const Matrix& w, const Matrix& of) {
    const cuda::LaunchShape shape{{n / kProductTile, n / kProductTile}, {kProductThreads}, 0};
    code.matrix_product.launch(device.stream, shape, w.data(), of.data(), other.data(), n);
    code.matrix_product.launch(device.stream, shape, other.data(), w.data(), of.data(), n);
  };
  return device.timed([&] {
    code.to_complex.launch(device.stream, each(on.count), on.a.data(), f.data(), count);
    code.to_complex.launch(device.stream, each(on.count), on.b.data(), g.data(), count);
    both_axes(forward, f);
    both_axes(forward, g);
    code.multiply.launch(device.stream, each(on.count), f.data(), g.data(), count);
    both_axes(back, f);
    code.scaled_real.launch(device.stream, each(on.count), f.data(), on.h.data(), count,
                            1.0F / static_cast<float>(on.count));
  });
}

/// As the in-core strategy of fftconv does it, which pads rows of wrapped images to twice their
/// length.
double by_fft(const EqualImages& pair, const OnDevice& on, Device& device) {
  fftconv::Problem problem;
  problem.image = problem.kernel = pair.a.extent;
  problem.boundary = Boundary::wrap;
  ResidentFft fft{problem, device.info, device.memory, device.stream, device.pool};
  return device.timed([&] { fft.enqueue(on.a.data(), on.b.data(), on.h.data()); });
}

int run(const std::vector<std::int64_t>& sides, const char* json_path) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  Device device{list.devices.front()};
  const Code code{device.info};
  std::string table = fmt::format(
      "{}; two images of one side, wrapped, in device memory; the middle of {} runs\n"
      "{:>6} {:12} {:>12} {:>10} {:>8}\n",
      device.info.name, kRuns, "side", "by", "ms", "TFLOP/s", "rel. L2");
  Json rows = Json::array();
  double products_per_second = 0;
  for (const std::int64_t side : sides) {
    const EqualImages pair{side, device.pool};
    const OnDevice on{pair, device};
    const auto n = static_cast<double>(side);
    const auto add = [&](const char* by, double seconds, double flops) {
      const double error = on.error(pair, device);
      table += fmt::format("{:>6} {:12} {:12.4f} {:10.2f} {:8.1e}\n", side, by, 1e3 * seconds,
                           flops / seconds * 1e-12, error);
      rows.push_back(
          {{"side", side}, {"by", by}, {"seconds", seconds}, {"flops", flops}, {"error", error}});
      cuda::enqueue_zeros(device.stream, on.h.data(), on.h.bytes());
    };
    const double products = n * n * n * n;
    if (products > kPatience * products_per_second && products_per_second > 0) {
      table += fmt::format("{:>6} {:12} not run: {:.0f} s at the speed before\n", side,
                           "brute force", products / products_per_second);
    } else {
      const double seconds = brute_force(pair, on, code, device);
      add("brute force", seconds, 2 * products);
      products_per_second = products / seconds;
    }
    add("DFT", by_matrix_products(pair, on, code, device), 6 * 8 * n * n * n);
    // 2.5 n log2 n a real row or column, as FFTs are counted, at the sides themselves
    add("FFT", by_fft(pair, on, device), 3 * 2.5 * n * n * std::log2(n * n));
  }
  for (const cuda::GpuKernel* kernel : {&code.brute_force, &code.matrix_product}) {
    const cuda::LaunchResources use = kernel->resources();
    fmt::print("{}: {} registers, {} bytes spilled\n", kernel->name(), use.registers,
               use.spilled_bytes);
  }
  fmt::print("{}", table);
  if (json_path)
    std::ofstream{json_path} << text_of(
        Json{{"device", device.info.name}, {"runs", kRuns}, {"rows", rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::bench

int main(int count, char** arguments) {
  std::vector<std::int64_t> sides;
  const char* json_path = nullptr;
  for (int i = 1; i < count; ++i) {
    const std::int64_t side = std::atoll(arguments[i]);
    if (side <= 0)
      json_path = arguments[i];
    else if (side >= 64 && (side & (side - 1)) == 0)
      sides.push_back(side);
  }
  if (sides.empty()) sides = {64, 128, 256, 512, 1024, 2048, 4096};
  return synthoscope::bench::run(sides, json_path);
}
