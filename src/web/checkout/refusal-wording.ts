import type { PaymentRefusalReason } from '../../checkouts/payment-refusal.ts';
import type { FieldProblem } from './pay-form-data.ts';

/**
 * Why a form is shown again: a reason of the application, or one of the page only. The page requires a valid email address so
 * that the merchant can write to it, and its coupon button may be pressed without a code.
 */
export type FormProblem = PaymentRefusalReason | 'EMAIL_INVALID' | 'COUPON_MISSING';

/** The payer's text if a payment could not start, and the field it refers to. Nothing was charged. */
export const REFUSAL_WORDING: Readonly<Record<FormProblem, FieldProblem>> = {
  NOT_OPEN: { field: null, message: 'Este pedido não aceita mais pagamentos.' },
  METHOD_NOT_OFFERED: { field: 'method', message: 'Escolha uma das formas de pagamento.' },
  METHOD_NOT_POSSIBLE: {
    field: 'method',
    message: 'A loja não pode receber assim no momento. Escolha outra forma de pagamento.',
  },
  COUPON_NOT_VALID: { field: 'coupon', message: 'Este cupom não existe ou não vale para este pedido.' },
  COUPON_EXHAUSTED: {
    field: 'coupon',
    message: 'Este cupom já foi usado o número máximo de vezes. Você pode pagar sem ele.',
  },
  COUPON_HELD_BY_BOLETOS: {
    field: 'method',
    message: 'Este cupom está reservado por outros boletos. Use outra forma de pagamento ou pague sem ele.',
  },
  INSTALLMENTS_NOT_OFFERED: { field: 'installments', message: 'Escolha uma das opções de parcelas.' },
  PAYER_NAME_REQUIRED: { field: 'payerName', message: 'Para pagar com boleto, informe o nome de quem paga.' },
  PAYER_TAX_ID_REQUIRED: {
    field: 'payerTaxId',
    message: 'Para pagar com boleto, informe o CPF ou CNPJ de quem paga.',
  },
  PAYER_TAX_ID_INVALID: { field: 'payerTaxId', message: 'Confira o CPF ou CNPJ: os números não conferem.' },
  CARD_REQUIRED: { field: 'cardNumber', message: 'Informe os dados do cartão.' },
  CARD_NUMBER_INVALID: {
    field: 'cardNumber',
    message:
      'Confira o número do cartão: falta ou sobra algum número. Por segurança, digite-o de novo, com o código.',
  },
  CARD_HOLDER_REQUIRED: { field: 'cardHolder', message: 'Informe o nome como está impresso no cartão.' },
  CARD_EXPIRY_INVALID: {
    field: 'cardExpiry',
    message: 'Confira a validade: mês e ano (MM/AA), ainda não vencida.',
  },
  CARD_CVV_INVALID: { field: 'cardCvv', message: 'Confira o código de segurança: são 3 ou 4 números.' },
  CARD_NOT_ACCEPTED: { field: 'cardNumber', message: 'Este cartão não é aceito aqui. Use outro cartão.' },
  TOO_MANY_ATTEMPTS: {
    field: 'method',
    message: 'Houve muitas tentativas com cartão. Espere uma hora ou escolha outra forma de pagamento.',
  },
  BELOW_BOLETO_MINIMUM: {
    field: 'method',
    message: 'O valor é menor que o mínimo para boleto. Escolha outra forma de pagamento.',
  },
  STORE_WITHOUT_TAX_ID: {
    field: 'method',
    message: 'A loja ainda não pode receber por boleto. Escolha outra forma de pagamento.',
  },
  NO_PAYMENT_PROVIDER: {
    field: null,
    message: 'A loja ainda não pode receber pagamentos aqui. Nada foi cobrado; fale com a loja.',
  },
  EMAIL_INVALID: {
    field: 'payerEmail',
    message: 'Confira o e-mail: falta alguma parte, como em ana@exemplo.com.br.',
  },
  COUPON_MISSING: { field: 'coupon', message: 'Digite o código do cupom.' },
};

export function isFormProblem(text: string): text is FormProblem {
  return Object.hasOwn(REFUSAL_WORDING, text);
}
