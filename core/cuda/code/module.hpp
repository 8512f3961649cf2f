// SPDX-License-Identifier: MIT
// core/cuda/code/module.hpp — compiled code on a device, and its kernels, ready to be launched.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>
#include "core/cuda/code/runtime_compiler.hpp"
#include "core/cuda/runtime/stream.hpp"

struct CUlib_st;
struct CUkern_st;

namespace synthoscope::cuda {

/// CUDA's dim3, in its order; x runs fastest.
struct Count3 {
  std::int64_t x = 1, y = 1, z = 1;
};

/// How many blocks of how many threads, and the shared memory that each block asks for.
struct LaunchShape {
  Count3 blocks{}, threads{};
  std::int64_t shared_bytes = 0;
};

/// Resources of a device that a launch needs.
struct LaunchResources {
  int registers = 0;               ///< of a thread, 32 bits each
  std::int64_t spilled_bytes = 0;  ///< of a thread, in slow memory; 0 is wanted
  std::int64_t shared_bytes = 0;   ///< of a block, in addition to what a launch requests
  int most_threads = 0;            ///< of a block
};

struct LibraryTraits {
  using Raw = CUlib_st*;
  static constexpr Raw null() { return nullptr; }
  static void release(Raw raw, DeviceId device) noexcept;
};

/// A kernel of a module, which remains loaded. Copies are the same kernel.
class GpuKernel {
 public:
  /// Enqueues the kernel on `stream`, of its device, and returns at once. An error inside the
  /// kernel comes up at a later wait.
  /// @param arguments  exactly the types of the kernel's parameters: sizes are checked, types are
  ///                   not.
  /// @throws CudaError  number or sizes of the arguments differ from the kernel's, or the shape is
  ///                    more than the device has.
  template <class... Arguments>
  void launch(const Stream& stream, const LaunchShape& shape, const Arguments&... arguments) const {
    static_assert((std::is_trivially_copyable_v<Arguments> && ...));
    const std::array<void*, sizeof...(Arguments) + 1> pointers{
        const_cast<void*>(static_cast<const void*>(std::addressof(arguments)))..., nullptr};
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an argument may be a pointer
    const std::array<std::size_t, sizeof...(Arguments) + 1> sizes{sizeof(Arguments)..., 0};
    enqueue(stream, shape, pointers.data(), std::span{sizes}.first(sizeof...(Arguments)));
  }

  /// Allows launches with up to `bytes` of shared memory per block, instead of 48 KiB.
  /// @throws CudaError  the device has less, see DeviceInfo::shared_bytes.
  void allow_shared(std::int64_t bytes);

  [[nodiscard]] LaunchResources resources() const;

  /// Blocks of so many threads and so much shared memory that one multiprocessor runs at once; 0
  /// where not even one fits.
  [[nodiscard]] int blocks_at_once(std::int64_t threads, std::int64_t shared_bytes) const;

  /// Clusters of so many blocks that the device runs at once, for a kernel that is compiled for
  /// them; 0 where not even one fits. Allows sizes beyond eight where the device has them.
  [[nodiscard]] int clusters_at_once(int blocks, std::int64_t threads,
                                     std::int64_t shared_bytes) const;

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  friend class Module;
  using Library = std::shared_ptr<const UniqueHandle<LibraryTraits>>;
  GpuKernel(Library library, std::string name, const std::string& lowered);
  void enqueue(const Stream& stream, const LaunchShape& shape, void* const* arguments,
               std::span<const std::size_t> sizes) const;

  Library library_;
  std::string name_;
  CUkern_st* raw_ = nullptr;
  std::vector<std::size_t> parameter_bytes_;
};

/// Compiled code, loaded for one device.
class Module {
 public:
  /// @throws CudaError  the code is not for this device.
  Module(DeviceId device, const CompileRequest& request, const CompiledCode& code);

  /// The kernel that the request named so. @throws CudaError  there is none.
  [[nodiscard]] GpuKernel kernel(const std::string& name) const;

 private:
  GpuKernel::Library library_;
  std::vector<std::string> names_, lowered_;
};

}  // namespace synthoscope::cuda
