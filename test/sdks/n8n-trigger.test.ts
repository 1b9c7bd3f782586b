import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EVENTS } from '../../sdks/n8n/nodes/RecebeTrigger/generated/events.ts';
import { KEPT_IDS, withNewId } from '../../sdks/n8n/nodes/RecebeTrigger/recent-ids.ts';
import { isGenuine } from '../../sdks/n8n/nodes/RecebeTrigger/verify-delivery.ts';
import { EVENT_NAMES } from '../../src/domain/event-names.ts';
import { signWebhook } from '../../src/webhooks/signature.ts';

const BODY = JSON.stringify({ id: 'log_1', event: 'transparent.completed', data: { name: 'João' } });
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const NOW = 1_800_000_000;

/** The headers as Node.js gives them. */
function signed(secrets: readonly [string, ...string[]] = [SECRET], timestampSeconds = NOW) {
  const headers = signWebhook({ deliveryId: 'log_1', body: BODY, secrets, timestampSeconds });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const RAW = Buffer.from(BODY);

describe('isGenuine', () => {
  it('accepts what the service signed, also while the secret changes', () => {
    expect(isGenuine({ headers: signed(), rawBody: RAW }, SECRET, NOW)).toBe(true);
    expect(isGenuine({ headers: signed(['new', SECRET]), rawBody: RAW }, SECRET, NOW + 300)).toBe(true);
  });

  const genuine = signed();
  const changed = (name: string, value: string | string[] | undefined) => ({ ...genuine, [name]: value });
  const refusals: readonly (readonly [string, object, Buffer, string])[] = [
    ['another secret', signed(['other']), RAW, SECRET],
    ['a changed body', genuine, Buffer.from(`${BODY} `), SECRET],
    ['a changed id', changed('webhook-id', 'log_2'), RAW, SECRET],
    ['a missing id', changed('webhook-id', undefined), RAW, SECRET],
    ['a repeated signature', changed('webhook-signature', ['v1,AAAA', 'v1,AAAA']), RAW, SECRET],
    ['a signature of no bytes', changed('webhook-signature', 'v1,'), RAW, SECRET],
    ['a signature of another version', changed('webhook-signature', 'v2,AAAA'), RAW, SECRET],
    ['a changed time', changed('webhook-timestamp', String(NOW - 1)), RAW, SECRET],
    ['a time that is no number', changed('webhook-timestamp', 'now'), RAW, SECRET],
    ['a delivery that is too old', signed([SECRET], NOW - 301), RAW, SECRET],
    ['a delivery of the future', signed([SECRET], NOW + 301), RAW, SECRET],
    ['a trigger without a secret', signed(['whsec_']), RAW, ''],
    ['an empty secret', signed(['whsec_']), RAW, 'whsec_'],
  ];
  it.each(refusals)('refuses %s', (_, headers, rawBody, secret) => {
    const delivery = { headers: headers as Record<string, string>, rawBody };
    expect(isGenuine(delivery, secret, NOW)).toBe(false);
  });
});

describe('withNewId', () => {
  it('returns null for a repeat, and puts new ids first', () => {
    expect(withNewId(undefined, 'log_1')).toEqual(['log_1']);
    expect(withNewId(['log_1'], 'log_2')).toEqual(['log_2', 'log_1']);
    expect(withNewId(['log_2', 'log_1'], 'log_1')).toBeNull();
  });

  it('forgets the oldest ids', () => {
    const full = Array.from({ length: KEPT_IDS }, (_, index) => `log_${index}`);
    const next = withNewId(full, 'log_new') ?? [];
    expect([next.length, next[0], next.at(-1)]).toEqual([KEPT_IDS, 'log_new', `log_${KEPT_IDS - 2}`]);
  });
});

describe('the trigger', () => {
  it('offers every event of the service', () => {
    expect(new Set(EVENTS.map(({ value }) => value))).toEqual(new Set(EVENT_NAMES));
  });

  it('shows the logo of the pages as its icon', () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(read('sdks/n8n/icons/recebe.svg')).toBe(read('src/web/frame/browser/logo.svg'));
  });
});
