"""What people glue together today: dlib in a Python loop, one frame after the other.

The detector with one upsampling (what face_recognition does by default), then the 68 points. Prints CPU milliseconds a
frame, median over the frames, decoding included, as one JSON object.

usage: plain_dlib_loop.py MODEL FRAME.jpg...
"""

import json
import statistics
import sys
import time

import dlib


def main(model, frames):
    detector = dlib.get_frontal_face_detector()
    predictor = dlib.shape_predictor(model)
    spent = []
    found = 0
    for path in frames:
        start = time.process_time()
        image = dlib.load_rgb_image(path)
        boxes = detector(image, 1)
        for box in boxes:
            predictor(image, box)
        spent.append((time.process_time() - start) * 1000)
        found += bool(boxes)
    print(json.dumps({"median_ms": statistics.median(spent), "frames": len(frames), "found": found}))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
