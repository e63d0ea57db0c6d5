"""Images come back from recordings bit by bit."""

import numpy as np
import pytest

from gelenk.errors import ShapeError
from gelenk.runtime.events import CameraImage
from gelenk.runtime.messages import codec_for
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import open_recording


@pytest.mark.parametrize("shape", [(48, 64), (48, 64, 3), (1, 1), (7, 5, 3)])
def test_an_image_survives_the_recording(tmp_path, shape) -> None:
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 256, shape, dtype=np.uint8)
    image = CameraImage.from_pixels(pixels, camera="lower", number=3, time=0.1)

    with Recorder(tmp_path / "a.mcap") as recorder:
        recorder.write("image", image, 5)
    with open_recording(tmp_path / "a.mcap") as recording:
        (message,) = recording.messages("image", message_type=CameraImage)

    assert message.value == image
    np.testing.assert_array_equal(message.value.pixels, pixels)
    assert message.value.pixels.shape == shape
    assert not message.value.pixels.flags.writeable


def test_a_view_with_gaps_is_stored_as_it_looks() -> None:
    pixels = np.arange(64, dtype=np.uint8).reshape(8, 8)[::2, ::-1]

    image = CameraImage.from_pixels(pixels, camera="c", number=0, time=0.0)

    np.testing.assert_array_equal(image.pixels, pixels)


def test_what_is_no_image_is_refused() -> None:
    options = {"camera": "c", "number": 0, "time": 0.0}
    with pytest.raises(ShapeError, match="of uint8"):
        CameraImage.from_pixels(np.zeros((4, 4)), **options)  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match=r"got \(4, 4, 2\)"):
        CameraImage.from_pixels(np.zeros((4, 4, 2), np.uint8), **options)
    image = CameraImage.from_pixels(np.zeros((4, 4), np.uint8), **options)
    text = codec_for(CameraImage).encode(image).replace(b'"height":4', b'"height":5')
    with pytest.raises(ValueError, match=r"must have shape \(20,\) for 4 x 5 mono8"):
        codec_for(CameraImage).decode(text)
