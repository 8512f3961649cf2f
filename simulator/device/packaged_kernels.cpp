// SPDX-License-Identifier: MIT
#include "simulator/device/packaged_kernels.hpp"
#include <fmt/format.h>
#include "simulator/phantom/flat/plain_phantom.hpp"

namespace synthoscope::simulator::device {

cuda::KernelName light_kernel(int kinds) {
  return {"phantom.cuh", fmt::format("render_light<{}>", kinds)};
}

cuda::KernelName labels_kernel(int kinds) {
  return {"phantom.cuh", fmt::format("render_labels<{}>", kinds)};
}

std::vector<cuda::KernelName> packaged_kernels() {
  std::vector<cuda::KernelName> all{{"light.cuh", "sum_rows"},
                                    {"light.cuh", "light_in_stripes"},
                                    {"light.cuh", "weigh"},
                                    {"light.cuh", "finish_photons"},
                                    {"camera.cuh", "record<unsigned char>"},
                                    {"camera.cuh", "record<unsigned short>"}};
  std::vector<int> kinds{kLightOfNoObject, kStrand, PlainBodies::kEvery};
  for (int body = 2 * kLightOfNoObject; body <= PlainBodies::kEvery; body *= 2)
    for (const int beside : {0, kStrand, kLightOfNoObject}) kinds.push_back(body | beside);
  for (const int of : kinds) {
    all.push_back(light_kernel(of));
    all.push_back(labels_kernel(of));
  }
  return all;
}

}  // namespace synthoscope::simulator::device
