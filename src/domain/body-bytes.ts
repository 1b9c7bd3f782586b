/**
 * The bytes of a body that is arriving, in one buffer. A list of its chunks would need hundreds of times as much memory for a body that
 * comes byte by byte.
 */
export class BodyBytes {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Most bodies come in one chunk, which is kept and not copied. */
  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) this.#buffer = chunk;
    else {
      if (length > this.#buffer.length) this.#grow(length);
      chunk.copy(this.#buffer, this.#length);
    }
    this.#length = length;
  }

  /** All bytes so far. */
  taken(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(least: number): void {
    const grown = Buffer.allocUnsafe(Math.max(least, 2 * this.#buffer.length));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}
