// SPDX-License-Identifier: MIT
// What cuFFT does in our stead gives what our kernels give, and certifies their results.
#include <algorithm>
#include <tuple>
#include "core/base/error.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/certify/by_library.hpp"
#include "fftconv/device/executor.hpp"
#include "fftconv/plan/gpu/layout.hpp"
#include "tests/gpu/device_plan.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/direct_convolution.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/work_case.hpp"

namespace synthoscope::fftconv {
namespace {

class CufftOnDevice : public cuda::GpuTest {
 protected:
  void SetUp() override {
    cuda::GpuTest::SetUp();
    if (!IsSkipped() && !is_here(FftLibrary::cufft)) GTEST_SKIP() << "cuFFT was not found";
  }

  /// The same plan for another library.
  static Plan by(FftLibrary library, Plan plan) {
    plan.cut.fft = library;
    const RunMemory memory = run_memory_of(plan);
    plan.memory = memory.host;
    plan.device_memory = memory.device;
    return plan;
  }

  Volume<double> run(const Plan& plan, const std::vector<Term>& terms) {
    test::TestContext here{4, test::kLarge.host_bytes};
    Volume<double> result{output_extent(plan.problem)};
    MemorySink sink{VoxelView{result.view()}};
    StoreAs store{PixelType::float64};
    make_device_executor(info, test::kDeviceBytes, test::kLarge)
        ->run(plan, terms, store, sink, here.context);
    return result;
  }
};

TEST_F(CufftOnDevice, AddsWeightedTermsUp) {
  test::WorkCase one{test::noise({14, 30, 31}, 1), test::noise({5, 4, 6}, 2)};
  test::WorkCase two{test::noise({14, 30, 31}, 3), test::noise({5, 4, 6}, 4)};
  one.term.weight_z.assign(14, 0.25);
  std::vector<Term> terms{one.term, two.term};
  Problem problem = one.problem;
  problem.terms = 2;
  const Plan plan = test::moved(plan_convolution(problem, test::kLarge, Strategy::in_core), info);
  const auto ours = run(plan, terms), theirs = run(by(FftLibrary::cufft, plan), terms);
  const double peak = *std::max_element(ours.voxels.begin(), ours.voxels.end());
  EXPECT_LE(test::largest_difference(ours, theirs), 2e-6 * peak);
}

TEST_F(CufftOnDevice, SumsPlanesOfThinKernels) {
  const Problem problem = test::problem_of({40, 33, 35}, {3, 5, 5}, {});
  Plan plan = plan_convolution(problem, test::kLarge, Strategy::ring);
  for (const Candidate& c : ring_candidates(plan.work))
    if (c.cut.direct_z) {
      plan.transform = c.transform;
      plan.cut = c.cut;
    }
  ASSERT_TRUE(plan.cut.direct_z);
  plan = test::moved(std::move(plan), info);
  test::WorkCase work{test::noise(problem.image, 5), test::noise(problem.kernel, 6)};
  const auto ours = run(plan, {work.term}), theirs = run(by(FftLibrary::cufft, plan), {work.term});
  const double peak = *std::max_element(ours.voxels.begin(), ours.voxels.end());
  EXPECT_LE(test::largest_difference(ours, theirs), 2e-6 * peak);
}

TEST_F(CufftOnDevice, CertifiesTheDefinitionAndFindsAWrongVoxel) {
  for (const auto& [image, kernel] : {std::pair{Extent3{1, 1, 23}, Extent3{1, 1, 6}},
                                      {Extent3{1, 15, 12}, Extent3{1, 4, 5}},
                                      {Extent3{9, 8, 7}, Extent3{3, 4, 2}},
                                      {Extent3{4, 5, 6}, Extent3{9, 8, 11}}}) {
    test::WorkCase work{test::noise(image, 7, -1, 1), test::noise(kernel, 8, -0.5, 1)};
    work.problem.precision = Precision::float64;
    const auto exact = test::direct_convolution(work.image, work.kernel, work.problem);
    Volume<double> result{exact.extent};
    std::transform(exact.voxels.begin(), exact.voxels.end(), result.voxels.begin(),
                   [](long double v) { return static_cast<double>(v); });
    const auto certificate = [&] {
      test::TestContext machine;
      MemorySource source{ConstVoxelView{std::as_const(result).view()}};
      return certify_by_library({FftLibrary::cufft, CertifyingGpu{info, test::kDeviceBytes}},
                                work.problem, work.term, source, machine.context);
    };
    const Certificate right = certificate();
    EXPECT_TRUE(right.holds()) << right.largest_error << " of " << right.tolerance;
    EXPECT_EQ(right.by, version_of(FftLibrary::cufft));
    result.voxels.back() += 1e-9;
    const Certificate wrong = certificate();
    EXPECT_FALSE(wrong.holds());
    EXPECT_EQ(wrong.worst, (Index3{image.z - 1, image.y - 1, image.x - 1}));
  }
}

TEST_F(CufftOnDevice, CertifiesInTheMemoryOfTheGpuThatIsGiven) {
  test::WorkCase work{test::noise({20, 21, 22}, 7), test::noise({4, 5, 6}, 8)};
  work.problem.precision = Precision::float64;
  const auto exact = test::direct_convolution(work.image, work.kernel, work.problem);
  Volume<double> result{exact.extent};
  std::transform(exact.voxels.begin(), exact.voxels.end(), result.voxels.begin(),
                 [](long double v) { return static_cast<double>(v); });
  const auto holds_with = [&](std::int64_t bytes) {
    const CertifyingGpu gpu{info, bytes};
    require_memory(gpu, work.problem);
    test::TestContext machine;
    MemorySource source{ConstVoxelView{std::as_const(result).view()}};
    return certify_by_library({FftLibrary::cufft, gpu}, work.problem, work.term, source,
                              machine.context)
        .holds();
  };
  // The message names the bytes that are enough, and one less is refused
  const std::int64_t enough =
      test::size_behind("--gpu-memory ", [&] { holds_with(std::int64_t{1} << 10); });
  EXPECT_TRUE(holds_with(enough));
  EXPECT_THROW(holds_with(test::less_than_named(enough)), OutOfDeviceMemory);
}

}  // namespace
}  // namespace synthoscope::fftconv
