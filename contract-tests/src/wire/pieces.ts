import { maxBodyBytes } from './content-coding.ts';

/** The pieces of a body as they pass, up to the bound of a response. */
export class Pieces {
  size = 0;
  #pieces: Buffer[] = [];

  add(piece: Buffer): void {
    this.size += piece.length;
    if (this.size > maxBodyBytes) this.#pieces = [];
    else this.#pieces.push(piece);
    // A sender of single bytes would otherwise cost a hundred times its bytes.
    if (this.#pieces.length > 1_000) this.#pieces = [Buffer.concat(this.#pieces)];
  }

  /** Undefined above the bound. */
  bytes(): Buffer | undefined {
    return this.size > maxBodyBytes ? undefined : Buffer.concat(this.#pieces);
  }
}
