import { type BacenProfile, BY_THE_DOCUMENT, mandatePathsOf, SCOPES } from '../profile.ts';

/** Sources: ACBr (`ACBrPIXPSPInter.pas`), pypix-api 0.14.0 (`banks/inter.py`), brbank 0.0.5. */
export const INTER: BacenProfile = {
  ...BY_THE_DOCUMENT,
  institution: 'Banco Inter',
  howToVerify:
    'Make an application in the internet banking of a company, with the scopes of cob, cobv, pix and webhook, and load its certificate and key down. The sandbox is on a host of its own. Name the account number where the application serves several accounts.',
  production: {
    api: 'https://cdpj.partners.bancointer.com.br/pix/v2',
    token: 'https://cdpj.partners.bancointer.com.br/oauth/v2/token',
  },
  sandbox: {
    api: 'https://cdpj-sandbox.partners.uatinter.co/pix/v2',
    token: 'https://cdpj-sandbox.partners.uatinter.co/oauth/v2/token',
  },
  token: { credentials: 'FORM', body: 'FORM', grantTypeIn: 'BODY', scopes: SCOPES },
  headers: { 'x-conta-corrente': 'accountNumber' },
  // Source: brbank 0.0.5 (`cobv`).
  dueCharges: true,
  // Source: pypix-api 0.14.0 (rec and cobr below `/pix/v2`).
  mandates: mandatePathsOf(''),
};
