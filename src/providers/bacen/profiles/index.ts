import type { BacenProfile } from '../profile.ts';
import { BANCO_DO_BRASIL } from './banco-do-brasil.ts';
import { BRADESCO } from './bradesco.ts';
import { C6 } from './c6.ts';
import { CIELO } from './cielo.ts';
import { EFI } from './efi.ts';
import { GENERIC } from './generic.ts';
import { INTER } from './inter.ts';
import { ITAU } from './itau.ts';
import { SANTANDER } from './santander.ts';
import { SICOOB } from './sicoob.ts';
import { SICREDI } from './sicredi.ts';

/** Every profile, by its name in accounts. */
export const BACEN_PROFILES = {
  efi: EFI,
  sicredi: SICREDI,
  sicoob: SICOOB,
  inter: INTER,
  bb: BANCO_DO_BRASIL,
  itau: ITAU,
  bradesco: BRADESCO,
  santander: SANTANDER,
  c6: C6,
  cielo: CIELO,
  generic: GENERIC,
} as const satisfies Record<string, BacenProfile>;

export type BacenProfileName = keyof typeof BACEN_PROFILES;
