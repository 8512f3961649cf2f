# SPDX-License-Identifier: MIT
"""Scores of results beside the truth.

`labels` scores a segmentation, `tracks` the tracks of a movie, `spots` localised spots, and `image`
a restored image. The numbers are those of the command ``synthoscope score``.
"""
from ._score_labels import LabelScores, Stratum, Surfaces, labels
from ._score_results import ImageScores, SpotScores, TrackScores, image, spots, tracks

__all__ = ["ImageScores", "LabelScores", "SpotScores", "Stratum", "Surfaces", "TrackScores",
           "image", "labels", "spots", "tracks"]
