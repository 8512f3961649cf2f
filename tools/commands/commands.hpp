// SPDX-License-Identifier: MIT
// tools/commands/commands.hpp — every command there is, one function per file.
#pragma once
#include <functional>
#include <memory>
#include <vector>
#include "tools/options/command.hpp"

namespace synthoscope::tools {

std::unique_ptr<Command> make_init();
std::unique_ptr<Command> make_keys();
std::unique_ptr<Command> make_simulate();
std::unique_ptr<Command> make_convolve();
std::unique_ptr<Command> make_deconvolve();
std::unique_ptr<Command> make_phantom();
std::unique_ptr<Command> make_psf();
std::unique_ptr<Command> make_measure();
std::unique_ptr<Command> make_detect();
std::unique_ptr<Command> make_calibrate();
std::unique_ptr<Command> make_filter();
std::unique_ptr<Command> make_variance();
std::unique_ptr<Command> make_resample();
std::unique_ptr<Command> make_words_train();
std::unique_ptr<Command> make_words_assign();
std::unique_ptr<Command> make_words_classify();
std::unique_ptr<Command> make_words_compare();
std::unique_ptr<Command> make_finalize();
std::unique_ptr<Command> make_report();
std::unique_ptr<Command> make_info();
std::unique_ptr<Command> make_plan();
std::unique_ptr<Command> make_devices();
std::unique_ptr<Command> make_convert();
std::unique_ptr<Command> make_show();
std::unique_ptr<Command> make_score();
std::unique_ptr<Command> make_compare();
std::unique_ptr<Command> make_fit();
std::unique_ptr<Command> make_studio();

/// All of them, in the order of the help.
std::vector<std::unique_ptr<Command>> all_commands();

/// Shows every command with its options, in the order of the help.
void for_each_command(const std::function<void(const Command&, const OptionTable&)>& show);

}  // namespace synthoscope::tools
