import { describe, expect, it } from '@jest/globals';
import { isEmail, mailboxOf } from '../../src/domain/email.ts';

describe('isEmail', () => {
  it.each(['ana@example.com', "o'neil+loja@example.com.br", 'josé@exemplo.com.br', '-a@x.co'])(
    'accepts %j',
    (text) => expect(isEmail(text)).toBe(true),
  );

  it.each([
    'ana',
    'ana@example',
    'ana@@example.com',
    'ana@example.com,bia@example.com',
    'ana@example.com;bia@example.com',
    'ana@example.com\r\nBcc: bia@example.com',
    'Ana <ana@example.com>',
    '"ana souza"@example.com',
    'group:ana@example.com',
    '(comment)ana@example.com',
    'ana\\@example.com',
    'ana@[127.0.0.1].com',
    // Mail programs replace it: the mail would go to another mailbox.
    'ana\u0001souza@example.com',
    'ana\u200b@example.com',
    'ana\u202e@example.com',
    `${'a'.repeat(250)}@x.co`,
  ])('refuses %j', (text) => expect(isEmail(text)).toBe(false));
});

describe('mailboxOf', () => {
  it.each([
    'ana@example.com',
    'Ana@EXAMPLE.com',
    'ana+loja@example.com',
    'ana+1+2@example.com',
    'ana@ｅｘａｍｐｌｅ.com',
    'ana@\u{1d41e}xample.com',
  ])('returns the same mailbox for %j', (text) => {
    expect(isEmail(text)).toBe(true);
    expect(mailboxOf(text)).toBe('ana@example.com');
  });

  it.each([
    ['+ana@example.com', '+ana@example.com'],
    ['ana@exemplo.com.br', 'ana@exemplo.com.br'],
    ['bia@example.com', 'bia@example.com'],
    ['ana@%zz.com', 'ana@%zz.com'],
  ])('returns the mailbox of %j: %j', (text, mailbox) => expect(mailboxOf(text)).toBe(mailbox));
});
