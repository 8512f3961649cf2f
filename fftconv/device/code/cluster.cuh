// SPDX-License-Identifier: MIT
// fftconv/device/code/cluster.cuh — blocks of a cluster, which write into each other's shared
// memory, and copies that need no thread. From sm_90 on.
#pragma once
#include "fftconv/device/code/arguments.hpp"

namespace synthoscope::fftconv::device {

/// An address in the shared memory of any block of the cluster.
using ClusterAddress = unsigned;

__device__ __forceinline__ int rank_in_cluster() {
  int rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ __forceinline__ ClusterAddress own_address(const void* shared) {
  return static_cast<ClusterAddress>(__cvta_generic_to_shared(shared));
}

/// Returns the address in block `rank` of what this block has at `own`.
__device__ __forceinline__ ClusterAddress address_in(int rank, ClusterAddress own) {
  ClusterAddress there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(rank));
  return there;
}

/// All threads of all blocks meet here. Orders no accesses to memory.
__device__ __forceinline__ void meet_in_cluster() {
  __syncwarp();
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

/// A barrier in a block's shared memory (mbarrier). It is open once for every phase, 0 first: when
/// all arrivals have come, and all bytes that were announced.
struct Signal {
  ClusterAddress barrier;  ///< of this block

  /// By one thread, before all blocks meet.
  __device__ __forceinline__ void begin(int arrivals) const {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }

  /// Arrives; what the thread has read and written before is done.
  __device__ __forceinline__ void arrive() const {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
  }

  /// Arrives, and announces bytes that will be stored with this signal.
  __device__ __forceinline__ void expect(int bytes) const {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
  }

  /// Arrives at the same signal of block `rank`.
  __device__ __forceinline__ void arrive_in(int rank) const {
    asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                     address_in(rank, barrier))
                 : "memory");
  }

  /// Waits for a phase that is given modulo 2: at most one phase may be ahead. What other blocks
  /// wrote into this block's shared memory is known then.
  __device__ __forceinline__ void wait(int phase) const {
    int open;
    do {
      asm volatile(
          "{.reg .pred p;"
          "mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 p, [%1], %2;"
          "selp.u32 %0, 1, 0, p;}"
          : "=r"(open)
          : "r"(barrier), "r"(phase & 1)
          : "memory");
    } while (!open);
    asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" ::: "memory");
  }

  /// The same, for what happens within this block and for copies into it.
  __device__ __forceinline__ void wait_here(int phase) const {
    int open;
    do {
      asm volatile(
          "{.reg .pred p;"
          "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;"
          "selp.u32 %0, 1, 0, p;}"
          : "=r"(open)
          : "r"(barrier), "r"(phase & 1)
          : "memory");
    } while (!open);
  }
};

/// Stores a value in the shared memory of block `rank`, where this block has `own`; the same signal
/// there counts its 8 bytes.
__device__ __forceinline__ void store_in(int rank, ClusterAddress own, float2 value,
                                         const Signal& signal) {
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];" ::"r"(
          address_in(rank, own)),
      "f"(value.x), "f"(value.y), "r"(address_in(rank, signal.barrier))
      : "memory");
}

/// Begins a copy into this block's shared memory of what is read once: the second cache is to keep
/// other things. The signal counts its bytes. Addresses and bytes are multiples of 16.
__device__ __forceinline__ void begin_copy(ClusterAddress to, const void* from, int bytes,
                                           const Signal& signal) {
  asm volatile(
      "{.reg .b64 once;"
      "createpolicy.fractional.L2::evict_first.b64 once, 1.0;"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
      " [%0], [%1], %2, [%3], once;}" ::"r"(to),
      "l"(from), "r"(bytes), "r"(signal.barrier)
      : "memory");
}

/// Begins a copy of a box of a tensor, from its element `at` on, into this block's shared memory;
/// the signal counts its bytes. The address is a multiple of 128.
__device__ __forceinline__ void begin_copy_of_box(ClusterAddress to, const TensorMap& tensor,
                                                  const int (&at)[4], const Signal& signal) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(to),
      "l"(&tensor), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(signal.barrier)
      : "memory");
}

/// Orders accesses of threads to shared memory before copies that begin later.
__device__ __forceinline__ void before_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

}  // namespace synthoscope::fftconv::device
