// SPDX-License-Identifier: MIT
// Which way of sharing a line among threads is fastest on a device? "z576" times the ways for
// columns along z (with the product) of 576 values, and marks the one that fftconv/lines/shape.hpp
// chooses; "x288" does so for rows back, "r288" for float rows to spectra, "y576" for columns along
// y, forward, "c576" and "d576" for columns along z that put two or four classes of rows together
// (PlaneShape).
// "z64-3000" prints the chosen shape for every length in between, as a table.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include "core/cuda/code/module.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/run/task_pool.hpp"
#include "fftconv/device/code/programs.hpp"
#include "fftconv/device/passes/kernel_names.hpp"

namespace synthoscope::fftconv::device {
namespace {

enum class Along { x, y, z, rows, two_classes, four_classes };

constexpr std::int64_t kValues = std::int64_t{1} << 28;  // complex, of a volume: 2 GiB
constexpr double kMaxIdle = 1.35;
constexpr int kMostOfThread = 16;  ///< values of all classes that a thread has

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

int classes_of(Along along) {
  return along == Along::two_classes ? 2 : along == Along::four_classes ? 4 : 1;
}

bool is_rows(Along along) {
  return along == Along::x || along == Along::rows;
}

BlockShape chosen_shape(int length, Along along, const BlockLimits& limits) {
  if (classes_of(along) > 1)
    return columns_of_classes_shape(length, limits, classes_of(along)).value_or(BlockShape{});
  return is_rows(along) ? row_shape(length, limits)
                        : column_shape(length, limits,
                                       along == Along::y ? LineKind::column : LineKind::along_z);
}

void set_room(BlockShape& shape, Along along) {
  const int length = shape.line.length;
  const bool classes = classes_of(along) > 1;
  shape.pad_every = classes ? shape.line.radices.back()
                            : padding_for(shape.line, is_rows(along) ? 1 : shape.lines);
  const int left_free = shape.pad_every > 0 ? length / shape.pad_every : 0;
  const int by = classes ? shape.lines / classes_of(along) : shape.lines;
  shape.shared_bytes = (std::int64_t{length} * shape.lines + left_free * by) * kValueBytes;
}

/// Shapes that fit the chosen one's number of lines side by side, or about its threads of rows.
std::vector<BlockShape> ways(int length, Along along, const BlockLimits& limits) {
  const bool rows = is_rows(along);
  const BlockShape chosen = chosen_shape(length, along, limits);
  std::vector<BlockShape> shapes{chosen};
  std::vector<int> radices;
  std::vector<std::vector<int>> lists;
  add_radices(length, 32, radices, lists);
  for (const auto& list : lists)
    for (const int values : {4, 6, 8, 10, 12, 16, 20, 24, 32}) {
      BlockShape shape = chosen;
      shape.line = {length, std::max(1, (length + values - 1) / values), list};
      if (rows) shape.lines = std::max(1, 512 / shape.line.threads);
      if (shape.threads() > 1024 || shape.threads() < 96 || idle_of(shape.line) > kMaxIdle)
        continue;
      if (classes_of(along) > 1 &&
          (list.size() < 2 || classes_of(along) * list.back() > kMostOfThread))
        continue;
      set_room(shape, along);
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

  void measure(int length, Along along) {
    const auto shapes = ways(length, along, block_limits(device_));
    const auto kernels = compiled(shapes, along);
    std::vector<std::pair<double, std::string>> results;
    for (const BlockShape& shape : shapes) {
      const cuda::GpuKernel& kernel = kernels.at(name(shape, along));
      const double bytes = rate(kernel, shape, along);
      results.emplace_back(
          -bytes,
          fmt::format("{:6.0f} GB/s  {} {:36} C{} pad {} blocks {} threads {} regs {} spill {}{}",
                      bytes * 1e-9, letter(along), type_name(shape.line), shape.lines,
                      shape.pad_every, shape.blocks, shape.threads(), kernel.resources().registers,
                      kernel.resources().spilled_bytes,
                      shape == shapes.front() ? "  <- chosen" : ""));
    }
    const auto chosen = results.front();
    std::sort(results.begin(), results.end());
    fmt::print("{} ways\n", results.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(5, results.size()); ++i)
      fmt::print("{}\n", results[i].second);
    fmt::print("{}\n", chosen.second);
    std::fflush(stdout);
  }

  /// What is chosen for all lengths from `first` to `last`.
  void survey(int first, int last, Along along) {
    const BlockLimits limits = block_limits(device_);
    std::vector<BlockShape> shapes;
    for (int length = first; length <= last; ++length)
      if (is_device_length(length, limits)) shapes.push_back(chosen_shape(length, along, limits));
    print_rates(shapes, along);
  }

  void print_rates(const std::vector<BlockShape>& shapes, Along along) {
    const auto kernels = compiled(shapes, along);
    fmt::print("along length radices lines threads blocks GB/s registers spilled\n");
    for (const BlockShape& shape : shapes) print_rate(kernels.at(name(shape, along)), shape, along);
    std::fflush(stdout);
  }

 private:
  static char letter(Along along) { return "xyzrcd"[static_cast<int>(along)]; }
  void print_rate(const cuda::GpuKernel& kernel, const BlockShape& shape, Along along) {
    fmt::print("{} {} {} {} {} {} {:.0f} {} {}\n", letter(along), shape.line.length,
               fmt::join(shape.line.radices, ","), shape.lines, shape.threads(), shape.blocks,
               rate(kernel, shape, along) * 1e-9, kernel.resources().registers,
               kernel.resources().spilled_bytes);
  }
  static std::string name(const BlockShape& shape, Along along) {
    constexpr ColumnPass kForward{Pass::forward, Choice::all, Choice::all, false};
    constexpr ColumnPass kConvolve{Pass::convolve, Choice::front, Choice::front, false};
    if (along == Along::rows) return rows_forward_name(shape, {PixelType::float32, Placing::whole});
    return along == Along::x ? rows_back_name(shape, PixelType::float32)
                             : columns_name(shape, along == Along::y ? kForward : kConvolve);
  }
  static float2* complex_values(const cuda::DeviceBuffer<float>& b) {
    return reinterpret_cast<float2*>(b.data());
  }

  std::map<std::string, cuda::GpuKernel> compiled(const std::vector<BlockShape>& shapes,
                                                  Along along) {
    std::vector<WantedKernel> wanted;
    for (const BlockShape& shape : shapes)
      wanted.push_back({name(shape, along), shape.shared_bytes});
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    return device_library().kernels(device_, kProgram, wanted, pool_);
  }

  /// Bytes of device memory read and written in a second.
  double rate(const cuda::GpuKernel& kernel, const BlockShape& shape, Along along) {
    switch (along) {
      case Along::x:
        return row_rate(kernel, shape);
      case Along::rows:
        return forward_rate(kernel, shape);
      case Along::y:
        return plane_rate(kernel, shape);
      default:
        return column_rate(kernel, shape);
    }
  }

  double column_rate(const cuda::GpuKernel& kernel, const BlockShape& shape) {
    const std::int64_t columns = kValues / shape.line.length / 16 * 16;
    Columns a = columns_of(shape);
    a.out = complex_values(out_);
    a.apart = columns;
    const double seconds = timed(stream_, [&] {
      kernel.launch(stream_, {{columns / shape.lines}, {shape.threads()}, shape.shared_bytes}, a);
    });
    return 24.0 * static_cast<double>(columns * shape.line.length) / seconds;
  }

  /// In place, in planes of 512 columns.
  double plane_rate(const cuda::GpuKernel& kernel, const BlockShape& shape) {
    const std::int64_t columns = 512, planes = kValues / (columns * shape.line.length);
    Columns a = columns_of(shape);
    a.apart = columns;
    a.batch_apart = columns * shape.line.length;
    const double seconds = timed(stream_, [&] {
      kernel.launch(stream_,
                    {{columns / shape.lines, planes}, {shape.threads()}, shape.shared_bytes}, a);
    });
    return 16.0 * static_cast<double>(planes * columns * shape.line.length) / seconds;
  }

  Columns columns_of(const BlockShape& shape) {
    Columns a;
    a.in = a.out = complex_values(in_);
    a.transfer = a.factors = a.class_turns = complex_values(transfer_);
    a.row = 1 << 30;  // one row of classes
    a.loaded.count = a.stored.count = shape.line.length;
    return a;
  }

  /// Arguments of either way.
  template <class Rows>
  Rows rows_of(std::int64_t half) {
    Rows a;
    a.factors = a.half_shift = complex_values(transfer_);
    a.row_count = kRowsOfPlane;
    a.width = static_cast<int>(2 * half);
    a.voxel_row = 2 * half;
    a.voxel_plane = 2 * half * kRowsOfPlane;
    a.spectrum_row = (half + 15) / 16 * 16;
    a.spectrum_plane = a.spectrum_row * kRowsOfPlane;
    a.planes = static_cast<int>(kValues / a.spectrum_plane);
    return a;
  }

  template <class Rows>
  double rate_of(const cuda::GpuKernel& kernel, const BlockShape& shape, const Rows& a) {
    const std::int64_t rows = a.planes * std::int64_t{kRowsOfPlane};
    const double seconds = timed(stream_, [&] {
      kernel.launch(
          stream_,
          {{(rows + shape.lines - 1) / shape.lines}, {shape.threads()}, shape.shared_bytes}, a);
    });
    return 16.0 * static_cast<double>(rows * shape.line.length) / seconds;
  }

  double row_rate(const cuda::GpuKernel& kernel, const BlockShape& shape) {
    auto a = rows_of<RowsBack>(shape.line.length);
    a.spectra = complex_values(in_);
    a.voxels = out_.data();
    return rate_of(kernel, shape, a);
  }

  double forward_rate(const cuda::GpuKernel& kernel, const BlockShape& shape) {
    auto a = rows_of<RowsForward>(shape.line.length);
    a.voxels = in_.data();
    a.spectra = complex_values(out_);
    return rate_of(kernel, shape, a);
  }

  static constexpr int kRowsOfPlane = 1024;
  cuda::DeviceInfo device_;
  MemoryBudget memory_;
  cuda::Stream stream_{device_.id};
  cuda::DeviceBuffer<float> in_, out_, transfer_;
  TaskPool pool_{available_threads()};
};

Along along_of(char letter) {
  return letter == 'x'   ? Along::x
         : letter == 'y' ? Along::y
         : letter == 'r' ? Along::rows
         : letter == 'c' ? Along::two_classes
         : letter == 'd' ? Along::four_classes
                         : Along::z;
}

/// The shapes of a file, by axis.
std::map<Along, std::vector<BlockShape>> shapes_in(const std::string& path,
                                                   const BlockLimits& limits) {
  std::map<Along, std::vector<BlockShape>> shapes;
  std::ifstream file{path};
  std::string letter, radices;
  for (int length = 0, threads = 0, blocks = 0;
       file >> letter >> length >> threads >> radices >> blocks;) {
    const Along along = along_of(letter[0]);
    BlockShape shape = chosen_shape(length, along, limits);
    shape.line = {length, threads, {}};
    std::istringstream list{radices};
    for (std::string radix; std::getline(list, radix, ',');)
      shape.line.radices.push_back(std::atoi(radix.c_str()));
    shape.blocks = blocks;
    if (is_rows(along)) shape.lines = std::max(1, 512 / threads);
    set_room(shape, along);
    if (shape.shared_bytes <= limits.shared_bytes) shapes[along].push_back(shape);
  }
  return shapes;
}

int run(int count, char** arguments) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  Bench bench{list.devices.front()};
  for (int i = 1; i < count; ++i) {
    const std::string_view what{arguments[i]};
    if (what[0] == '@') {
      for (const auto& [along, shapes] :
           shapes_in(arguments[i] + 1, block_limits(list.devices.front())))
        bench.print_rates(shapes, along);
      continue;
    }
    const Along along = along_of(what[0]);
    const auto dash = what.find('-');
    if (dash == std::string_view::npos)
      bench.measure(std::atoi(arguments[i] + 1), along);
    else
      bench.survey(std::atoi(arguments[i] + 1), std::atoi(arguments[i] + dash + 1), along);
  }
  return 0;
}

}  // namespace
}  // namespace synthoscope::fftconv::device

int main(int count, char** arguments) {
  return synthoscope::fftconv::device::run(count, arguments);
}
