// SPDX-License-Identifier: MIT
#include "python/convolve_on_gpu.hpp"
#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <algorithm>
#include <memory>
#include "core/cuda/memory.hpp"
#include "core/cuda/resident_stream.hpp"
#include "core/error.hpp"
#include "core/memory_stream.hpp"
#include "core/round_up.hpp"
#include "core/store_as.hpp"
#include "fftconv/cost.hpp"
#include "fftconv/device/device_executor.hpp"
#include "fftconv/device/device_layout.hpp"
#include "python/arrays.hpp"
#include "python/convolution_request.hpp"
#include "python/interruptible.hpp"
#include "python/remembered.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

using GpuArray = nb::ndarray<nb::ro, nb::ndim<3>, nb::c_contig, nb::device::cuda>;
using MadeArray = nb::ndarray<nb::device::cuda>;
using FetchedArray = nb::ndarray<nb::numpy>;

constexpr const char* kDocstring =
    R"(Convolves a volume that lies on a GPU with one that lies in the memory of the host.

image : array (z, y, x), C order, of int8 to uint32 or float32, on a GPU.
kernel : array (z, y, x), C order, of int8 to uint32, float32 or float64, on the host.
shape, method, memory : as for `convolve`; memory is the host's.

Returns an array of float32 on the same GPU, to be taken by DLPack. What was enqueued on that GPU
before is waited for, and the result is there on return. Raises ValueError, MemoryError, and
RuntimeError where there is no such GPU.
)";

cuda::DeviceInfo device_at(int index) {
  const cuda::DeviceList list = cuda::list_devices();
  for (const cuda::DeviceInfo& device : list.devices)
    if (device.id.index == index) return device;
  throw CudaError(fmt::format("convolve on GPU {}: {}; bring the arrays to the host", index,
                              list.devices.empty() ? list.why_none : "there is no such GPU here"));
}

/// The GPU with what is free there, in steps: the same plan then serves from call to call.
fftconv::Machine machine_of(const cuda::DeviceInfo& device, std::int64_t host_bytes) {
  constexpr std::int64_t kStep = std::int64_t{1} << 28;
  const std::int64_t usable = cuda::memory_of(device.id).free_bytes / 10 * 9;
  fftconv::Machine machine{host_bytes};
  machine.gpu = fftconv::Gpu{device.name, device.capability, fftconv::device::block_limits(device),
                             std::max<std::int64_t>(usable / kStep * kStep, 1)};
  machine.gpu_only = true;
  return machine;
}

/// Memory of a GPU that an array of Python's owns from then on.
MadeArray made_array(cuda::DeviceId device, std::byte* voxels, const Extent3& e,
                     std::unique_ptr<cuda::UniqueHandle<cuda::DeviceMemoryTraits>> memory) {
  const nb::capsule owner{memory.release(), [](void* p) noexcept {
                            delete static_cast<cuda::UniqueHandle<cuda::DeviceMemoryTraits>*>(p);
                          }};
  const std::size_t shape[] = {static_cast<std::size_t>(e.z), static_cast<std::size_t>(e.y),
                               static_cast<std::size_t>(e.x)};
  return {voxels,      3, shape, owner, nullptr, nb::dtype<float>(), nb::device::cuda::value,
          device.index};
}

MadeArray convolve_on_gpu(const GpuArray& image, const ReadArray& kernel, const std::string& shape,
                          const std::string& method, const std::optional<std::string>& memory) {
  const cuda::DeviceInfo device = device_at(image.device_id());
  const ConstVoxelView f{static_cast<const std::byte*>(image.data()), pixel_type_of(image.dtype()),
                         extent_of(image)};
  if (f.type() == PixelType::float64)
    throw InvalidSpec(
        "convolve on a GPU: the elements are float64, and GPUs compute in single precision here; "
        "convert them to float32, or bring them to the host");
  const ConstVoxelView g = view_of(kernel);
  MemorySource kernel_source{g};
  fftconv::Problem problem = problem_of(f, g, PixelType::float32, shape_of(shape));
  problem.image_made_on_gpu = true;  // it does not travel
  const fftconv::Strategy wanted = look_at_kernel(kernel_source, method_of(method), problem);

  Allowance allowed = usual_allowance();
  if (memory) allowed.memory_bytes = parse_bytes(*memory);
  const Extent3 extent = output_extent(problem);
  auto taken = std::make_unique<cuda::UniqueHandle<cuda::DeviceMemoryTraits>>(
      cuda::allocate_device(device.id, volume(extent) * size_of(PixelType::float32), "the result"));
  const VoxelView h{static_cast<std::byte*>(taken->get()), PixelType::float32, extent};
  const fftconv::Plan plan =
      remembered_plan(problem, machine_of(device, allowed.memory_bytes), wanted);

  StopFlag stop;
  run_interruptibly(stop, plan.chosen()->seconds - fftconv::kStartSeconds, [&] {
    cuda::finish_all(device.id);
    cuda::ResidentSource image_source{device.id, f};
    cuda::ResidentSink sink{device.id, h};
    StoreAs store{PixelType::float32};
    const fftconv::Term term{&image_source, {&kernel_source, 0, 1}, {}};
    TaskPool pool{allowed.threads};
    MemoryBudget host{allowed.memory_bytes};
    NoProgress progress;
    NoLog log;
    make_device_executor(device, plan.machine.gpu->memory_bytes, plan.machine)
        ->run(plan, {&term, 1}, store, sink, {pool, host, progress, log, stop});
  });
  return made_array(device.id, h.data(), extent, std::move(taken));
}

/// A copy in the memory of the host.
FetchedArray fetch(const GpuArray& array) {
  const cuda::DeviceId device{array.device_id()};
  const Extent3 e = extent_of(array);
  const ConstVoxelView there{static_cast<const std::byte*>(array.data()),
                             pixel_type_of(array.dtype()), e};
  auto* const copy = new std::byte[static_cast<std::size_t>(there.bytes())];
  const nb::capsule owner{copy, [](void* p) noexcept { delete[] static_cast<std::byte*>(p); }};
  {
    const nb::gil_scoped_release unlocked;
    cuda::finish_all(device);
    cuda::ResidentSource{device, there}.read(whole(e), {copy, there.type(), e});
  }
  const std::size_t shape[] = {array.shape(0), array.shape(1), array.shape(2)};
  return {copy, 3, shape, owner, nullptr, array.dtype(), nb::device::cpu::value, 0};
}

}  // namespace

void add_convolve_on_gpu(nb::module_& module) {
  module.def("convolve_on_gpu", convolve_on_gpu, nb::arg("image").noconvert(),
             nb::arg("kernel").noconvert(), nb::arg("shape"), nb::arg("method") = "auto",
             nb::arg("memory") = nb::none(), kDocstring);
  module.def("fetch", fetch, nb::arg("array").noconvert(),
             "A copy of a volume that lies on a GPU, in the memory of the host.");
}

}  // namespace synthoscope::python
