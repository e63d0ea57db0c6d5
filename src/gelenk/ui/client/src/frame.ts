/** Binary frames: everything that moves, at one moment; see gelenk/ui/frames.py. */

export interface Frame {
  readonly scene: number;
  /** Simulated time [s]. */
  readonly time: number;
  /** Physics tick. */
  readonly tick: number;
  /** Asked for by `get_frame`, not live. */
  readonly isAsked: boolean;
  /** n x 7: x, y, z [m], qw, qx, qy, qz; in the order of `Scene.bodies`. */
  readonly poses: Float32Array;
  /** Joint values [rad], [m]; in the order of `Scene.joints`. */
  readonly values: Float32Array;
  /** Joint speeds as a share of the top speed, signed. */
  readonly shares: Float32Array;
  /** c x 6: point [m], force [N]. */
  readonly contacts: Float32Array;
  /** How far belts have run along themselves [m]; in the order of `Scene.belts`. */
  readonly travels: Float32Array;
}

const MAGIC = 0x31464c47; // "GLF1", little endian
const HEADER = 40;

/** Returns the frame in the bytes, or null if they are none. */
export function unpackFrame(data: ArrayBuffer): Frame | null {
  if (data.byteLength < HEADER) return null;
  const view = new DataView(data);
  if (view.getUint32(0, true) !== MAGIC) return null;
  const bodies = view.getUint32(24, true);
  const joints = view.getUint32(28, true);
  const contacts = view.getUint32(32, true);
  const belts = view.getUint32(36, true);
  const counts = [7 * bodies, joints, joints, 6 * contacts, belts];
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (data.byteLength !== HEADER + 4 * total) return null;
  let offset = HEADER;
  const [poses, values, shares, points, travels] = counts.map((count) => {
    const block = new Float32Array(data, offset, count);
    offset += 4 * count;
    return block;
  }) as [Float32Array, Float32Array, Float32Array, Float32Array, Float32Array];
  return {
    scene: view.getUint32(4, true),
    time: view.getFloat64(8, true),
    tick: view.getUint32(16, true),
    isAsked: (view.getUint32(20, true) & 1) === 1,
    poses,
    values,
    shares,
    contacts: points,
    travels,
  };
}
