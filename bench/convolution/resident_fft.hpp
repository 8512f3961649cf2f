// SPDX-License-Identifier: MIT
// bench/convolution/resident_fft.hpp — a convolution by FFT in core where image, kernel and result
// lie in a device's memory: the steps of fftconv without the link to the host.
#pragma once
#include <utility>
#include "core/stream/memory_stream.hpp"
#include "fftconv/device/passes/spectra.hpp"
#include "fftconv/plan/gpu/site.hpp"

namespace synthoscope::bench {

class ResidentFft {
 public:
  /// Plans, compiles and takes memory.
  ResidentFft(const fftconv::Problem& problem, const cuda::DeviceInfo& device, MemoryBudget& memory,
              cuda::Stream& stream, TaskPool& pool)
      : stream_{stream},
        plan_{plan_of(problem, device, memory)},
        layout_{make_layout(plan_.work, plan_.transform, plan_.cut)},
        sizes_{make_device_layout(plan_.work, plan_.transform, plan_.cut,
                                  fftconv::device::block_limits(device))},
        spectra_{device, memory, layout_, sizes_, false},
        // Described by their extents alone
        image_{ConstVoxelView{nothing(problem.image)}},
        kernel_{ConstVoxelView{nothing(problem.kernel)}},
        f_{spectra_.describe(fftconv::image_input(layout_, fftconv::WorkAxes{plan_},
                                                  {&image_, {&kernel_, 0, 1}, {}}, 0))},
        g_{spectra_.describe(fftconv::kernel_input(layout_, {&kernel_, 0, 1}))},
        turn_tables_{spectra_.describe(fftconv::ring_turns_of(layout_).front())},
        planes_{device.id, memory,
                std::max(planes_of(f_) * plane_voxels(f_), planes_of(g_) * plane_voxels(g_)),
                "planes"} {
    spectra_.prepare(stream, pool);
  }

  /// Enqueues result <- image convolved with kernel.
  void enqueue(const float* image, const float* kernel, float* result) {
    spectra_.take_kernel(stream_, g_, gathered(g_, kernel), {0, layout_.kernel_planes});
    spectra_.finish_kernel(stream_);
    spectra_.take_image(stream_, f_, gathered(f_, image), {0, layout_.z.loaded});
    spectra_.convolve(stream_, turn_tables_);
    spectra_.give(stream_, {0, layout_.z.wanted}, layout_.y.wanted, layout_.x.wanted, result);
  }

  [[nodiscard]] const fftconv::Plan& plan() const { return plan_; }

 private:
  using Loading = fftconv::device::Loading;

  static fftconv::Plan plan_of(const fftconv::Problem& problem, const cuda::DeviceInfo& device,
                               const MemoryBudget& memory) {
    fftconv::Machine machine{std::int64_t{1} << 40};
    machine.gpu = fftconv::Gpu{device.name, device.capability,
                               fftconv::device::block_limits(device), memory.limit()};
    machine.gpu_only = true;
    return plan_convolution(problem, machine, fftconv::Strategy::in_core);
  }
  static HostView3<const float> nothing(const Extent3& extent) { return {nullptr, extent}; }
  static std::int64_t planes_of(const Loading& loading) {
    return static_cast<std::int64_t>(loading.input.plane_source.size());
  }
  static std::int64_t plane_voxels(const Loading& loading) {
    return loading.y.count * loading.x.count;
  }

  /// The planes that are taken, one behind the other: where they are, or copies where some come
  /// once more or do not follow each other.
  const float* gathered(const Loading& loading, const float* from) {
    const auto& planes = loading.input.plane_source;
    const std::int64_t voxels = plane_voxels(loading);
    const auto run_from = [&](std::size_t first) {
      std::size_t next = first + 1;
      while (next < planes.size() && planes[next] == planes[next - 1] + 1) ++next;
      return next;
    };
    if (run_from(0) == planes.size()) return from + planes.front() * voxels;
    for (std::size_t first = 0, next = 0; first < planes.size(); first = next) {
      next = run_from(first);
      cuda::enqueue_copy(stream_, planes_.data() + static_cast<std::int64_t>(first) * voxels,
                         from + planes[first] * voxels,
                         static_cast<std::int64_t>(next - first) * voxels * 4);
    }
    return planes_.data();
  }

  cuda::Stream& stream_;
  fftconv::Plan plan_;
  fftconv::Layout layout_;
  fftconv::device::DeviceLayout sizes_;
  fftconv::device::Spectra spectra_;
  MemorySource image_, kernel_;
  Loading f_, g_;
  fftconv::device::RingTurnTables turn_tables_;
  cuda::DeviceBuffer<float> planes_;
};

}  // namespace synthoscope::bench
