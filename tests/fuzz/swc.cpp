// SPDX-License-Identifier: MIT
// tests/fuzz/swc.cpp — traced neurons.
#include "simulator/phantom/neurons/swc.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/support/temporary_folder.hpp"

void synthoscope::fuzz::read(std::string_view bytes) {
  static const test::TemporaryFolder folder;
  static_cast<void>(simulator::read_swc(folder.write("neuron.swc", bytes)));
}
