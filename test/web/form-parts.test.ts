import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { readFormWithFiles } from '../../src/web/frame/form-body.ts';

const MAX_FILE_BYTES = 1_000_000;
const BOUNDARY = '----WebKitFormBoundaryabcdefghijkl';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

function posted(parts: readonly string[], type = TYPE, boundary = BOUNDARY): IncomingMessage {
  const body = [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--\r\n`].join('');
  const stream = Readable.from([Buffer.from(body)]) as unknown as IncomingMessage;
  return Object.assign(stream, { headers: { 'content-type': type }, complete: true });
}

const field = (name: string, value: string) =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
const file = (name: string, content: string) =>
  `Content-Disposition: form-data; name="${name}"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n${content}`;
const fields = (count: number) => Array.from({ length: count }, (_, at) => field(`field-${at}`, 'x'));
const read = (request: IncomingMessage) => readFormWithFiles(request, MAX_FILE_BYTES);

describe('a form with files', () => {
  it('reads a hundred parts, also a file with empty lines', async () => {
    const content = '%PDF-\r\n\r\n--\r\n\r\n';
    const form = await read(posted([...fields(99), file('file', content)]));
    expect([...form.fields.keys()]).toHaveLength(99);
    expect(form.files.get('file')?.toString()).toBe(content);
  });

  it.each([
    ['more than a hundred parts', posted(fields(101))],
    ['long headers of a part', posted([`X: ${'x'.repeat(1_100)}\r\n${field('name', 'x')}`])],
    ['no boundary', posted(fields(1), 'multipart/form-data; charset=utf-8')],
    ['another boundary', posted(fields(1), 'multipart/form-data; boundary=other')],
    [
      'many parts behind a quoted boundary',
      posted(fields(101), `multipart/form-data; a="; boundary=other"; boundary="${BOUNDARY}"`),
    ],
  ])('refuses %s', async (_, request) => {
    await expect(read(request)).rejects.toMatchObject({ status: 400 });
  });
});
