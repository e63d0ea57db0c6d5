/** Binary images with a head; see gelenk/ui/images.py. */

import { IMAGE_HEADER_BYTES, type ImageHead } from "./protocol";

export interface Image {
  readonly head: ImageHead;
  /** JPEG or PNG; empty where there is no image, only a caption that says why. */
  readonly data: Blob;
}

const MAGIC = 0x31494c47; // "GLI1", little endian

/** Returns the image in the bytes, or null if they are none. */
export function unpackImage(data: ArrayBuffer): Image | null {
  if (data.byteLength < IMAGE_HEADER_BYTES) return null;
  const view = new DataView(data);
  if (view.getUint32(0, true) !== MAGIC) return null;
  const end = IMAGE_HEADER_BYTES + view.getUint32(4, true);
  if (end > data.byteLength) return null;
  const text = new TextDecoder().decode(new Uint8Array(data, IMAGE_HEADER_BYTES, end - IMAGE_HEADER_BYTES));
  const head = JSON.parse(text) as ImageHead;
  return { head, data: new Blob([new Uint8Array(data, end)], { type: head.format }) };
}
