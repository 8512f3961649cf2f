// SPDX-License-Identifier: MIT
#include "tools/kernel_job.hpp"
#include <gtest/gtest.h>

namespace synthoscope::tools {
namespace {

TEST(KernelJob, PutsSuffixesBeforeTheWholeExtension) {
  const std::pair<const char*, const char*> kNames[] = {
      {"out.tif", "out-a.tif"},
      {"some/out.ome.tif", "some/out-a.ome.tif"},
      {"out.v2.tif", "out.v2-a.tif"},
      {"out", "out-a"},
      {".hidden", ".hidden-a"},
      {"out.h5", "out-a.h5"},
      {"out.h5:/group/image", "out-a.h5:/group/image"},
  };
  for (const auto& [name, expected] : kNames) EXPECT_EQ(with_suffix(name, "a"), expected);
}

}  // namespace
}  // namespace synthoscope::tools
