import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Spreads the numbers of streams over all seeds, so that two of them have nothing in common. */
const STREAM_STRIDE = 0x9e3779b1;

/**
 * Random choices that a seed repeats. Every target of faults and every scenario draws from a stream of its
 * own, so that its choices depend on the seed alone and not on timing.
 */
export class Chance {
  readonly #generator;

  constructor(seed: number, stream: number) {
    this.#generator = xoroshiro128plus(seed ^ Math.imul(stream + 1, STREAM_STRIDE));
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return uniformInt(this.#generator, least, most);
  }

  isIn(percent: number): boolean {
    return this.between(1, 100) <= percent;
  }

  oneOf<Value>(values: readonly Value[]): Value {
    return values[this.between(0, values.length - 1)] as Value;
  }

  /** One of the names, each as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries(weights) as [Name, number][];
    let left = this.between(
      1,
      entries.reduce((sum, [, weight]) => sum + weight, 0),
    );
    for (const [name, weight] of entries) {
      left -= weight;
      if (left <= 0) return name;
    }
    throw new Error('weights are whole numbers above zero');
  }
}
