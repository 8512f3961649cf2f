# SPDX-License-Identifier: MIT
"""Makes images for the mock server: a few balls, blurred by a Gaussian, with Poisson noise."""
import numpy


def blurred(volume, sigmas):
    """Returns a volume blurred by a Gaussian with these standard deviations in voxels."""
    spectrum = numpy.fft.rfftn(volume)
    frequencies = numpy.ix_(*(numpy.fft.fftfreq(n) for n in volume.shape[:2]),
                            numpy.fft.rfftfreq(volume.shape[2]))
    for frequency, sigma in zip(frequencies, sigmas):
        spectrum *= numpy.exp(-2 * (numpy.pi * frequency * sigma) ** 2)
    return numpy.fft.irfftn(spectrum, s=volume.shape).clip(min=0)


def balls(extent, voxel_um, count, radius_um, random):
    """Returns labels of balls that may cut each other; later ones win."""
    labels = numpy.zeros(extent, numpy.uint16)
    axes = numpy.ix_(*(numpy.arange(n) * um for n, um in zip(extent, voxel_um)))
    for label in range(1, count + 1):
        centre = [random.uniform(0.1, 0.9) * n * um for n, um in zip(extent, voxel_um)]
        shape = [0.8, random.uniform(0.85, 1.1), random.uniform(0.9, 1.2)]
        distance = sum(((axis - at) / (radius_um * ratio)) ** 2
                       for axis, at, ratio in zip(axes, centre, shape))
        labels[distance < 1] = label
    return labels


def make_preview(checked, region):
    """Returns the event of a preview, without its number, and its stacks as arrays."""
    values, grid = checked["values"], checked["grid"]
    extent, voxel_um = region["extent"], grid["voxel_um"]
    random = numpy.random.default_rng(values["seed"] or 1)
    labels = balls(extent, voxel_um, int(values["nuclei.count"] or 12),
                   values["nuclei.radius_um"] or 3, random)
    across_um = 0.51 * 0.52 / values["optics.na"]
    widths_um = [0.88 * 0.52 / values["optics.na"] ** 2 * 1.4, across_um, across_um]
    sigmas = [um / 2.355 / voxel for um, voxel in zip(widths_um, voxel_um)]
    stacks = {("labels", None): labels}
    channels = checked["channels"] or [None]
    for number, channel in enumerate(channels):
        light = (labels > 0) * (1 + 0.5 * ((labels * (7 + number)) % 5)) * 30.0
        light *= 0.7 + 0.6 * blurred(random.random(extent), [2, 2, 2])
        photons = blurred(light, sigmas) + (values["background.photons_per_pixel"] or 0)
        exposed = random.poisson(photons * (values["camera.exposure_seconds"] or 0.1) * 10)
        image = (100 + 2 * exposed + random.normal(0, 3, extent)).clip(0, 65535)
        stacks["light", channel] = light.astype(numpy.float32)
        stacks["photons", channel] = photons.astype(numpy.float32)
        stacks["image", channel] = image.astype(numpy.uint16)
        point = numpy.zeros((21, 41, 41))
        point[10, 20, 20] = 1
        stacks["psf", channel] = blurred(point, sigmas).astype(numpy.float32)
    images = [{"channel": channel, "snr": float(numpy.sqrt(photons.max())), "objects": 1,
               "saturated": 0, "median_counts": float(numpy.median(image)), "found_dose": None,
               "psf_widths_um": widths_um, "light_ledger": None}
              for channel in channels]
    event = {"type": "preview", "region": region, "images": images,
             "seed": 1, "is_seed_drawn": False,
             "warnings": ["The sampling along z is coarse for this PSF."],
             "seconds": {"phantom": 0.12, "psf": 0.05, "blur": 0.21, "camera": 0.03},
             "stacks": [{"name": name, "channel": channel, "type": str(stack.dtype),
                         "extent": list(stack.shape)} for (name, channel), stack in stacks.items()]}
    return event, stacks
