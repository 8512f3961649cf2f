// SPDX-License-Identifier: MIT
// deconvolution/device/plane_passes.hpp — volumes that a GPU works on, plane after plane: in its
// memory, or on the host and through that memory.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "core/run/run_context.hpp"
#include "core/stream/resident_stream.hpp"
#include "core/volume/interval.hpp"
#include "deconvolution/device/resident_richardson_lucy.hpp"
#include "fftconv/planes/access.hpp"

namespace synthoscope::deconvolution::device {

/// A float32 volume in the memory of a device or on the host.
class WorkedVolume {
 public:
  WorkedVolume() = default;
  /// In the memory of the device. @throws PlanError, OutOfDeviceMemory, CudaError
  WorkedVolume(cuda::DeviceId device, MemoryBudget& device_memory, const Extent3& extent,
               std::string_view what);
  /// On the host; both outlive this. @param sink  the same voxels; null if they are only read
  WorkedVolume(Source& source, Sink* sink) : source_{&source}, sink_{sink} {}

  /// Returns the voxels in the device's memory; null if they lie on the host.
  [[nodiscard]] float* on_device() const { return voxels_.data(); }
  [[nodiscard]] Source& source();
  [[nodiscard]] Sink* sink() const { return sink_; }

  /// Replaces all voxels. Waits. @throws what the sources throw, PlanError, CudaError
  void fill(Source& from, const cuda::Stream& stream, const RunContext& context);

 private:
  cuda::DeviceBuffer<float> voxels_;
  std::optional<cuda::ResidentSource> resident_;
  Source* source_ = nullptr;
  Sink* sink_ = nullptr;
};

/// A volume in a pass over its planes: it is read, written, or both.
struct Passing {
  WorkedVolume* volume = nullptr;
  bool is_read = true, is_written = false;
};

/// Returns contiguous voxels that a device copies by itself; null if the host has to read them.
const float* pinned_voxels(const Source& source);

/// How many planes pass at once.
struct SlotSize {
  std::int64_t planes_bytes = 0;  ///< of one volume; at least one plane
  std::int64_t voxels = 0;        ///< of all volumes that pass together, in the largest group
  bool is_staged = false;         ///< by way of a buffer of the host

  /// @param extent  of a volume, in the work problem
  [[nodiscard]] std::int64_t planes_of(const Extent3& extent) const;
  /// Makes room for `volumes` of this extent that pass together.
  void hold(const Extent3& extent, std::int64_t volumes);
};

/// Passes planes of volumes over a device. Planes of the host go through slots of its memory: one
/// has planes on their way up, another those that are worked on, a third those on their way down.
/// Pinned volumes are copied directly. Others are read and written by threads of the host, by way
/// of a pinned buffer for each slot.
class PlanePasses {
 public:
  static constexpr int kSlots = 4;

  /// Allocates all memory. @param axes  of the plan
  /// @throws PlanError  beyond a budget.  @throws OutOfDeviceMemory, CudaError
  PlanePasses(cuda::DeviceId device, const fftconv::WorkAxes& axes, const SlotSize& size,
              MemoryBudget& device_memory, const RunContext& context);
  ~PlanePasses() { drain(); }
  PlanePasses(const PlanePasses&) = delete;
  PlanePasses& operator=(const PlanePasses&) = delete;

  /// Enqueues work on planes, whose voxels of each volume begin at `voxels`, without gaps.
  using Work = std::function<void(const Interval& planes, std::span<float* const> voxels)>;

  /// Does `work` for all planes of volumes that lie in the same place: at once in the memory of the
  /// device, or in groups. Waits for planes of the host that are not pinned, and for nothing else.
  /// @param extent  of each volume, in the work problem
  /// @throws what sources and sinks throw, Interrupted, CudaError
  void run(cuda::Stream& compute, std::span<const Passing> volumes, const Extent3& extent,
           const Work& work);

  /// Waits until the host has all planes. @throws CudaError
  void finish() const { down_.finish(); }
  /// After a failure: waits for all copies.
  void drain() const noexcept;

  /// Returns the bytes that were copied so far.
  [[nodiscard]] const LinkBytes& copied() const { return copied_; }

 private:
  struct Slot {
    explicit Slot(cuda::DeviceId device);
    cuda::Event came, used, went;
    /// Planes in the host's buffer that are still to be written.
    struct Written {
      Sink* sink;
      const float* voxels;
      Extent3 extent;  ///< of the volume
      Interval planes;
    };
    std::vector<Written> written;
  };
  struct Group {
    int slot;
    Extent3 extent;
    Interval planes;
  };
  void pass(cuda::Stream& compute, std::span<const Passing> volumes, const Group& group,
            const Work& work);
  void bring(Source& source, const Group& group, std::int64_t offset);
  void send(Sink& sink, const Group& group, std::int64_t offset);
  void write(Slot& slot);
  template <class Body>
  void for_boxes(const Extent3& extent, const Interval& planes, Body&& body);

  fftconv::WorkAxes axes_;
  SlotSize size_;
  const RunContext& context_;
  cuda::Stream up_, down_;
  cuda::DeviceBuffer<float> device_;
  cuda::PinnedBuffer<float> host_;
  std::vector<Slot> slots_;
  cuda::Event written_;  ///< all planes of passes so far
  int next_ = 0;
  LinkBytes copied_;
};

}  // namespace synthoscope::deconvolution::device
