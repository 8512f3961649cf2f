// SPDX-License-Identifier: MIT
// Which way of sharing a line among threads is fastest on a device? Times the ways that are worth a
// thought for columns along z (with the product) and for rows back, beside what line_shape.hpp
// chooses, for the lengths that are named.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include "core/cuda/buffer.hpp"
#include "core/cuda/module.hpp"
#include "core/task_pool.hpp"
#include "fftconv/device/kernel_names.hpp"
#include "fftconv/device/programs.hpp"

namespace synthoscope::fftconv::device {
namespace {

constexpr std::int64_t kValues = std::int64_t{1} << 28;  // complex, of a volume: 2 GiB
constexpr double kMostIdle = 1.35;

void add_radices(int length, int most, std::vector<int>& radices,
                 std::vector<std::vector<int>>& found) {
  if (length == 1) found.push_back(radices);
  if (length == 1 || radices.size() == 4) return;
  for (int r = std::min(most, length); r >= 2; --r) {
    if (length % r != 0) continue;
    radices.push_back(r);
    add_radices(length / r, r, radices, found);
    radices.pop_back();
  }
}

double idle_of(const LineShape& line) {
  double most = 1;
  for (const int r : line.radices) {
    const int butterflies = line.length / r;
    const int rounds = (butterflies + line.threads - 1) / line.threads;
    most = std::max(most, static_cast<double>(rounds) * line.threads / butterflies);
  }
  return most;
}

/// Shapes that fit the chosen one's number of lines side by side, or about its threads of rows.
std::vector<BlockShape> ways(int length, bool rows, const BlockLimits& limits) {
  const BlockShape chosen = rows ? row_shape(length, limits) : column_shape(length, limits);
  std::vector<BlockShape> shapes{chosen};
  std::vector<int> radices;
  std::vector<std::vector<int>> lists;
  add_radices(length, 32, radices, lists);
  for (const auto& list : lists)
    for (const int values : {4, 6, 8, 10, 12, 16, 20, 24, 32}) {
      BlockShape shape = chosen;
      shape.line = {length, std::max(1, (length + values - 1) / values), list};
      if (rows) shape.lines = std::max(1, 512 / shape.line.threads);
      if (shape.threads() > 1024 || shape.threads() < 96 || idle_of(shape.line) > kMostIdle)
        continue;
      shape.pad_every = rows ? padding_for(shape.line, 1) : padding_for(shape.line, shape.lines);
      const std::int64_t line_bytes =
          (length + (shape.pad_every > 0 ? length / shape.pad_every : 0)) * kValueBytes;
      shape.shared_bytes = line_bytes * shape.lines;
      if (shape.shared_bytes > limits.shared_bytes) continue;
      for (const int registers : {64, 80, 128}) {
        shape.blocks = std::min<int>(limits.registers / (registers * shape.threads()),
                                     static_cast<int>(limits.shared_bytes / shape.shared_bytes));
        if (shape.blocks < 1) continue;
        if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
      }
    }
  return shapes;
}

double timed(cuda::Stream& stream, const auto& work) {
  cuda::Event from{stream.device()}, to{stream.device()};
  std::vector<double> seconds;
  for (int i = 0; i < 6; ++i) {
    from.record(stream);
    work();
    to.record(stream);
    if (i > 0) seconds.push_back(cuda::seconds_between(from, to));
  }
  std::nth_element(seconds.begin(), seconds.begin() + 2, seconds.end());
  return seconds[2];
}

class Bench {
 public:
  explicit Bench(const cuda::DeviceInfo& device)
      : device_{device},
        memory_{cuda::memory_of(device.id).free_bytes},
        in_{device.id, memory_, 2 * kValues, "in"},
        out_{device.id, memory_, 2 * kValues, "out"},
        transfer_{device.id, memory_, 2 * kValues, "transfer"} {
    for (const auto* buffer : {&in_, &out_, &transfer_})
      cuda::enqueue_zeros(stream_, buffer->data(), buffer->bytes());
  }

