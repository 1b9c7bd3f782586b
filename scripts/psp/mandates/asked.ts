import { z } from 'zod';
import { amount, person } from '../asked-fields.ts';
import { refuseField } from '../problem.ts';

const txid = z.string().regex(/^[a-zA-Z0-9]{26,35}$/);
const mandate = z.object({
  vinculo: z.object({
    contrato: z.string().max(35),
    devedor: person(140),
    objeto: z.string().max(35).optional(),
  }),
  calendario: z.object({
    dataInicial: z.iso.date(),
    dataFinal: z.iso.date().optional(),
    periodicidade: z.enum(['SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL']),
  }),
  valor: z
    .object({ valorRec: amount.optional(), valorMinimoRecebedor: amount.optional() })
    .refine(
      ({ valorRec, valorMinimoRecebedor }) => valorRec === undefined || valorMinimoRecebedor === undefined,
    )
    .optional(),
  politicaRetentativa: z.enum(['NAO_PERMITE', 'PERMITE_3R_7D']),
  loc: z.int().optional(),
  recebedor: z.object({ convenio: z.string().max(60).optional() }).optional(),
  ativacao: z.object({ dadosJornada: z.object({ txid }) }).optional(),
});
/** What a mandate is asked for with (Bacen's document, `RecSolicitada`). */
export type AskedMandate = z.output<typeof mandate>;

const instruction = z.object({
  idRec: z.string().regex(/^[a-zA-Z0-9]{29}$/),
  infoAdicional: z.string().max(140).optional(),
  calendario: z.object({ dataDeVencimento: z.iso.date() }),
  valor: z.object({ original: amount }),
  ajusteDiaUtil: z.boolean().default(true),
  recebedor: z.object({
    agencia: z.string().max(4).optional(),
    conta: z.string().max(20),
    tipoConta: z.enum(['CORRENTE', 'POUPANCA', 'PAGAMENTO']),
  }),
  devedor: z.record(z.string(), z.string()).optional(),
});
/** What an instruction is asked for with (Bacen's document, `CobRSolicitada`). */
export type AskedInstruction = z.output<typeof instruction>;

/** @throws Problem naming the first field that is not as the document has it. */
export const readAskedMandate = readerOf('RecOperacaoInvalida', 'rec', mandate);
/** @throws Problem naming the first field that is not as the document has it. */
export const readAskedInstruction = readerOf('CobROperacaoInvalida', 'cobr', instruction);

function readerOf<Schema extends z.ZodType>(
  type: 'RecOperacaoInvalida' | 'CobROperacaoInvalida',
  whole: string,
  schema: Schema,
) {
  return (body: unknown): z.output<Schema> => {
    const { data, error } = schema.safeParse(body);
    if (error === undefined) return data;
    const path = [whole, ...(error.issues[0]?.path ?? []).map(String)].join('.');
    return refuseField(type, path, 'O campo não respeita o schema.');
  };
}
