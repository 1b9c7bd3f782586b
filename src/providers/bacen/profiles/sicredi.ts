import {
  type BacenProfile,
  BY_THE_DOCUMENT,
  MANDATE_SCOPES_WITHOUT_LOCATIONS,
  mandatePathsOf,
  pathsOf,
  SCOPES,
} from '../profile.ts';

/** Sources: ACBr (`ACBrPIXPSPSicredi.pas`), pypix-api 0.14.0 (`banks/sicredi.py`), brbank 0.0.5. */
export const SICREDI: BacenProfile = {
  ...BY_THE_DOCUMENT,
  institution: 'Sicredi',
  howToVerify:
    'Ask the cooperative for access to API Pix in homologation, send its certificate request, and run with the certificate it gives. It may grant fewer scopes than are asked for.',
  production: {
    api: 'https://api-pix.sicredi.com.br/api',
    token: 'https://api-pix.sicredi.com.br/oauth/token',
  },
  sandbox: {
    api: 'https://api-pix-h.sicredi.com.br/api',
    token: 'https://api-pix-h.sicredi.com.br/oauth/token',
  },
  // Single charges have version 3, everything else version 2.
  paths: { ...pathsOf('/v2'), cob: '/v3/cob', cobRevision: '/v3/cob' },
  token: { credentials: 'BASIC', body: 'FORM', grantTypeIn: 'BODY', scopes: SCOPES },
  // Source: brbank 0.0.5 (`cobv` of version 2).
  dueCharges: true,
  // Source: pypix-api 0.14.0 (`rec`, `cobr` below version 1).
  mandates: mandatePathsOf('/v1'),
  // Source: pypix-api 0.14.0 (`scopes`).
  mandateScopes: MANDATE_SCOPES_WITHOUT_LOCATIONS,
};
