// SPDX-License-Identifier: MIT
// simulator/device/packaged_kernels.hpp — names of the kernels that render phantoms, and all
// kernels that come compiled with a package.
#pragma once
#include <vector>
#include "core/cuda/code/kernel_name.hpp"

namespace synthoscope::simulator::device {

/// Return the kernel that renders the light, or the labels, of objects of these kinds: kStrand,
/// kLightOfNoObject and bits of PlainBodies.
cuda::KernelName light_kernel(int kinds);
cuda::KernelName labels_kernel(int kinds);

/// Returns the kernels of light, of the camera and of common phantoms: one kind of body, alone,
/// with strands, or next to light of no object. The kernel of all kinds of bodies is among them.
std::vector<cuda::KernelName> packaged_kernels();

}  // namespace synthoscope::simulator::device
