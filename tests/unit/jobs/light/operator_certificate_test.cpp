// SPDX-License-Identifier: MIT
// Certificates of true convolutions hold; those of wrong ones say what is wrong.
#include "jobs/light/operator_certificate.hpp"
#include <gtest/gtest.h>
#include "core/base/json.hpp"
#include "fftconv/host/executor.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"

namespace synthoscope::jobs {
namespace {

using deconvolution::Geometry;

/// Does what another one does, but adds something to a voxel of each convolution that is `wrong`.
class WrongExecutor final : public fftconv::Executor {
 public:
  enum class Wrong { nothing, blur, back };
  explicit WrongExecutor(Wrong wrong) : wrong_{wrong} {}
  [[nodiscard]] fftconv::Machine machine() const override { return right_->machine(); }
  fftconv::RunReport run(const fftconv::Plan& plan, std::span<const fftconv::Term> terms,
                         Epilogue& epilogue, Sink& sink, const RunContext& context) override {
    auto report = right_->run(plan, terms, epilogue, sink, context);
    if (wrong_ != (plan.problem.correlate ? Wrong::back : Wrong::blur)) return report;
    const Extent3 e = sink.extent();
    const float large = 1e6F;
    sink.write({{e.z / 2, e.y / 2, e.x / 2}, {1, 1, 1}}, HostView3<const float>{&large, {1, 1, 1}});
    return report;
  }

 private:
  std::unique_ptr<fftconv::Executor> right_ =
      fftconv::make_host_executor(synthoscope::test::machine_with(std::int64_t{1} << 30));
  Wrong wrong_;
};

/// What the iterations of a geometry would be certified with.
class OperatorCertificates : public testing::Test {
 protected:
  using Wrong = WrongExecutor::Wrong;

  /// @param back  geometry of the second convolution
  OperatorCertificate certified(const Geometry& geometry, const Geometry& back,
                                Wrong wrong = Wrong::nothing, bool has_other_kernel = false) {
    const auto weights = deconvolution::test::weights(geometry.kernel, 1);
    const auto light = deconvolution::test::in_single(
        deconvolution::test::points_of_light(estimate_extent(geometry), 2));
    const auto image =
        deconvolution::test::in_single(deconvolution::test::points_of_light(geometry.field, 3));
    MemorySource kernel{ConstVoxelView{weights.view()}}, estimate{ConstVoxelView{light.view()}},
        recorded{ConstVoxelView{image.view()}};
    WrongExecutor executor{wrong};
    IterationPlan plan;
    plan.steps = {plan_convolution(blur_problem(geometry), executor.machine()),
                  plan_convolution(adjoint_problem(back), executor.machine())};
    LightModel model{{geometry, {&kernel, 0, 1}, 0},
                     recorded,
                     plan,
                     {executor, 0, {test_.memory, std::nullopt}}};
    if (has_other_kernel) model.model.back = model.model.kernel;
    return certify_iterations({.voxels = 200, .seed = 1}, model, estimate, test_.context);
  }

  synthoscope::test::TestContext test_;
};

TEST_F(OperatorCertificates, HoldForAllGeometries) {
  for (const Geometry& geometry : deconvolution::test::kGeometries) {
    const auto found = certified(geometry, geometry);
    EXPECT_EQ(found.failure(), "");
    ASSERT_EQ(found.convolutions.size(), 2U);
    EXPECT_EQ(found.convolutions[0].first, "blur");
    ASSERT_TRUE(found.adjointness);
    EXPECT_GT(found.adjointness->allowed, 0);
    // Half of them lie anywhere; of a small field, few are among the brightest 1 %
    const std::int64_t asked = std::min<std::int64_t>(200, volume(geometry.field));
    EXPECT_GE(found.convolutions[0].second.voxels, asked / 2);
  }
}

TEST_F(OperatorCertificates, FindAWrongVoxel) {
  const Geometry& geometry = deconvolution::test::kGeometries[3];
  EXPECT_TRUE(certified(geometry, geometry, Wrong::blur).failure().starts_with("blur: "));
  EXPECT_TRUE(certified(geometry, geometry, Wrong::back).failure().starts_with("back: "));
}

TEST_F(OperatorCertificates, FindAConvolutionThatIsNotTheAdjoint) {
  Geometry geometry = deconvolution::test::kGeometries[2];
  geometry.edge = deconvolution::Edge::wrap;
  Geometry shifted = geometry;  // a convolution that is computed rightly, one voxel away
  shifted.center.x += 1;
  EXPECT_EQ(certified(geometry, geometry).failure(), "");
  EXPECT_TRUE(certified(geometry, shifted).failure().starts_with("<H u, y> is "));
}

TEST_F(OperatorCertificates, PromiseNoAdjointOfAnotherBackProjector) {
  const Geometry& geometry = deconvolution::test::kGeometries[2];
  const auto found = certified(geometry, geometry, Wrong::nothing, true);
  EXPECT_FALSE(found.adjointness);
  EXPECT_FALSE(parse_json(found.json()).contains("adjointness"));
  EXPECT_GE(parse_json(found.json()).at("back").at("voxels"), 100);
}

}  // namespace
}  // namespace synthoscope::jobs
