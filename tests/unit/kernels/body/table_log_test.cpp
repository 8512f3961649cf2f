// SPDX-License-Identifier: MIT
#include "kernels/body/table_log.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace synthoscope::kernels {
namespace {

void expect_log(double x) {
  const long double exact = std::log(static_cast<long double>(x));
  const auto error = static_cast<double>(std::abs(table_log(x) - exact));
  EXPECT_LE(error, 5e-16 * (1 + std::abs(static_cast<double>(exact)))) << x;
}

TEST(TableLog, AgreesWithLongDouble) {
  for (double x = 1e-300; x < 1e300; x *= 1.00731) expect_log(x);
  EXPECT_TRUE(std::isfinite(table_log(0)));
}

TEST(TableLog, AgreesWhereLogarithmsVanishAndWherePartsOfTheTableMeet) {
  for (double x = 0.49; x < 2.01; x += 1.9e-5) expect_log(x);
  for (int part = 0; part <= LogTable::kParts; ++part)
    for (const double power : {0.5, 1.0, 2.0, 0x1p900}) {
      const double edge = power * (1 + static_cast<double>(part) / LogTable::kParts);
      expect_log(edge);
      expect_log(std::nextafter(edge, 0));
    }
}

}  // namespace
}  // namespace synthoscope::kernels
