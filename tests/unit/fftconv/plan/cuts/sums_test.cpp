// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/sums.hpp"
#include <gtest/gtest.h>
#include "fftconv/plan.hpp"
#include "fftconv/plan/gpu/sums.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/plan_case.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr Machine kAmple{std::int64_t{8} << 30};

/// Weights along three axes, multiplied.
Volume<double> product_kernel(const Extent3& extent) {
  const auto z = test::noise({1, 1, extent.z}, 1, -0.5, 1),
             y = test::noise({1, 1, extent.y}, 2, -0.5, 1),
             x = test::noise({1, 1, extent.x}, 3, -0.5, 1);
  Volume<double> kernel{extent};
  for (std::int64_t k = 0; k < extent.z; ++k)
    for (std::int64_t j = 0; j < extent.y; ++j)
      for (std::int64_t i = 0; i < extent.x; ++i)
        kernel.view()(k, j, i) = z.voxels[static_cast<std::size_t>(k)] *
                                 y.voxels[static_cast<std::size_t>(j)] *
                                 x.voxels[static_cast<std::size_t>(i)];
  return kernel;
}

Problem summable(const Extent3& image, const Extent3& kernel, const test::Manner& manner = {}) {
  Problem p = test::problem_of(image, kernel, manner);
  p.may_sum = true;
  p.is_product = true;
  return p;
}

class ProductKernel : public testing::TestWithParam<test::SizeCase> {};

TEST_P(ProductKernel, GivesTheSameByPassesBySumsAndByTransforms) {
  const auto& [name, extent, kernel_extent] = GetParam();
  const auto image = test::whole_numbers(extent, 5, 256);
  const auto kernel = product_kernel(kernel_extent);
  for (const Shape shape : {Shape::same, Shape::full, Shape::valid})
    for (const Boundary boundary :
         {Boundary::zero, Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap})
      for (const bool correlate : {false, true}) {
        if (!test::is_defined(extent, kernel_extent, shape)) continue;
        if (shape == Shape::full && boundary != Boundary::zero) continue;
        SCOPED_TRACE(testing::Message() << name_of(shape) << " " << name_of(boundary));
        const Problem p =
            summable(extent, kernel_extent, {boundary, shape, correlate, false, PixelType::uint8});
        const auto run = [&](Strategy strategy) {
          const Plan plan = plan_convolution(p, kAmple, strategy);
          const auto ran = test::run_plan(plan, image, kernel, 1, PixelType::uint8);
          EXPECT_LE(ran.report.peak_memory_bytes, plan.memory_bytes()) << explain(plan);
          return ran.result;
        };
        const auto expected = run(Strategy::in_core);
        const auto peak = static_cast<double>(test::peak_of_absolutes(image, kernel, p));
        EXPECT_LE(test::largest_difference(run(Strategy::direct), expected), 2e-6 * peak);
        EXPECT_LE(test::largest_difference(run(Strategy::separable), expected), 2e-6 * peak);
      }
}

INSTANTIATE_TEST_SUITE_P(Table, ProductKernel, testing::ValuesIn(test::kAwkwardSizes),
                         test::kCaseName);

TEST(Sums, GiveTheSameBitsHoweverTheyAreCut) {
  const Extent3 extent{40, 50, 60}, kernel_extent{5, 6, 7};
  const auto image = test::noise(extent, 8);
  const auto kernel = product_kernel(kernel_extent);
  for (const Boundary boundary : {Boundary::zero, Boundary::reflect, Boundary::wrap})
    for (const Strategy strategy : {Strategy::direct, Strategy::separable})
      for (const BoxOrder order : {BoxOrder::any, BoxOrder::planes_in_order}) {
        Problem p = summable(extent, kernel_extent, {boundary});
        p.order = order;
        const Plan ample = plan_convolution(p, kAmple, strategy);
        const Plan tight = plan_convolution(p, {ample.memory_bytes() / 2}, strategy);
        EXPECT_EQ(ample.cut.result, extent);
        EXPECT_LT(volume(tight.cut.result), volume(extent));
        EXPECT_LE(tight.memory_bytes(), ample.memory_bytes() / 2);
        EXPECT_EQ(test::run_plan(ample, image, kernel).result.voxels,
                  test::run_plan(tight, image, kernel, 3).result.voxels)
            << name_of(boundary) << " " << name_of(strategy);
      }
}

