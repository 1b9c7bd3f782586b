import { z } from 'zod';

/** An amount in reais, as Bacen's document writes it. */
export const amount = z.string().regex(/^\d{1,10}\.\d{2}$/);

/** A payer with either a CPF or a CNPJ. Bacen's document allows other lengths of names to charges and to mandates. */
export const person = (mostOfName: number) =>
  z
    .object({
      cpf: z
        .string()
        .regex(/^\d{11}$/)
        .optional(),
      cnpj: z
        .string()
        .regex(/^[0-9A-Z]{14}$/)
        .optional(),
      nome: z.string().max(mostOfName),
    })
    .refine(({ cpf, cnpj }) => (cpf === undefined) !== (cnpj === undefined));
