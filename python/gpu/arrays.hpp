// SPDX-License-Identifier: MIT
// python/gpu/arrays.hpp — arrays of Python that lie on a GPU, and those that are made there.
#pragma once
#include <nanobind/ndarray.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "core/cuda/memory/memory.hpp"
#include "core/volume/view.hpp"
#include "kernels/operation/operation.hpp"
#include "python/session/arrays.hpp"

namespace synthoscope::python {

/// (z, y, x) in C order, in the memory of a GPU.
using GpuArray =
    nanobind::ndarray<nanobind::ro, nanobind::ndim<3>, nanobind::c_contig, nanobind::device::cuda>;
/// The same, to be taken by DLPack.
using MadeArray = nanobind::ndarray<nanobind::device::cuda>;

/// The GPU that an array lies on, whose memory stays with the process from now on (enable_pool).
/// @throws CudaError  there is none such.
const cuda::DeviceInfo& gpu_of(const GpuArray& array);

/// What may be taken of a GPU at present, in bytes, in steps: the same from call to call.
std::int64_t usable_bytes(const cuda::DeviceInfo& device);

/// @throws InvalidSpec  the elements are float64, or as pixel_type_of: GPUs compute in single
///                      precision here.
ConstVoxelView device_view_of(const GpuArray& array);

/// An array that is being made. @throws OutOfDeviceMemory, CudaError
class NewGpuArray {
 public:
  NewGpuArray(cuda::DeviceId device, PixelType type, const Extent3& extent);
  [[nodiscard]] VoxelView view() const { return view_; }
  /// Hands it to Python.
  [[nodiscard]] MadeArray release();

 private:
  std::unique_ptr<cuda::UniqueHandle<cuda::DeviceMemoryTraits>> memory_;
  VoxelView view_;
};

/// The results of an operation on `image`, where it lies. What was enqueued on that GPU before is
/// waited for, and results are there on return.
/// @throws InvalidSpec  the operation is not done on GPUs.
/// @throws PlanError, OutOfDeviceMemory, CudaError
std::vector<MadeArray> results_there(kernels::Operation& operation, const GpuArray& image);

}  // namespace synthoscope::python
