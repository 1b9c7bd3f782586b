import { type BacenProfile, BY_THE_DOCUMENT } from '../profile.ts';

/** Sources: ACBr (`ACBrPIXPSPBradesco.pas`), brbank 0.0.5. */
export const BRADESCO: BacenProfile = {
  ...BY_THE_DOCUMENT,
  institution: 'Bradesco',
  howToVerify:
    'Ask the branch for API Pix; homologation has an address of its own and a certificate of yours.',
  production: {
    api: 'https://qrpix.bradesco.com.br/v2',
    token: 'https://qrpix.bradesco.com.br/oauth/token',
  },
  sandbox: {
    api: 'https://qrpix-h.bradesco.com.br/v2',
    token: 'https://qrpix-h.bradesco.com.br/oauth/token',
  },
  createdStatus: { cob: 201, cobv: 200, refund: 201 },
  // Source: brbank 0.0.5 (`cobv`).
  dueCharges: true,
};
