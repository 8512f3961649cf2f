// SPDX-License-Identifier: MIT
#include "score/run/label_task.hpp"

namespace synthoscope::score {

LabelTask task_with_truth(const std::filesystem::path& truth, imageio::OpenOptions options,
                          const RunContext& context) {
  LabelTask task;
  if (!is_data_set(truth)) {
    options.labels = true;
    task.truth = truth_frames(truth, options, context);
    return task;
  }
  const simulator::DataSetReader set{truth};
  task.truth = labels_in(set);
  task.first_frame = set.made().first;
  task.image = images_in(set);
  task.snr = read_object_snr(set.objects_csv());
  return task;
}

}  // namespace synthoscope::score
