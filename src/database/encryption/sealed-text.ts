import { type Platform, type TransformContext, Type } from '@mikro-orm/core';
import { openNumber, PersonalNumbers } from '../../secrets/personal-numbers.ts';

/** How each database keeps personal numbers, by the platform of its connection. */
const KEPT = new WeakMap<object, PersonalNumbers>();

/** An EntityManager, or a database with its own. */
type On = HasPlatform | { readonly em: HasPlatform };
interface HasPlatform {
  getPlatform(): object;
}

/** How a database keeps personal numbers: as text until {@link keepNumbers} says otherwise. */
export function personalNumbersOf(on: On): PersonalNumbers {
  const em = 'em' in on ? on.em : on;
  return KEPT.get(em.getPlatform()) ?? PersonalNumbers.asText;
}

/** Sets how all users of this connection pool store personal numbers. */
export function keepNumbers({ em }: { readonly em: HasPlatform }, numbers: PersonalNumbers): void {
  KEPT.set(em.getPlatform(), numbers);
}

/**
 * A text column with a personal number: encrypted in the database, plain everywhere else. A condition compares the
 * column with the plain text, and so finds rows of earlier releases only: search by the hash.
 */
export class SealedText extends Type<string, string> {
  /** `table.column`, which an encrypted value is bound to. */
  readonly column: string;

  constructor(column: string) {
    super();
    this.column = column;
  }

  override convertToDatabaseValue(value: string, platform: Platform, context?: TransformContext): string {
    if (typeof value !== 'string' || context?.mode === 'query') return value;
    return (KEPT.get(platform) ?? PersonalNumbers.asText).seal(value, this.column);
  }

  override convertToJSValue(value: string): string {
    return typeof value === 'string' ? openNumber(value, this.column) : value;
  }

  override getColumnType(): string {
    return 'text';
  }

  override compareAsType(): string {
    return 'string';
  }

  /** A number is encrypted differently each time: without this, every loaded row would look changed. */
  override compareValues(one: string, other: string): boolean {
    return one === other || this.convertToJSValue(one) === this.convertToJSValue(other);
  }

  /** The value as it was read is what changes are compared with. */
  override ensureComparable(): boolean {
    return false;
  }
}
