/** Bytes as they arrive, with a bound. */
export type Collector = {
  /** False once there are more bytes than the bound permits; they are dropped. */
  add(piece: Uint8Array): boolean;
  bytes(): Uint8Array;
};

/** One growing buffer: a sender of single bytes would otherwise cost a hundred times its bytes. */
export function collectBytes(limitBytes: number): Collector {
  let held = new Uint8Array(0);
  let size = 0;
  return {
    add: (piece) => {
      if (size + piece.length > limitBytes) return false;
      if (size + piece.length > held.length) {
        const larger = new Uint8Array(Math.min(limitBytes, Math.max(2 * held.length, size + piece.length)));
        larger.set(held.subarray(0, size));
        held = larger;
      }
      held.set(piece, size);
      size += piece.length;
      return true;
    },
    bytes: () => held.slice(0, size),
  };
}
