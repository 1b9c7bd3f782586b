import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server on loopback that accepts every mail except to addresses in `refusals`. */
export interface MailServer extends AsyncDisposable {
  readonly smtpUrl: string;
  /** Every mail that was taken, as it was sent. */
  readonly mails: readonly string[];
  /** What is answered those who are written to: a code of SMTP, by what their address begins with. */
  readonly refusals: Record<string, number>;
  /** Addresses that were refused, each as often as it was. */
  readonly refused: readonly string[];
}

export async function startMailServer(refusals: Record<string, number> = {}): Promise<MailServer> {
  const mails: string[] = [];
  const refused: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      const code = Object.entries(refusals).find(([name]) => address.startsWith(name))?.[1];
      if (code === undefined) return callback();
      refused.push(address);
      callback(Object.assign(new Error('refused'), { responseCode: code }));
    },
    onData(stream, _session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString());
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    smtpUrl: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    refusals,
    refused,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The headers and bodies of a mail as people read them (RFC 2045, 2047). */
export function decodedMail(mail: string): string {
  const bytes = (text: string) =>
    text.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  const words = mail
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, word) => Buffer.from(word, 'base64').toString('latin1'))
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_, word) => bytes(word.replaceAll('_', ' ')));
  return Buffer.from(bytes(words.replaceAll('=\r\n', '')), 'latin1').toString();
}
