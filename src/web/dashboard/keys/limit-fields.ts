import { instantOf } from '../../../api/frame/time-range.ts';
import { MAX_NETWORKS, networksIn, type WrongEntry } from '../../../api/keys/given-limits.ts';
import type { KeyLimits } from '../../../api/keys/usable-key.ts';
import { type Problems, textArea, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { inBrasilia, localTime } from '../frame/brasilia.ts';
import type { Say } from '../frame/locale.ts';
import type { Visit } from '../frame/visit.ts';

/** The submitted fields of a key's limits. */
export interface TypedLimits {
  /** Date and time in Brasília; empty for a key that never expires. */
  readonly expiresAt: string;
  /** Empty for a key without network limits. */
  readonly allowedNetworks: string;
}

export const NO_LIMITS: TypedLimits = { expiresAt: '', allowedNetworks: '' };

/** A key's limits as text of the form's fields. */
export function typedOf({ expiresAt, allowedNetworks }: KeyLimits): TypedLimits {
  return {
    expiresAt: expiresAt === null ? '' : localTime(expiresAt),
    allowedNetworks: (allowedNetworks ?? []).join('\n'),
  };
}

/** When a key expires. @param hint what an empty field means. */
export function expiryField(say: Say, value: string, problems: Problems, hint: string): Html {
  return textField({
    name: 'expiresAt',
    label: say('dashboard.keys.expiresAtTimeOfBrasilia'),
    hint,
    type: 'datetime-local',
    value,
    required: false,
    problems,
  });
}

/** The submitted expiry of a new key; null if the field is empty. */
export function expiresAtIn(visit: Visit): { readonly expiresAt: Date | null; readonly problems: Problems } {
  const text = visit.field('expiresAt');
  if (text === '') return { expiresAt: null, problems: {} };
  const expiresAt = instantOf(inBrasilia(text), 'after');
  const problem = expiryProblem(visit, expiresAt);
  return { expiresAt, problems: problem === null ? {} : { expiresAt: problem } };
}

export function limitFields(say: Say, { expiresAt, allowedNetworks }: TypedLimits, problems: Problems): Html {
  const never = say('dashboard.keys.theKeyIsRefusedFrom');
  return html`${expiryField(say, expiresAt, problems, never)}
${textArea({
  name: 'allowedNetworks',
  label: say('dashboard.keys.onlyFromTheseIpAddresses'),
  hint: say('dashboard.keys.oneAddressOrNetworkPer'),
  value: allowedNetworks,
  required: false,
  maxLength: 3_000,
  problems,
})}`;
}

/**
 * Parses the submitted limits. @returns the limits and the problems.
 * @param present the key that is changed. An expiry that the user left untouched keeps its milliseconds.
 */
export function limitsIn(
  visit: Visit,
  present: KeyLimits | null = null,
): { readonly typed: TypedLimits; readonly limits: KeyLimits; readonly problems: Problems } {
  const typed = { expiresAt: visit.field('expiresAt'), allowedNetworks: visit.field('allowedNetworks') };
  const { networks, ...faults } = networksIn(typed.allowedNetworks);
  const isLeft = present?.expiresAt && localTime(present.expiresAt) === typed.expiresAt;
  const named = typed.expiresAt === '' ? null : instantOf(inBrasilia(typed.expiresAt), 'after');
  const expiresAt = isLeft ? present.expiresAt : named;
  const limits = { expiresAt, allowedNetworks: networks.length === 0 ? null : networks };
  const expiry = typed.expiresAt === '' ? null : expiryProblem(visit, expiresAt);
  const allowed = networkProblem(visit.say, faults);
  const problems = {
    ...(expiry !== null && { expiresAt: expiry }),
    ...(allowed !== null && { allowedNetworks: allowed }),
  };
  return { typed, limits, problems };
}

function expiryProblem({ say, now }: Visit, expiresAt: Date | null): string | null {
  if (expiresAt === null) return say('dashboard.keys.writeADayAndTime');
  return expiresAt > now ? null : say('dashboard.keys.chooseATimeInThe');
}

function networkProblem(
  say: Say,
  { wrong, tooMany }: { readonly wrong: readonly WrongEntry[]; readonly tooMany: boolean },
): string | null {
  if (wrong.length > 0) return wrong.map((entry) => wordsOf(say, entry)).join(' ');
  return tooMany ? say('dashboard.keys.atMostAddressesAndNetworks', { maxNetworks: MAX_NETWORKS }) : null;
}

function wordsOf(say: Say, { entry, wrong }: WrongEntry): string {
  switch (wrong.problem) {
    case 'NOT_ITS_BEGINNING':
      return say('dashboard.keys.isAnAddressWithinA', { entry, network: wrong.network });
    case 'EVERYWHERE':
      return say('dashboard.keys.isEveryAddress', { entry });
    case 'NO_NETWORK':
      return say('dashboard.keys.isNeitherAnAddressNor', { entry });
  }
}
