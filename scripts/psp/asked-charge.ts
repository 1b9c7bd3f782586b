import { z } from 'zod';
import { amount, person } from './asked-fields.ts';
import { refuseField } from './problem.ts';

const rate = (modes: number) =>
  z.object({ modalidade: z.int().min(1).max(modes), valorPerc: amount }).optional();
const terms = {
  valor: z.object({ original: amount, juros: rate(8), multa: rate(2) }),
  chave: z.string().max(77),
  devedor: person(200).optional(),
  solicitacaoPagador: z.string().max(140).optional(),
  infoAdicionais: z
    .array(z.object({ nome: z.string().max(50), valor: z.string().max(200) }))
    .max(50)
    .optional(),
};
const immediate = z.object({
  ...terms,
  calendario: z.object({ expiracao: z.int32().min(1).optional() }),
});
const due = z.object({
  ...terms,
  calendario: z.object({
    dataDeVencimento: z.iso.date(),
    validadeAposVencimento: z.int32().min(0).optional(),
  }),
});

/** What a charge is asked for with (Bacen's document, `CobSolicitada` and `CobVSolicitada`). */
export interface AskedCharge extends Omit<z.output<typeof immediate>, 'calendario'> {
  readonly calendario: z.output<typeof immediate>['calendario'] & Partial<z.output<typeof due>['calendario']>;
}

/** Reads a body. @throws Problem naming the first field that is not as the document has it. */
export function readAskedCharge(kind: 'cob' | 'cobv', body: unknown): AskedCharge {
  const { data, error } = (kind === 'cob' ? immediate : due).safeParse(body);
  if (data !== undefined) return data;
  const field = error.issues[0]?.path.join('.') ?? '';
  const type = kind === 'cob' ? 'CobOperacaoInvalida' : 'CobVOperacaoInvalida';
  return refuseField(type, field === '' ? 'corpo' : field, 'O valor não respeita o schema.');
}
