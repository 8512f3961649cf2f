// SPDX-License-Identifier: MIT
#include "simulator/scene/time_spec.hpp"
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include "core/base/error.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::simulator {
namespace {

struct AloneCase {
  const char* name;
  void (*set)(TimeSpec&);
  friend std::ostream& operator<<(std::ostream& out, const AloneCase& c) { return out << c.name; }
};
const AloneCase kAlone[] = {
    {"diffusion_um2_per_second", [](TimeSpec& t) { t.diffusion_um2_per_second = 1; }},
    {"speed_um_per_second", [](TimeSpec& t) { t.speed_um_per_second = 1; }},
    {"persistence_seconds", [](TimeSpec& t) { t.persistence_seconds = 1; }},
    {"turning_rad2_per_second", [](TimeSpec& t) { t.turning_rad2_per_second = 1; }},
    {"division", [](TimeSpec& t) { t.division = true; }},
    {"cycle_hours", [](TimeSpec& t) { t.cycle_hours = 1; }},
    {"cycle_spread", [](TimeSpec& t) { t.cycle_spread = 0.1; }},
    {"bleaching_seconds", [](TimeSpec& t) { t.bleaching_seconds = 1; }},
    {"drift_um_per_second", [](TimeSpec& t) { t.drift_um_per_second.x_um = 1; }},
    {"focus_drift_um_per_second", [](TimeSpec& t) { t.focus_drift_um_per_second = 1; }},
};
class TimeKeys : public testing::TestWithParam<AloneCase> {};

TEST_P(TimeKeys, SayNothingWithoutAnInterval) {
  TimeSpec time;
  EXPECT_NO_THROW(require_valid(time));
  GetParam().set(time);
  const std::string key = std::string{"time."} + GetParam().name;
  test::expect_failure<InvalidSpec>([&] { require_valid(time); },
                                    {key.c_str(), "give time.interval_seconds"});
  time.interval_seconds = 1;
  EXPECT_NO_THROW(require_valid(time));
}
INSTANTIATE_TEST_SUITE_P(Keys, TimeKeys, testing::ValuesIn(kAlone), test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
