// SPDX-License-Identifier: MIT
#include "core/cuda/code/module.hpp"
#include <numeric>
#include <vector>
#include "core/base/error.hpp"
#include "core/cuda/code/code_cache.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/no_compiler.hpp"

namespace synthoscope::cuda {
namespace {

constexpr const char* kProgram = R"(
template <class T>
__global__ void add(const T* a, const T* b, T* sum, long long count) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];
}
__global__ void reverse(int* values) {  // of one block, through shared memory
  extern __shared__ int shared[];
  shared[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}
__global__ void nothing() {}
)";

class Modules : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
    request.program = {"test.cu", kProgram};
    request.kernels = {"add<float>", "add<double>", "reverse", "nothing"};
    request.capability = info.capability;
  }
  [[nodiscard]] Module module() const { return {device, request, compile(request)}; }
  CompileRequest request;
};

TEST_F(Modules, AddVectors) {
  const std::int64_t count = 1'000'003;
  const DeviceBuffer<float> a{device, memory, count, "a"}, b{device, memory, count, "b"},
      sum{device, memory, count, "sum"};
  std::vector<float> values(static_cast<std::size_t>(count)), found(values.size());
  std::iota(values.begin(), values.end(), 0.F);
  const Stream stream{device};
  enqueue_copy(stream, a.data(), values.data(), a.bytes());
  enqueue_copy(stream, b.data(), values.data(), b.bytes());
  const GpuKernel add = module().kernel("add<float>");  // outlives its module
  const auto blocks = (count + 255) / 256;
  add.launch(stream, {.blocks = {blocks}, .threads = {256}}, a.data(), b.data(), sum.data(), count);
  enqueue_copy(stream, found.data(), sum.data(), sum.bytes());
  stream.finish();
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], 2 * values[i]) << i;
}

TEST_F(Modules, UseAsMuchSharedMemoryAsTheDeviceHas) {
  GpuKernel reverse = module().kernel("reverse");
  const DeviceBuffer<std::int32_t> values{device, memory, 1024, "values"};
  std::vector<std::int32_t> numbers(1024), found(1024);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Stream stream{device};
  enqueue_copy(stream, values.data(), numbers.data(), values.bytes());
  reverse.allow_shared(info.shared_bytes);
  EXPECT_GE(reverse.blocks_at_once(1024, info.shared_bytes), 1);
  EXPECT_EQ(reverse.blocks_at_once(1024, info.shared_bytes + 1024), 0);
  reverse.launch(stream, {.threads = {1024}, .shared_bytes = info.shared_bytes}, values.data());
  enqueue_copy(stream, found.data(), values.data(), values.bytes());
  stream.finish();
  EXPECT_EQ(found, std::vector<std::int32_t>(numbers.rbegin(), numbers.rend()));
  test::expect_failure<CudaError>([&] { reverse.allow_shared(info.shared_bytes + 1024); },
                                  {"reverse", "shared memory"});
}

TEST_F(Modules, KnowWhatTheirKernelsTake) {
  const LaunchResources use = module().kernel("add<double>").resources();
  EXPECT_GE(use.registers, 4);
  EXPECT_LE(use.registers, 64);
  EXPECT_EQ(use.spilled_bytes, 0);
  EXPECT_EQ(use.shared_bytes, 0);
  EXPECT_EQ(use.most_threads, 1024);
}

TEST_F(Modules, RefuseArgumentsThatAreNotTheKernels) {
  const Stream stream{device};
  const Module loaded = module();
  const GpuKernel reverse = loaded.kernel("reverse");
  int* const none = nullptr;
  test::expect_failure<CudaError>([&] { reverse.launch(stream, {}); }, {"reverse", "8 bytes"});
  test::expect_failure<CudaError>([&] { reverse.launch(stream, {}, 1); }, {"8 bytes", "4"});
  test::expect_failure<CudaError>([&] { reverse.launch(stream, {}, none, 1); }, {"8, 4"});
  test::expect_failure<CudaError>([&] { (void)loaded.kernel("subtract"); },
                                  {"subtract", "add<float>, add<double>, reverse, nothing"});
  loaded.kernel("nothing").launch(stream, {});
  stream.finish();
}

TEST_F(Modules, RefuseShapesThatNoDeviceHas) {
  const Stream stream{device};
  const GpuKernel nothing = module().kernel("nothing");
  test::expect_failure<CudaError>([&] { nothing.launch(stream, {.threads = {2048}}); },
                                  {"launch the kernel nothing", "cudaError"});
  nothing.launch(stream, {.threads = {1024}});
  stream.finish();
}

}  // namespace
}  // namespace synthoscope::cuda
