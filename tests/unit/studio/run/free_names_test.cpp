// SPDX-License-Identifier: MIT
#include "studio/run/free_names.hpp"
#include <gtest/gtest.h>
#include <string>
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::studio {
namespace {

struct NextName {
  std::string name, next;
};

TEST(FreeNames, ANextNameIsTheFirstThatIsFree) {
  const test::TemporaryFolder folder;
  for (const char* taken : {"cells_2", "cells_3", "a_2.toml"})
    static_cast<void>(folder.write(taken, "taken"));
  for (const auto& [name, next] : {NextName{"cells", "cells_4"},
                                   {"cells_2", "cells_4"},
                                   {"cells_9", "cells_10"},
                                   {"a.toml", "a_3.toml"},
                                   {"a_7.toml", "a_8.toml"},
                                   {"_5", "_5_2"},
                                   {"24", "24_2"},
                                   {"bbbc024", "bbbc024_2"},
                                   {"a_20261130", "a_20261130_2"}})
    EXPECT_EQ(next_free_name(folder.path(), name), next) << name;
}

}  // namespace
}  // namespace synthoscope::studio
