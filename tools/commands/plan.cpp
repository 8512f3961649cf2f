// SPDX-License-Identifier: MIT
// Shows what another command would do, without doing it: that command with --dry-run.
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "tools/commands/commands.hpp"

namespace synthoscope::tools {
namespace {

class Plan final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "plan"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Shows how convolve or simulate would work, without doing it. The same as that command "
           "with --dry-run; it accepts all options of that command.";
  }
  void describe(OptionTable& table) override {
    table.add_argument(
        {"convolve|simulate", "", "", "", "the command, followed by its arguments", {}, 0, true});
  }
  void execute(std::span<const std::string> words, const Invocation& invocation) override {
    const auto command = planned(words.empty() ? "" : words.front());
    std::vector<std::string> handed{words.begin() + 1, words.end()};
    handed.emplace_back("--dry-run");
    command->execute(handed, invocation);
  }

 private:
  static std::unique_ptr<Command> planned(const std::string& word) {
    if (word == "convolve") return make_convolve();
    if (word == "simulate") return make_simulate();
    throw InvalidSpec(fmt::format(
        "plan: '{}' cannot be planned this way; write synthoscope plan convolve IMAGE KERNEL, or "
        "synthoscope plan simulate SCENE.toml; filter, resample and variance have --dry-run",
        word));
  }
  void run(const Invocation&) override {}
  void name_files(imageio::RunFiles&) const override {}
};

}  // namespace

std::unique_ptr<Command> make_plan() {
  return std::make_unique<Plan>();
}

}  // namespace synthoscope::tools
