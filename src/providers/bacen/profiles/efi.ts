import { type BacenProfile, BY_THE_DOCUMENT, mandatePathsOf, pathsOf } from '../profile.ts';

/** Sources: Efí's documents (dev.efipay.com.br, API Pix) and its own client, `sdk-node-apis-efi` 2.0.1. */
export const EFI: BacenProfile = {
  ...BY_THE_DOCUMENT,
  institution: 'Efí',
  howToVerify:
    'Open an account, make an application with the scopes of cob, cobv, pix, webhook, pix.send, gn.pix.send.read and gn.qrcodes.pay, and a certificate of homologation. Its sandbox pays charges of up to R$ 10.00 by itself; its documents say that it pays no QR Codes, so verify a transfer to a static one, and that its txid arrives, in production.',
  production: {
    api: 'https://pix.api.efipay.com.br',
    token: 'https://pix.api.efipay.com.br/oauth/token',
  },
  sandbox: {
    api: 'https://pix-h.api.efipay.com.br',
    token: 'https://pix-h.api.efipay.com.br/oauth/token',
  },
  paths: pathsOf('/v2'),
  token: { credentials: 'BASIC', body: 'JSON', grantTypeIn: 'BODY', scopes: null },
  webhookWithoutCertificateHeader: 'x-skip-mtls-checking',
  send: {
    order: '/v3/gn/pix',
    orderByCode: { path: '/v2/gn/pix/:id/qrcode', scope: 'gn.qrcodes.pay' },
    scopes: ['pix.send', 'gn.pix.send.read', 'gn.qrcodes.pay'],
    byReference: '/v2/gn/pix/enviados/id-envio',
    list: '/v2/gn/pix/enviados',
  },
  // Source: `sdk-node-apis-efi` 2.0.1 (`pixCreateDueCharge`).
  dueCharges: true,
  // Source: `sdk-node-apis-efi` 2.0.1 (rec, cobr, locrec).
  mandates: mandatePathsOf('/v2'),
};
