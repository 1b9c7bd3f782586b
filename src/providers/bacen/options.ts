import type { AccountOption } from '../provider-kind.ts';

/** The options of `accounts add` and `accounts rotate` for banks with API Pix; others use `--setting` or `--secret-file`. */
export const BACEN_OPTIONS: readonly AccountOption[] = [
  {
    name: 'pixKey',
    flags: '--pix-key <key>',
    description: 'the PIX key that receives payments, as registered at the bank',
    gives: 'SETTING',
  },
  {
    name: 'clientId',
    flags: '--client-id <id>',
    description: 'of the application at the bank',
    gives: 'SETTING',
  },
  {
    name: 'clientSecret',
    flags: '--client-secret-file <file>',
    description: 'its secret; - reads standard input',
    gives: 'SECRET',
  },
  {
    name: 'certificate',
    flags: '--certificate <file>',
    description: 'the certificate issued by the bank, as PEM',
    gives: 'SECRET',
  },
  {
    name: 'privateKey',
    flags: '--key <file>',
    description: 'the private key of the certificate, as PEM',
    gives: 'SECRET',
  },
  {
    name: 'ca',
    flags: '--ca <file>',
    description: "the CA certificate that signed the bank server's certificate, if it is not a public one",
    gives: 'SECRET',
  },
];