TEST(Sums, AreTakenInDoublePrecisionWhereItIsAskedFor) {
  const auto image = test::noise({6, 30, 20}, 9);
  const auto kernel = test::noise({3, 4, 5}, 10, -1, 1);
  Problem p = summable({6, 30, 20}, {3, 4, 5});
  p.is_product = false;
  p.precision = Precision::float64;
  const auto direct = test::run_plan(plan_convolution(p, kAmple, Strategy::direct), image, kernel);
  const auto whole = test::run_plan(plan_convolution(p, kAmple, Strategy::in_core), image, kernel);
  EXPECT_LE(test::largest_difference(direct.result, whole.result), 1e-14 * 60);
}

TEST(Sums, OfSmallKernelsAreWhatThePlannerChooses) {
  const auto choice = [](const Extent3& image, std::int64_t side, bool is_product) {
    Problem p = summable(image, {image.z == 1 ? 1 : side, side, side});
    p.is_product = is_product;
    return plan_convolution(p, kAmple).strategy;
  };
  EXPECT_EQ(choice({1, 4096, 4096}, 3, false), Strategy::direct);
  EXPECT_EQ(choice({256, 256, 256}, 3, false), Strategy::direct);
  EXPECT_EQ(choice({1, 4096, 4096}, 41, false), Strategy::in_core);
  EXPECT_EQ(choice({256, 256, 256}, 21, false), Strategy::in_core);
  EXPECT_EQ(choice({256, 256, 256}, 5, true), Strategy::separable);
}

TEST(Sums, AreNotThoughtOfWhereTheRequestDoesNotAllowThem) {
  Problem p = summable({64, 64, 64}, {3, 3, 3});
  p.may_sum = false;
  for (const Candidate& c : plan_convolution(p, kAmple).candidates)
    EXPECT_FALSE(is_by_sums(c.strategy));
}

TEST(Sums, ThatAreNotPossibleAreRefusedInASentence) {
  const auto refusal = [](auto&& change, Strategy strategy,
                          std::initializer_list<const char*> words,
                          const Machine& machine = kAmple) {
    Problem p = summable({64, 64, 64}, {3, 3, 3});
    change(p);
    test::expect_failure<PlanError>(
        [&] { static_cast<void>(plan_convolution(p, machine, strategy)); }, words);
  };
  refusal([](Problem& p) { p.may_sum = false; }, Strategy::direct, {"scene", "--strategy auto"});
  refusal([](Problem& p) { p.kernel = {64, 65, 66}; }, Strategy::direct, {"262144 voxels"});
  refusal([](Problem& p) { p.is_product = false; }, Strategy::separable, {"not a product"});
  refusal([](Problem& p) { p.precision = Precision::float64; }, Strategy::separable,
          {"single precision"});
  test::expect_failure<MemoryTooSmall>(
      [&] {
        static_cast<void>(
            plan_convolution(summable({64, 64, 64}, {3, 3, 3}), {1000}, Strategy::direct));
      },
      {"needs", "--memory"});
  Machine gpu = test::machine_with_gpu(test::kGiB, test::kGiB, 1);
  gpu.gpu_only = true;
  refusal([](Problem& p) { p.precision = Precision::float64; }, Strategy::direct,
          {"single precision", "--gpus none"}, gpu);
}

/// Of a build with device code.
bool sums_on_gpus() {
  return device::why_no_gpu_sums(summable({8, 8, 8}, {3, 3, 3}), Strategy::direct).empty();
}

TEST(SumsOnAGpu, AreChosenUpToTheKernelsThatDocsNameWhereAGpuIsDemanded) {
  if (!sums_on_gpus()) GTEST_SKIP() << "built without CUDA";
  const auto choice = [](const Extent3& image, std::int64_t side, bool is_product) {
    Problem p = summable(image, {image.z == 1 ? 1 : side, side, side});
    p.is_product = is_product;
    Machine machine = test::machine_with_gpu(64 * test::kGiB, 64 * test::kGiB, 1);
    machine.gpu_only = true;
    const Plan plan = plan_convolution(p, machine);
    EXPECT_EQ(plan.where, Place::gpu);
    return plan.strategy;
  };
  EXPECT_EQ(choice({1, 8192, 8192}, 9, true), Strategy::separable);
  EXPECT_EQ(choice({1, 8192, 8192}, 45, true), Strategy::separable);
  EXPECT_NE(choice({1, 8192, 8192}, 181, true), Strategy::separable);
  EXPECT_EQ(choice({1, 8192, 8192}, 9, false), Strategy::direct);
  EXPECT_FALSE(is_by_sums(choice({1, 8192, 8192}, 91, false)));
  EXPECT_TRUE(is_by_sums(choice({512, 512, 512}, 3, true)));
  EXPECT_EQ(choice({512, 512, 512}, 3, false), Strategy::direct);
  EXPECT_FALSE(is_by_sums(choice({512, 512, 512}, 21, false)));
}

