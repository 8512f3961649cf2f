// SPDX-License-Identifier: MIT
#include "core/system/system_failure.hpp"
#include <gtest/gtest.h>
#include <cerrno>
#include "core/system/thread_limit.hpp"

namespace synthoscope {
namespace {

struct RemedyCase {
  int errno_value;
  bool is_full;
  const char* remedy;  ///< part of the advice; "otherwise" where the caller knows better
};

class Remedies : public testing::TestWithParam<RemedyCase> {};

TEST_P(Remedies, FollowFromTheCause) {
  const RemedyCase& c = GetParam();
  EXPECT_EQ(is_full(c.errno_value), c.is_full);
  EXPECT_NE(remedy_of(c.errno_value, "otherwise").find(c.remedy), std::string::npos);
  EXPECT_FALSE(cause_of(c.errno_value).empty());
}

INSTANTIATE_TEST_SUITE_P(
    OfErrors, Remedies,
    testing::Values(
        RemedyCase{0, true, "free some space"}, RemedyCase{ENOSPC, true, "free some space"},
        RemedyCase{EDQUOT, true, "free some space"}, RemedyCase{EFBIG, false, "ulimit -f"},
        RemedyCase{EMFILE, false, "ulimit -n"}, RemedyCase{ENFILE, false, "open files"},
        RemedyCase{EAGAIN, false, "ulimit -u"}, RemedyCase{EROFS, false, "can be written"},
        RemedyCase{ENAMETOOLONG, false, "shorter"}, RemedyCase{EIO, false, "check the disk"},
        RemedyCase{EPERM, false, "otherwise"}, RemedyCase{EACCES, false, "otherwise"},
        RemedyCase{ENOENT, false, "otherwise"}));

TEST(ThreadLimit, AllowsWhatTheSystemAllows) {
  require_threads(1);
  require_threads(8);
  require_threads(3);
}

}  // namespace
}  // namespace synthoscope
