// SPDX-License-Identifier: MIT
// What every build may ask, in one without CUDA.
#include "core/base/error.hpp"
#include "deconvolution/device/resident_richardson_lucy.hpp"

namespace synthoscope::deconvolution {

class ResidentRichardsonLucy::Run {};

LinkBytes link_bytes(const Geometry&, bool, const VolumesOnHost&) {
  return {};
}

std::vector<GpuShare> on_one_gpu(const Geometry&, const cuda::DeviceInfo&) {
  return {};
}

std::vector<GpuShare> share_field(const Geometry&, bool, std::span<const cuda::DeviceInfo>,
                                  std::int64_t) {
  return {};
}

std::int64_t resident_bytes(std::span<const GpuShare>, bool, const VolumesOnHost&) {
  return 0;
}

std::int64_t staged_bytes(const Geometry&, bool, const VolumesOnHost&) {
  return 0;
}

ResidentRichardsonLucy::ResidentRichardsonLucy(const Model&, Source&, bool,
                                               std::span<const GpuShare>, std::int64_t,
                                               const RunContext&, const HostVolumes&) {
  throw CudaError(
      "deconvolve on the GPU: this program was built without CUDA; build it with "
      "SYNTHOSCOPE_CUDA=ON "
      "where CUDA is installed, or give --gpus none");
}

ResidentRichardsonLucy::~ResidentRichardsonLucy() = default;
void ResidentRichardsonLucy::begin() {}
void ResidentRichardsonLucy::go_on_after(int, Source&, Source*) {}
double ResidentRichardsonLucy::iterate() {
  return 0;
}
int ResidentRichardsonLucy::iterations() const {
  return 0;
}
Source& ResidentRichardsonLucy::result() {
  throw CudaError("read an estimate on the GPU: this program was built without CUDA");
}
Source* ResidentRichardsonLucy::before() {
  return nullptr;
}
LinkBytes ResidentRichardsonLucy::copied() const {
  return {};
}
std::int64_t ResidentRichardsonLucy::iteration_bytes() const {
  return 0;
}
std::int64_t ResidentRichardsonLucy::peak_device_bytes() const {
  return 0;
}

}  // namespace synthoscope::deconvolution
