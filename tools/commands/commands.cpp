// SPDX-License-Identifier: MIT
#include "tools/commands/commands.hpp"

namespace synthoscope::tools {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  for (const auto make :
       {make_init,         make_studio,         make_keys,          make_simulate, make_convolve,
        make_deconvolve,   make_phantom,        make_psf,           make_measure,  make_detect,
        make_calibrate,    make_filter,         make_resample,      make_variance, make_words_train,
        make_words_assign, make_words_classify, make_words_compare, make_finalize, make_report,
        make_score,        make_compare,        make_fit,           make_info,     make_show,
        make_convert,      make_plan,           make_devices})
    commands.push_back(make());
  return commands;
}

void for_each_command(const std::function<void(const Command&, const OptionTable&)>& show) {
  for (const auto& command : all_commands()) {
    OptionTable table;
    command->describe(table);
    show(*command, table);
  }
}

}  // namespace synthoscope::tools
