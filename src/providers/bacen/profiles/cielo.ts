import { type BacenProfile, BY_THE_DOCUMENT, SCOPES } from '../profile.ts';

/** Sources: ACBr (`ACBrPIXPSPCielo.pas`), Cielo's documents (docs.cielo.com.br/pix-can-cbk). */
export const CIELO: BacenProfile = {
  ...BY_THE_DOCUMENT,
  institution: 'Cielo',
  howToVerify: "Ask Cielo for API Pix; its sandbox needs the client's id and secret and no certificate.",
  production: {
    api: 'https://api-mtls.cielo.com.br/cielo-pix/v1',
    token: 'https://api2.cielo.com.br/v2/oauth/access-token',
  },
  sandbox: {
    api: 'https://api2.cielo.com.br/sandbox/cielo-pix/v1',
    token: 'https://api2.cielo.com.br/sandbox/v2/oauth/access-token',
  },
  token: { credentials: 'BASIC', body: 'JSON', grantTypeIn: 'BODY', scopes: SCOPES },
};
