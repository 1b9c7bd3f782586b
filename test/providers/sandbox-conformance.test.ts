import { SandboxBank } from '../../src/providers/sandbox/sandbox-bank.ts';
import { SandboxDisputes } from '../../src/providers/sandbox/sandbox-disputes.ts';
import { sandboxMandates } from '../../src/providers/sandbox/sandbox-mandates.ts';
import { createSandboxProvider, SANDBOX_CAPABILITIES } from '../../src/providers/sandbox/sandbox-provider.ts';
import { SandboxTransfers } from '../../src/providers/sandbox/sandbox-transfers.ts';
import { createTestDatabase } from '../support/rows/database.ts';
import { conforms } from './conformance.ts';

conforms('the sandbox', SANDBOX_CAPABILITIES, async () => {
  const { database, drop } = await createTestDatabase();
  const bank = new SandboxBank(database);
  return {
    provider: createSandboxProvider(
      bank,
      new SandboxDisputes(database),
      new SandboxTransfers(database),
      sandboxMandates(database, bank),
    ),
    pay: async (reference, amountCents) => {
      const payer = { name: 'Ana Souza', taxId: '52998224725' };
      return (await bank.pay({ reference, amountCents, paidAt: new Date(), payer, metadata: null })) !== null;
    },
    goodCard: { number: '4242424242424242', holderName: 'ANA SOUZA', expiry: '12/30', cvv: '123' },
    goodPixKey: 'ana@example.com',
    close: drop,
  };
});