TEST(SumsOnAGpu, KeepBothPromisesOfMemory) {
  if (!sums_on_gpus()) GTEST_SKIP() << "built without CUDA";
  for (const Strategy strategy : {Strategy::direct, Strategy::separable})
    for (const std::int64_t device : {4, 64, 4096})
      for (const std::int64_t host : {4, 64, 4096}) {
        Machine machine = test::machine_with_gpu(device * test::kMiB, host * test::kMiB, 1);
        machine.gpu_only = true;
        const Plan plan = plan_convolution(summable({64, 256, 256}, {3, 5, 7}), machine, strategy);
        EXPECT_EQ(plan.where, Place::gpu);
        EXPECT_LE(plan.device_bytes(), device * test::kMiB) << name_of(strategy);
        EXPECT_LE(plan.memory_bytes(), host * test::kMiB) << name_of(strategy);
      }
}

TEST(SumsOnAGpu, AreLeftToTheHostWhereItIsDoneBeforeCudaHasStarted) {
  const Plan plan = plan_convolution(summable({8, 128, 128}, {3, 3, 3}),
                                     test::machine_with_gpu(test::kGiB, test::kGiB, 1));
  EXPECT_EQ(plan.where, Place::host);
  EXPECT_TRUE(is_by_sums(plan.strategy));
}

TEST(SumsOnAGpu, ArePlansThatAFileKeepsAndThatSayWhereTheyRun) {
  if (!sums_on_gpus()) GTEST_SKIP() << "built without CUDA";
  Machine machine = test::machine_with_gpu(test::kGiB, test::kGiB, 1);
  machine.gpu_only = true;
  for (const Strategy strategy : {Strategy::direct, Strategy::separable}) {
    const Plan plan = plan_convolution(summable({30, 40, 50}, {3, 5, 7}), machine, strategy);
    EXPECT_EQ(plan_from_json(to_json(plan)), plan);
    for (const auto& change :
         {+[](Plan& p) { p.cut.result.z = 31; },
          +[](Plan& p) { p.device_memory.back().bytes -= 1; },
          +[](Plan& p) { p.where = Place::host; }, +[](Plan& p) { p.machine.gpu.reset(); }}) {
      Plan broken = plan;
      change(broken);
      EXPECT_THROW(static_cast<void>(plan_from_json(to_json(broken))), InvalidInput);
    }
    const std::string text = explain(plan);
    EXPECT_NE(text.find(" on the GPU (a GPU), no transform"), std::string::npos) << text;
    EXPECT_NE(text.find("memory of the GPU"), std::string::npos) << text;
  }
}

TEST(Sums, ArePlansThatAFileKeeps) {
  for (const Strategy strategy : {Strategy::direct, Strategy::separable}) {
    const Plan plan = plan_convolution(summable({30, 40, 50}, {3, 5, 7}), kAmple, strategy);
    EXPECT_EQ(plan_from_json(to_json(plan)), plan);
    for (const auto& change : {+[](Plan& p) { p.cut.result.z = 31; },
                               +[](Plan& p) {
                                 p.transform = {2, 1, 1};
                               },
                               +[](Plan& p) { p.problem.may_sum = p.work.may_sum = false; },
                               +[](Plan& p) { p.memory.front().bytes -= 1; }}) {
      Plan broken = plan;
      change(broken);
      EXPECT_THROW(static_cast<void>(plan_from_json(to_json(broken))), InvalidInput);
    }
    EXPECT_NE(explain(plan).find("no transform"), std::string::npos);
  }
}

TEST(Sums, FindProductsInKernelsAsTheyAreUsed) {
  const StopFlag stop;
  auto raised = product_kernel({3, 4, 5});
  for (double& voxel : raised.voxels) voxel = 2 * voxel + 7;
  MemorySource source{std::as_const(raised).view()};
  EXPECT_FALSE(is_product({&source}, stop));
  EXPECT_TRUE(is_product({&source, 7, 0.5}, stop));
}

}  // namespace
}  // namespace synthoscope::fftconv
