/** What cameras of the world see, as pyramids. */

import type { Camera, Scene } from "../protocol";
import type { Overlay } from "./overlay";
import { POSE, rotate } from "./pose";

export const DEPTH = 0.25; // m, of the pyramid
const COLOR = "#8e4ec6";

/** Corners of the image of a camera at a depth, in its axes: x right, y down, z ahead. */
export function imageCorners(camera: Camera, depth = DEPTH): number[][] {
  const y = depth * Math.tan(camera.fov_y / 2);
  const x = (y * camera.width) / Math.max(camera.height, 1);
  return [
    [-x, -y, depth],
    [x, -y, depth],
    [x, y, depth],
    [-x, y, depth],
  ];
}

/** Returns the pyramids of cameras where their bodies are. */
export function frustaOf(
  scene: Scene,
  poses: Float32Array,
  isDrawn: (camera: string) => boolean | undefined = () => true,
): Overlay[] {
  return scene.cameras.flatMap((camera): Overlay[] => {
    if (!isDrawn(camera.name)) return [];
    const body = scene.bodies.findIndex((item) => item.name === camera.body);
    if (body < 0 || POSE * (body + 1) > poses.length) return [];
    const pose = [...poses.subarray(POSE * body, POSE * (body + 1))];
    const eye = pose.slice(0, 3);
    const corners = imageCorners(camera).map((corner) =>
      rotate(pose.slice(3), corner).map((value, k) => value + eye[k]!),
    );
    const edges = corners.map(
      (corner): Overlay => ({ kind: "line", points: [...eye, ...corner], color: COLOR, width: 1.5 }),
    );
    return [...edges, { kind: "polygon", points: corners.flat(), color: COLOR, opacity: 0.12 }];
  });
}
