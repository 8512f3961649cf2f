// SPDX-License-Identifier: MIT
#include "simulator/report/report.hpp"
#include <gtest/gtest.h>
#include "fftconv/host/executor.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

TEST(Report, CountsThePageThatItHolds) {
  const test::TemporaryFolder folder;
  const auto set = folder / "set";
  {
    test::TestContext run;
    const auto executor = fftconv::make_host_executor({run.memory.limit()});
    const auto scene = parse_scene(
        "seed = 5\n[grid]\nsize = [4, 10, 64]\n[nuclei]\ncount = 1\nradius_um = 0.3\n"
        "[optics]\nsize = [3, 9, 9]\n",
        "tiny");
    simulate(scene, {.directory = set, .plans = {}}, *executor, run.context);
  }
  test::TestContext run;
  {
    const auto report = report_on(DataSetReader{set}, 0, run.context);
    EXPECT_GT(report.html.size(), 20000u);
    EXPECT_EQ(run.memory.used(), std::ssize(report.html));
  }
  EXPECT_EQ(run.memory.used(), 0);
}

}  // namespace
}  // namespace synthoscope::simulator
