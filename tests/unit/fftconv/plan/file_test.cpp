// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <string>
#include "core/base/error.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/gpu/run_memory.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::fftconv {
namespace {

Plan plan_of(const Extent3& image, const Extent3& kernel, void (*change)(Problem&) = nullptr,
             std::int64_t host_bytes = std::int64_t{1} << 40) {
  Problem p;
  p.image = image;
  p.kernel = kernel;
  p.center = {(kernel.z - 1) / 2, (kernel.y - 1) / 2, (kernel.x - 1) / 2};
  if (change) change(p);
  return plan_convolution(p, {host_bytes});
}

/// In four parts on a GPU.
Plan parts_on_gpu(bool device_folds) {
  Problem p;
  p.image = p.kernel = {20, 30, 40};
  p.center = {10, 15, 20};
  Plan plan = plan_convolution(p, {std::int64_t{1} << 40}, Strategy::parts, 4);
  plan.where = Place::gpu;
  plan.machine.gpu = Gpu{"NVIDIA H200", 90, {227 << 10, 1024, 65536, true}, std::int64_t{1} << 36};
  plan.machine.gpu->start_is_paid = device_folds;
  plan.cut.fold_on_device = device_folds;
  plan.cut.parts_on_disk = false;
  plan.cut.batch_planes = 5;
  const RunMemory memory = run_memory_of(plan);
  plan.memory = memory.host;
  plan.device_memory = memory.device;
  return plan;
}

struct RoundTripCase {
  const char* name;
  Plan plan;
};

const RoundTripCase kRoundTripCases[] = {
    {"cube", plan_of({20, 30, 40}, {3, 4, 5})},
    {"one_voxel", plan_of({1, 1, 1}, {1, 1, 1})},
    {"flat", plan_of({1, 100, 90}, {1, 7, 8})},
    {"double_full_correlation", plan_of({20, 30, 40}, {3, 4, 5},
                                        [](Problem& p) {
                                          p.precision = Precision::float64;
                                          p.shape = Shape::full;
                                          p.correlate = true;
                                        })},
    {"reflect_without_mean", plan_of({20, 30, 40}, {3, 4, 5},
                                     [](Problem& p) {
                                       p.boundary = Boundary::reflect;
                                       p.remove_mean = true;
                                     })},
    {"zero_without_mean",
     plan_of({20, 30, 40}, {3, 4, 5}, [](Problem& p) { p.remove_mean = true; })},
    {"a_plane_of_the_result", plan_of({20, 30, 40}, {3, 4, 5},
                                      [](Problem& p) {
                                        p.part = {{9, 0, 0}, {1, 0, 0}};
                                      })},
    {"three_terms", plan_of({20, 30, 40}, {3, 4, 5}, [](Problem& p) { p.terms = 3; })},
    {"parts_folded_by_a_gpu", parts_on_gpu(true)},
    {"parts_folded_for_a_gpu", parts_on_gpu(false)},
    {"a_trillion_voxels",
     plan_of({10000, 10000, 10000}, {99, 99, 99}, nullptr, std::int64_t{1} << 60)},
};

class RoundTrip : public testing::TestWithParam<RoundTripCase> {};

TEST_P(RoundTrip, GivesAnEqualPlanBack) {
  const auto text = to_json(GetParam().plan);
  const auto again = plan_from_json(text);
  EXPECT_TRUE(again == GetParam().plan) << text;
  EXPECT_EQ(to_json(again), text);
}

INSTANTIATE_TEST_SUITE_P(Table, RoundTrip, testing::ValuesIn(kRoundTripCases), test::kCaseName);

/// The JSON of a plan for 20x30x40 with 3x4x5, with one piece of it replaced.
std::string edited(const std::string& from, const std::string& to) {
  std::string text = to_json(plan_of({20, 30, 40}, {3, 4, 5}));
  const auto at = text.find(from);
  if (at == std::string::npos) return "the case does not occur: " + from;
  return text.replace(at, from.size(), to);
}

std::string transform_text() {
  const auto t = plan_of({20, 30, 40}, {3, 4, 5}).transform;
  return fmt::format("\"transform\":[{},{},{}]", t.z, t.y, t.x);
}

struct BrokenCase {
  const char* name;
  std::string text;
  const char* part;  ///< of the message
};

const BrokenCase kBrokenCases[] = {
    {"empty", "", "it is not a plan of this program"},
    {"no_json", "a plan", "it is not a plan of this program"},
    {"cut_short", edited("\"candidates\"", "").substr(0, 200), "it is not a plan of this program"},
    {"a_number", "7", "it is not a plan of this program"},
    {"an_empty_object", "{}", "key 'format' not found"},
    {"newer_format", edited("\"format\":6", "\"format\":7"),
     "it has format 7, this version reads 6; make a new plan"},
    {"no_transform", edited("\"transform\"", "\"transfrom\""), "key 'transform' not found"},
    {"unknown_strategy", edited("\"in-core\"", "\"guess\""),
     "its strategy 'guess' is unknown to this version; make a new plan"},
    {"unknown_boundary", edited("\"zero\"", "\"constant\""), "its boundary 'constant' is unknown"},
    {"unknown_shape", edited("\"same\"", "\"big\""), "its shape 'big' is unknown"},
    {"unknown_precision", edited("\"single\"", "\"half\""), "its precision 'half' is unknown"},
    {"words_for_numbers", edited("\"image\":[20,30,40]", "\"image\":[20,30,\"x\"]"),
     "\"x\" is not a whole number"},
    {"fractions", edited("\"image\":[20,30,40]", "\"image\":[20,30.5,40]"),
     "30.5 is not a whole number"},
    {"too_few_axes", edited("\"image\":[20,30,40]", "\"image\":[20,30]"),
     "[20,30] is not a triple of z, y, x"},
    {"too_many_axes", edited("\"image\":[20,30,40]", "\"image\":[20,30,40,3]"),
     "[20,30,40,3] is not a triple of z, y, x"},
    {"negative_image", edited("\"image\":[20,30,40]", "\"image\":[20,-30,40]"),
     "must have at least one voxel on every axis"},
    {"overflowing_image", edited("\"image\":[20,30,40]", "\"image\":[9000000000000000000,30,40]"),
     "its bytes cannot be counted in 63 bits"},
    {"centre_outside", edited("\"center\":[1,1,2]", "\"center\":[1,1,5]"),
     "the kernel's centre is at x = 5"},
    {"folded_without_parts", edited("\"fold_on_device\":false", "\"fold_on_device\":true"),
     "does not suit its problem"},
    {"another_strategy", edited("\"in-core\"", "\"ring\""),
     "its strategy ring does not follow from its cut"},
    {"a_gpu_that_is_not_named",
     edited("\"format\":6,\"where\":\"host\"", "\"format\":6,\"where\":\"GPU\""),
     "it runs on a GPU, but does not name it"},
    {"an_unknown_place", edited("\"where\":\"host\"", "\"where\":\"cloud\""),
     "its where 'cloud' is unknown to this version"},
    {"batches_on_the_host", edited("\"batch_planes\":0", "\"batch_planes\":3"),
     "nothing is transferred to or from the host"},
    {"cut_larger_than_the_result", edited("\"result\":[20,30,40]", "\"result\":[21,30,40]"),
     "does not suit its problem"},
    {"cut_of_nothing", edited("\"result\":[20,30,40]", "\"result\":[0,30,40]"),
     "does not suit its problem"},
    {"a_ring_called_in_core", edited("\"result\":[20,30,40]", "\"result\":[10,30,40]"),
     "its strategy in-core does not follow from its cut"},
    {"work_of_another_problem", edited("\"image\":[20,30,40]", "\"image\":[20,30,41]"),
     "its work does not follow from its problem"},
    {"short_transform", edited(transform_text(), "\"transform\":[2,2,2]"),
     "its transform of 2x2x2 does not suit its problem"},
    {"negative_transform", edited(transform_text(), "\"transform\":[-24,32,48]"),
     "its transform of -24x32x48 does not suit its problem"},
    {"prime_transform", edited(transform_text(), "\"transform\":[23,32,48]"),
     "its transform of 23x32x48 does not suit its problem"},
    {"odd_transform", edited(transform_text(), "\"transform\":[24,32,49]"),
     "its transform of 24x32x49 does not suit its problem"},
    {"vast_transform", edited(transform_text(), "\"transform\":[24,32,1073741824]"),
     "its transform of 24x32x1073741824 does not suit its problem"},
    {"other_memory", edited("\"bytes\":", "\"bytes\":1"),
     "its memory does not follow from its transform"},
};

class BrokenPlan : public testing::TestWithParam<BrokenCase> {};

TEST_P(BrokenPlan, IsRefusedWithAReason) {
  try {
    (void)plan_from_json(GetParam().text);
    FAIL() << "it was read: " << GetParam().text;
  } catch (const InvalidInput& failure) {
    const std::string message = failure.what();
    EXPECT_EQ(message.find("read the plan: "), 0u) << message;
    EXPECT_NE(message.find(GetParam().part), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, BrokenPlan, testing::ValuesIn(kBrokenCases), test::kCaseName);

}  // namespace
}  // namespace synthoscope::fftconv
