// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include "core/stream/memory_stream.hpp"
#include "core/stream/resident_stream.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/device/executor.hpp"
#include "fftconv/plan/cuts/cost.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/plan/gpu/layout.hpp"
#include "kernels/device/bricks/resident.hpp"
#include "python/arrays/convolution_request.hpp"
#include "python/gpu/arrays.hpp"
#include "python/gpu/on_gpu.hpp"
#include "python/session/call.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

using FetchedArray = nb::ndarray<nb::numpy>;

constexpr const char* kDocstring =
    R"(Convolves a volume on a GPU with a kernel in host memory.

image : array (z, y, x), C order, of int8 to uint32 or float32, on a GPU.
kernel : array (z, y, x), C order, of int8 to uint32, float32 or float64, on the host.
shape, method, memory : as for `convolve`; memory is the host's.

Returns an array of float32 on the same GPU, for DLPack. Waits for work that was enqueued on that
before is waited for, and the result is there on return. Raises ValueError, MemoryError, and
RuntimeError where there is no such GPU.
)";

fftconv::Machine machine_of(const cuda::DeviceInfo& device, std::int64_t host_bytes) {
  fftconv::Machine machine{host_bytes};
  machine.gpu = fftconv::Gpu{device.name, device.capability, fftconv::device::block_limits(device),
                             usable_bytes(device)};
  machine.gpu->start_is_paid = true;
  machine.gpu_only = true;
  return machine;
}

/// What is convolved, where it lies.
struct Resident {
  const cuda::DeviceInfo& device;
  const fftconv::Plan& plan;
  ConstVoxelView image;   ///< on the device
  ConstVoxelView kernel;  ///< on the host
  VoxelView result;       ///< on the device
};

void sum(const Resident& work, TaskPool& pool, const StopFlag& stop) {
  MemorySource kernel{work.kernel};
  const auto operation =
      make_sums(work.plan.problem, work.plan.strategy, fftconv::weights_of({&kernel, 0, 1}, stop));
  MemoryBudget memory{work.plan.machine.gpu->memory_bytes, 0, "--gpu-memory"};
  kernels::device::run_resident(*operation, work.device, work.image, {&work.result, 1}, memory,
                                pool, stop);
}

void transform(const Resident& work, TaskPool& pool, const StopFlag& stop) {
  const cuda::DeviceId id = work.device.id;
  const auto kernel_there = cuda::allocate_device(id, work.kernel.bytes(), "the kernel");
  auto* const weights = static_cast<std::byte*>(kernel_there.get());
  const cuda::Stream stream{id};
  cuda::enqueue_copy(stream, weights, work.kernel.data(), work.kernel.bytes());
  stream.finish();
  cuda::ResidentSource image{id, work.image};
  cuda::ResidentSource kernel{id, {weights, work.kernel.type(), work.kernel.extent()}};
  cuda::ResidentSink sink{id, work.result};
  StoreAs store{PixelType::float32};
  const fftconv::Term term{&image, {&kernel, 0, 1}, {}};
  MemoryBudget host{work.plan.machine.host_bytes};
  NoProgress progress;
  NoLog log;
  make_device_executor(work.device, work.plan.machine.gpu->memory_bytes, work.plan.machine)
      ->run(work.plan, {&term, 1}, store, sink, {pool, host, progress, log, stop});
}

MadeArray convolve_on_gpu(const GpuArray& image, const ReadArray& kernel, const std::string& shape,
                          const std::string& method, const std::optional<std::string>& memory) {
  const cuda::DeviceInfo& device = gpu_of(image);
  const ConstVoxelView f = device_view_of(image), g = view_of(kernel);
  MemorySource kernel_source{g};
  fftconv::Problem problem = problem_of(f, g, PixelType::float32, shape_of(shape));
  problem.image_made_on_gpu = true;  // it does not travel
  const fftconv::Strategy wanted = examine_kernel_for(kernel_source, method_of(method), problem);

  Allowance allowed = usual_allowance();
  if (memory) allowed.memory_bytes = parse_bytes(*memory);
  NewGpuArray result{device.id, PixelType::float32, output_extent(problem)};
  bool is_new = false;
  const fftconv::Plan plan =
      remembered_plan(problem, machine_of(device, allowed.memory_bytes), wanted, &is_new);
  const Resident work{device, plan, f, g, result.view()};
  StopFlag stop;
  // The first run of a plan may compile its kernels
  constexpr double kCompiling = 1;
  const double seconds = plan.chosen()->seconds - fftconv::kStartSeconds;
  run_interruptibly(stop, is_new ? kCompiling : seconds, [&] {
    cuda::finish_all(device.id);
    TaskPool pool{allowed.threads};
    if (fftconv::is_by_sums(plan.strategy))
      sum(work, pool, stop);
    else
      transform(work, pool, stop);
  });
  return result.release();
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
             "Returns a copy, in host memory, of a volume on a GPU.");
}

}  // namespace synthoscope::python