  void measure(int length, bool rows) {
    const auto shapes = ways(length, rows, block_limits(device_));
    std::vector<WantedKernel> wanted;
    for (const BlockShape& shape : shapes)
      wanted.push_back({name(shape, rows), shape.shared_bytes});
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    const auto kernels = compile_kernels(device_, wanted, pool_);
    std::vector<std::pair<double, std::string>> results;
    for (const BlockShape& shape : shapes) {
      const cuda::Kernel& kernel = kernels.at(name(shape, rows));
      const double rate = rows ? row_rate(kernel, shape) : column_rate(kernel, shape);
      results.emplace_back(
          -rate,
          fmt::format("{:6.0f} GB/s  {} {:36} C{} pad {} blocks {} threads {} regs {} spill {}{}",
                      rate * 1e-9, rows ? "row" : "col", type_name(shape.line), shape.lines,
                      shape.pad_every, shape.blocks, shape.threads(), kernel.use().registers,
                      kernel.use().spilled_bytes, shape == shapes.front() ? "  <- chosen" : ""));
    }
    const auto chosen = results.front();
    std::sort(results.begin(), results.end());
    fmt::print("{} ways\n", results.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(5, results.size()); ++i)
      fmt::print("{}\n", results[i].second);
    fmt::print("{}\n", chosen.second);
    std::fflush(stdout);
  }

 private:
  static std::string name(const BlockShape& shape, bool rows) {
    return rows ? rows_back_name(shape)
                : columns_name(shape, {Pass::convolve, Choice::front, Choice::front, false});
  }
  static float2* complex_values(const cuda::DeviceBuffer<float>& b) {
    return reinterpret_cast<float2*>(b.data());
  }

  double column_rate(const cuda::Kernel& kernel, const BlockShape& shape) {
    const std::int64_t columns = kValues / shape.line.length / 16 * 16;
    Columns a;
    a.in = complex_values(in_);
    a.out = complex_values(out_);
    a.transfer = complex_values(transfer_);
    a.factors = complex_values(transfer_);
    a.apart = columns;
    a.there.count = a.wanted.count = shape.line.length;
    const double seconds = timed(stream_, [&] {
      kernel.launch(stream_, {{columns / shape.lines}, {shape.threads()}, shape.shared_bytes}, a);
    });
    return 24.0 * static_cast<double>(columns * shape.line.length) / seconds;
  }

  double row_rate(const cuda::Kernel& kernel, const BlockShape& shape) {
    const std::int64_t rows = 1024, half = shape.line.length,
                       planes = kValues / (rows * half + 16 * rows);
    RowsBack a;
    a.spectra = complex_values(in_);
    a.voxels = out_.data();
    a.factors = a.half_shift = complex_values(transfer_);
    a.row_count = rows;
    a.width = static_cast<int>(2 * half);
    a.voxel_row = 2 * half;
    a.voxel_plane = 2 * half * rows;
    a.spectrum_row = (half + 15) / 16 * 16;
    a.spectrum_plane = a.spectrum_row * rows;
    const double seconds = timed(stream_, [&] {
      kernel.launch(
          stream_,
          {{(rows + shape.lines - 1) / shape.lines, planes}, {shape.threads()}, shape.shared_bytes},
          a);
    });
    return 16.0 * static_cast<double>(planes * rows * half) / seconds;
  }

  cuda::DeviceInfo device_;
  MemoryBudget memory_;
  cuda::Stream stream_{device_.id};
  cuda::DeviceBuffer<float> in_, out_, transfer_;
  TaskPool pool_{available_threads()};
};

int run(int count, char** arguments) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  Bench bench{list.devices.front()};
  for (int i = 1; i < count; ++i)  // "z576" or "x288"
    bench.measure(std::atoi(arguments[i] + 1), arguments[i][0] == 'x');
  return 0;
}

}  // namespace
}  // namespace synthoscope::fftconv::device

int main(int count, char** arguments) {
  return synthoscope::fftconv::device::run(count, arguments);
}
