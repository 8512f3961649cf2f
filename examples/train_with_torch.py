# SPDX-License-Identifier: MIT
"""Trains a small network on images that are simulated during training: none is stored.

    python examples/train_with_torch.py            # two processes that simulate
    python examples/train_with_torch.py 4 200      # four processes, 200 images

It needs PyTorch and synthoscope.
"""
import sys
import time

import numpy as np
import synthoscope
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

SCENE = {
    "seed": 1,
    "grid": {"size": [1, 128, 128], "pitch_nm": [500, 160, 160]},
    "nuclei": {"count": 8, "radius_um": 1.6, "border": "cut", "orientation": "flat"},
    "optics": {"na": 0.95, "immersion_index": 1.0, "model": "gaussian"},
    "camera": {"kind": "scmos"},
}


class FramesDataset(IterableDataset):
    """Each of n processes makes every n-th frame. Frames follow from their index alone, so that
    the images of an epoch are the same however many processes make them."""

    def __init__(self, frames):
        super().__init__()
        self.frames = frames

    def __len__(self):
        return len(self.frames)

    def __iter__(self):
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        for index in range(first, len(self.frames), step):
            frame = self.frames[index]
            image = torch.from_numpy(frame.image.astype(np.float32))
            is_object = torch.from_numpy((frame.labels > 0).astype(np.float32))
            yield image, is_object, index


def network():
    """Says of every pixel whether it belongs to an object, as a logit."""
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, 8, 5, padding=2), torch.nn.ReLU(),
        torch.nn.Conv2d(8, 8, 5, padding=2), torch.nn.ReLU(),
        torch.nn.Conv2d(8, 1, 1))


def train(frames, processes):
    """Returns the mean loss of the first and of the last third of the batches."""
    torch.manual_seed(1)
    model, losses = network(), []
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    judge = torch.nn.BCEWithLogitsLoss()
    for image, is_object, _ in DataLoader(FramesDataset(frames), 2, num_workers=processes):
        planes = image[:, image.shape[1] // 2][:, None]  # the middle one of each stack
        planes = (planes - planes.mean()) / planes.std()
        loss = judge(model(planes)[:, 0], is_object[:, is_object.shape[1] // 2])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    third = max(1, len(losses) // 3)
    return float(np.mean(losses[:third])), float(np.mean(losses[-third:]))


def seconds_of(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


if __name__ == "__main__":
    processes, count = (int(word) for word in (sys.argv[1:] + ["2", "100"][len(sys.argv) - 1:]))
    frames = synthoscope.frames(SCENE, count, workers=1)
    images = DataLoader(FramesDataset(frames), batch_size=None, num_workers=processes)
    rate = count / seconds_of(lambda: list(images))
    print(f"{rate:.0f} images a second by {processes} processes")
    losses = []
    seconds = seconds_of(lambda: losses.extend(train(frames, processes)))
    print(f"{count / seconds:.0f} a second with the training; loss {losses[0]:.3f}, at the end "
          f"{losses[1]:.3f}")
