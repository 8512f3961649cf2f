// SPDX-License-Identifier: MIT
// deconvolution/device/resident_richardson_lucy.hpp — iterations whose spectra stay in the memory
// of GPUs. The voxels lie there, too, or on the host.
//
// Counted for n voxels of the padded transform, which estimate and field nearly fill, in bytes:
//
//     memory      4 n spectra, 4 n transfer function, 4 n estimate, 4 n image: 16 n in all;
//                 with momentum 4 n more, for the estimate before
//     iteration   H u to planes of rows            12 n   spectra read and written, the kernel's
//                 to rows along y                   8 n
//                 rows to voxels, e = H u + b,
//                 and d = (f - e) / e to rows      12 n   spectra read and written, f
//                 along y                           8 n
//                 H^T d to planes of rows          12 n
//                 to rows along y                   8 n
//                 rows to voxels, the next u of
//                 them, and u to rows              16 n   spectra and u read and written
//                 along y                           8 n
//                 in all                           84 n;  with momentum 88 n
//
// Neither H u, nor d, nor H^T d, nor the point beyond u that momentum starts from is ever stored as
// voxels: the last transform to a row of them and the first one back from it are one pass. As
// passes that store and load them, an iteration would move 96 n bytes, 104 n with momentum, and
// hold 4 n more.
//
// Volumes of the host pass through a few planes of that memory: the GPU then holds 8 n, and an
// iteration copies image and estimate up, 4 n each, and the new estimate down, 4 n; with momentum
// also the last estimate up. Nothing between the two convolutions leaves the GPU.
//
// Several GPUs have a part of the field each (field_parts.hpp). In an iteration, neighbours
// send each other spectra of rows of H^T d, of the K - 1 planes or rows that both have: 4 bytes a
// voxel each way.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include "core/run/run_context.hpp"
#include "deconvolution/device/gpu_shares.hpp"
#include "deconvolution/iteration/richardson_lucy.hpp"

namespace synthoscope::deconvolution {

/// Where the volumes of a run lie. Pinned ones (ScratchVolume) are copied at the speed of the link;
/// others, such as those in files, by way of a pinned buffer.
struct HostVolumes {
  VolumesOnHost which;
  ScratchVolume* estimate = nullptr;  ///< of estimate_extent, if estimates lie on the host
  ScratchVolume* last = nullptr;      ///< the same, with momentum
};

/// RichardsonLucy on GPUs: the same estimates but for rounding, wherever the volumes lie. If none
/// lies on the host, nothing but the likelihood comes back in an iteration.
class ResidentRichardsonLucy {
 public:
  /// Reads image and kernel, and takes all memory.
  /// @param model   its edges must not wrap
  /// @param image   float32, not negative, of geometry.field. If it lies on the host, every
  ///                iteration reads it.
  /// @param shares  on_one_gpu or share_field of model.geometry
  /// @param device_bytes  budget of each GPU
  /// @param host    its volumes, and the image then, outlive this; only with one GPU
  /// @throws InvalidSpec   the edges wrap.
  /// @throws InvalidInput  the image has no light above the background.
  /// @throws PlanError     beyond a budget, or an axis is longer than the GPU transforms.
  /// @throws OutOfDeviceMemory, CudaError
  ResidentRichardsonLucy(const Model& model, Source& image, bool has_momentum,
                         std::span<const GpuShare> shares, std::int64_t device_bytes,
                         const RunContext& context, const HostVolumes& host = {});
  ~ResidentRichardsonLucy();

  /// Begins with an even estimate that has the light of the image.
  void begin();

  /// Goes on after `iterations` of an earlier run.
  /// @param estimate  what `result` held, float32; may be HostVolumes::estimate
  /// @param before    with momentum, what `before` held; may be HostVolumes::last
  void go_on_after(int iterations, Source& estimate, Source* before);

  /// Does one iteration. Returns the logarithm of the likelihood of the estimate before it; with
  /// momentum, of the point that the iteration starts from. Returns when that is known: the GPU may
  /// still be at the rest. @throws what volumes of the host throw, Interrupted, CudaError
  double iterate();

  [[nodiscard]] int iterations() const;

  /// Returns the estimate after an iteration, until the next one. Waits. @throws CudaError
  [[nodiscard]] Source& result();

  /// Returns the estimate of the iteration before; with momentum, both are what a run goes on from.
  /// Null without. Waits. @throws CudaError
  [[nodiscard]] Source* before();

  /// Returns the bytes that have been copied between volumes of the host and the GPU.
  [[nodiscard]] LinkBytes copied() const;

  /// Returns the bytes of memory of all GPUs that an iteration reads and writes.
  [[nodiscard]] std::int64_t iteration_bytes() const;

  /// Returns the most memory of a GPU that was taken.
  [[nodiscard]] std::int64_t peak_device_bytes() const;

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

}  // namespace synthoscope::deconvolution
