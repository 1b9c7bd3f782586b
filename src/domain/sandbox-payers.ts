/**
 * How a payer of the sandbox answers a mandate and its debits. PAYS: accepts it, and every debit is paid. REFUSES: pays the code without
 * accepting. IGNORES: never answers. LEAVES: ends the mandate at the bank after the first debit. PAYS_FIRST_RETRY, PAYS_LAST_RETRY: the
 * account has no balance before. NEVER_PAYS: it never has any. HAS_CEILING: refuses debits of more than {@link SANDBOX_CEILING_CENTS}.
 */
export type SandboxDebitBehaviour =
  | 'PAYS'
  | 'REFUSES'
  | 'IGNORES'
  | 'LEAVES'
  | 'PAYS_FIRST_RETRY'
  | 'PAYS_LAST_RETRY'
  | 'NEVER_PAYS'
  | 'HAS_CEILING';

/** What the payer with a ceiling allows at most. */
export const SANDBOX_CEILING_CENTS = 5_000;

/** Test CPFs (guide "Pix Automático"). Any other payer accepts and pays. */
const BEHAVIOURS: Readonly<Record<string, SandboxDebitBehaviour>> = {
  '80000000167': 'REFUSES',
  '80000000248': 'IGNORES',
  '80000000329': 'LEAVES',
  '80000000400': 'PAYS_FIRST_RETRY',
  '80000000590': 'PAYS_LAST_RETRY',
  '80000000671': 'NEVER_PAYS',
  '80000000752': 'HAS_CEILING',
};

export function sandboxDebitBehaviourOf(taxId: string): SandboxDebitBehaviour {
  return BEHAVIOURS[taxId] ?? 'PAYS';
}
