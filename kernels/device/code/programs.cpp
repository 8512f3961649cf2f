// SPDX-License-Identifier: MIT
#include "kernels/device/code/programs.hpp"
#include "core/base/assert.hpp"
#include "core/cuda/code/device_program.hpp"
#include "core/cuda/code/loaded_kernels.hpp"
#include "kernels/device/code/sources.hpp"

namespace synthoscope::kernels::device {

cuda::CompileRequest program_of(const std::string& source, const std::vector<std::string>& kernels,
                                int capability) {
  return cuda::program_of({"kernels", device_sources(), device_options()}, source, kernels,
                          capability);
}

cuda::Kernel compile_kernel(const cuda::DeviceInfo& device, const std::string& source,
                            const std::string& kernel) {
  return cuda::loaded_once(device.id, "kernels " + source + " " + kernel, [&] {
    return cuda::compile_kernel(device, program_of(source, {kernel}, device.capability));
  });
}

HeldVoxels held_voxels(const DeviceWindow& window) {
  // Kernels keep indices within a plane as int
  SYNTHOSCOPE_ASSERT(window.box.size.y * window.box.size.x, <, std::int64_t{1} << 31);
  const Extent3 &image = window.image, &size = window.box.size;
  const Index3& origin = window.box.origin;
  return {window.voxels,
          {image.z, origin.z, size.z},
          {image.y, origin.y, size.y},
          {image.x, origin.x, size.x}};
}

MadeVoxels made_voxels(const Box3& box, std::byte* out, unsigned long long* counts) {
  return {out,        box.origin.z, box.origin.y, box.origin.x,
          box.size.z, box.size.y,   box.size.x,   counts};
}

}  // namespace synthoscope::kernels::device
