"""Training data: depth, object id and normal of each pixel, as arrays and as pictures side by side."""

import numpy as np
from PIL import Image

from octoscope import load, render, render_buffers

scene = load("assets/harbour.obj")
size = (320, 180)
buffers = render_buffers(scene, size)  # depth (h, w), ids (h, w), normals (h, w, 3)

seen = np.isfinite(buffers.depth)
near, far = buffers.depth[seen].min(), buffers.depth[seen].max()
depth = np.where(seen, 255 * (far - buffers.depth) / (far - near), 0)
random_colors = np.random.default_rng(1).integers(60, 256, (scene.ids.max() + 2, 3))
random_colors[-1] = 0  # id -1: nothing is there
pictures = [render(scene, size), np.repeat(depth[..., None], 3, axis=2), random_colors[buffers.ids]]
pictures.append(np.where(seen[..., None], 127.5 * (buffers.normals + 1), 0))

sheet = np.zeros((2 * size[1], 2 * size[0], 3), np.uint8)
for number, picture in enumerate(pictures):
    row, column = divmod(number, 2)
    sheet[row * size[1] :, column * size[0] :][: size[1], : size[0]] = np.asarray(picture)
Image.fromarray(sheet).save("depth_and_ids.png")
print(f"{len(np.unique(buffers.ids)) - 1} objects are seen, {near:.1f} to {far:.1f} away")
