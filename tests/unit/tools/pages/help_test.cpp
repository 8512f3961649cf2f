// SPDX-License-Identifier: MIT
#include "tools/pages/help.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sstream>
#include "tools/options/rows.hpp"

namespace synthoscope::tools {
namespace {

struct Sample {
  std::filesystem::path image, output;
  double wavelength = 520;
  bool fast = false;

  OptionTable table() {
    OptionTable t;
    t.add_argument(required(path_row("IMAGE", "", image, "stack to look at")));
    t.add_argument(path_row("OTHER", "", image, "another one"));
    t.group("Result");
    t.add(required(lettered('o', path_row("output", "OUT", output, "file to write"))));
    t.group("Light");
    t.add(real_row("wavelength-nm", "NM", wavelength, "nm", "emission"));
    t.add(switch_row("fast", fast, "hurry, on|off"));
    return t;
  }
};

TEST(UsageLine, SpellsOutWhatIsRequired) {
  EXPECT_EQ(usage_line("sample", Sample{}.table()),
            "synthoscope sample IMAGE [OTHER] -o OUT [options]");
}

TEST(HelpText, ShowsEveryOptionWithUnitAndDefault) {
  EXPECT_EQ(help_text("sample", "Does it.", Sample{}.table()),
            "usage: synthoscope sample IMAGE [OTHER] -o OUT [options]\n\nDoes it.\n\n"
            "  IMAGE\n      stack to look at\n  OTHER\n      another one\n\n"
            "Result:\n  -o, --output OUT\n      file to write\n\n"
            "Light:\n  --wavelength-nm NM\n      emission, in nm (default: 520)\n"
            "  --fast\n      hurry, on|off\n");
}

TEST(HelpText, StaysWithinEightyColumns) {
  OptionTable table;
  bool target = false;
  table.add(switch_row("long", target, fmt::format("{:a<40} {:b<40} end", "", "")));
  std::istringstream lines{help_text("sample", "Does it.", table)};
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(HelpMarkdown, KeepsBarsOutOfTheTable) {
  const std::string page = help_markdown("sample", "Does it.", Sample{}.table());
  EXPECT_NE(page.find("| `--wavelength-nm NM` | 520 | nm | emission |\n"), std::string::npos);
  EXPECT_NE(page.find("| `--fast` |  |  | hurry, on\\|off |\n"), std::string::npos);
}

}  // namespace
}  // namespace synthoscope::tools
