import type { IncomingMessage } from 'node:http';
import { expect, it, jest } from '@jest/globals';
import { parseBody } from '../../src/api/frame/json-body.ts';
import { jsonSize } from '../../src/api/frame/json-size.ts';

const judged = (text: string) => {
  const { depth, values } = jsonSize(Buffer.from(text));
  if (depth > 3) return 'DEPTH';
  return values > 4 ? 'VALUES' : null;
};

it.each([
  '',
  '{}',
  '[[[]]]',
  '[[],[],[]]',
  '[1,2,3,4]',
  '{"a":{"b":{"c":1}}}',
  '"[[[["',
  '"\\"[[[["',
  '"\\\\",[[[',
  '{"[[[[,,,,,,":"{{{{,,,,,,"}',
  '"[[[[,,,,,,',
])('accepts %s', (text) => {
  expect(judged(text)).toBeNull();
});

it.each(['[[[[', '[[[[]]]]', '{"a":{"b":{"c":{}}}}', '"\\\\"[[[[', '[{"a":[{'])(
  'finds %s too deep',
  (text) => {
    expect(judged(text)).toBe('DEPTH');
  },
);

it.each(['[1,2,3,4,5,6]', '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', '[[],[],[[],[],[]]]', ',,,,,'])(
  'finds too many values in %s',
  (text) => {
    expect(judged(text)).toBe('VALUES');
  },
);

it.each(['['.repeat(33), `[${'0,'.repeat(20_001)}0]`, `[${'[],'.repeat(10_000)}${'[],'.repeat(10_001)}[]]`])(
  'refuses a body of too many brackets or values without parsing it',
  (text) => {
    const parse = jest.spyOn(JSON, 'parse');
    const request = { headers: { 'content-type': 'application/json' } } as IncomingMessage;
    expect(() => parseBody(request, Buffer.from(text))).toThrow(/^body: must/);
    expect(parse).not.toHaveBeenCalled();
  },
);
