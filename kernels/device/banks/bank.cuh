// SPDX-License-Identifier: MIT
// kernels/device/banks/bank.cuh — makes the responses of a bank of filters from their fields, and
// stores them as planes of the result. One thread a voxel.
#pragma once
#include "kernels/device/banks/bank_arguments.hpp"
#include "kernels/device/banks/scaled_responses.cuh"
#include "kernels/device/code/window.cuh"

namespace synthoscope::kernels::device {

template <int kAnswer>
__global__ void __launch_bounds__(kBankThreads) answer_fields(const AnswerArguments a) {
  constexpr auto kHow = static_cast<BankAnswer>(kAnswer);
  const Count i = static_cast<Count>(blockIdx.x) * kBankThreads + threadIdx.x;
  if (i >= a.count) return;
  float fields[fields_of(kHow)], responses[responses_of(kHow)];
#pragma unroll
  for (int f = 0; f < fields_of(kHow); ++f) fields[f] = a.fields[f * a.pitch + i];
  if (a.mean != nullptr) {
    const float mean = a.mean[i];
#pragma unroll
    for (int f = 0; f < fields_of(kHow); ++f) fields[f] -= a.mean_shares[f] * mean;
  }
  answer<kHow>(fields, responses);
#pragma unroll
  for (int r = 0; r < responses_of(kHow); ++r) a.responses[r * a.pitch + i] = responses[r];
}

template <class Out>
__global__ void __launch_bounds__(kBankThreads) store_responses(const StoredResponses a) {
  const Count i = static_cast<Count>(blockIdx.x) * kBankThreads + threadIdx.x;
  if (i >= a.plane * a.planes) return;
  const float gain = gain_of_voxel(a.responses + i, a.pitch, a.made, a.scale);
  const Count z = i / a.plane, in_plane = i % a.plane;
  Storing<Out> storing;
  for (int r = 0; r < a.made; ++r) {
    const Count to = z * a.all + a.first + r - a.skipped;
    if (to >= 0 && to < a.stored)
      static_cast<Out*>(a.out)[to * a.plane + in_plane] =
          storing.make(gain * a.responses[r * a.pitch + i]);
  }
  storing.add_to(a.counts);
}

}  // namespace synthoscope::kernels::device
