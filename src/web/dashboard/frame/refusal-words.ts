import type { ErrorCode } from '../../../api/frame/errors.ts';
import type { FormRule, Rule } from '../../../api/frame/rules.ts';
import { METHODS } from '../../../charges/methods/index.ts';
import { formatBrl, MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { MOST_CYCLES } from '../../../domain/next-cycles.ts';
import { LONGEST_ADVANCE_YEARS } from '../../../domain/store-clock.ts';

type Words = readonly [portuguese: string, english: string];

const LARGEST = formatBrl(MAX_AMOUNT_CENTS);
const LEAST_BOLETO = formatBrl(METHODS.BOLETO.minCents);

/** The text for each error code of the API, including codes that no page can currently produce. */
export const CODE_WORDS: Readonly<Record<ErrorCode, Words>> = {
  VALIDATION_ERROR: ['Algo no formulário não está certo.', 'Something in the form is not right.'],
  MALFORMED_JSON: ['O que foi enviado não pôde ser lido.', 'What was sent could not be read.'],
  INVALID_CURSOR: [
    'O endereço desta página da lista não vale. Comece a lista de novo.',
    'The URL of this page of the list is invalid. Start the list again.',
  ],
  UNAUTHORIZED: ['Entre de novo.', 'Sign in again.'],
  PERMISSION_DENIED: [
    'Seu papel nesta loja não permite isto.',
    'Your role in this store does not allow this.',
  ],
  KEY_EXPIRED: ['A chave de API venceu.', 'The API key has expired.'],
  READ_ONLY_KEY: ['A chave de API só lê.', 'The API key is read-only.'],
  ADDRESS_NOT_ALLOWED: [
    'A chave de API não pode ser usada deste endereço IP.',
    'The API key may not be used from this IP address.',
  ],
  WRONG_ENVIRONMENT: ['Isto só existe no ambiente de teste.', 'Only the test environment has this.'],
  NOT_FOUND: [
    'Não há nada com este id nesta loja e ambiente.',
    'There is nothing with this id in this store and environment.',
  ],
  ROUTE_NOT_FOUND: ['Não há nada neste endereço.', 'There is nothing at this address.'],
  METHOD_NOT_ALLOWED: ['Este endereço não aceita isto.', 'This address does not take this.'],
  EXTERNAL_ID_CONFLICT: [
    'Este “seu id” já está em uso. Escolha outro.',
    'This id is already in use. Choose another one.',
  ],
  TAX_ID_CONFLICT: ['Outro cliente tem este CPF ou CNPJ.', 'Another customer has this tax id.'],
  COUPON_CODE_CONFLICT: [
    'Outro cupom tem este código. Escolha outro código.',
    'Another coupon has this code. Choose another one.',
  ],
  IDEMPOTENCY_KEY_IN_FLIGHT: [
    'O mesmo pedido ainda está em andamento.',
    'The same request is still running.',
  ],
  CLOCK_ADVANCING: [
    'O relógio do ambiente de teste está a caminho de outro instante. Espere que chegue, ou pare o relógio.',
    'The clock of the test environment is advancing to another time. Wait until it arrives, or stop it.',
  ],
  CLOCK_IN_USE: [
    'O relógio do ambiente de teste não pode voltar: algo em aberto espera por um instante dele.',
    'The clock of the test environment cannot be reset: open objects still depend on it.',
  ],
  BODY_TOO_LARGE: ['O que foi enviado é grande demais.', 'What was sent is too large.'],
  UNSUPPORTED_MEDIA_TYPE: ['O que foi enviado não pôde ser lido.', 'What was sent could not be read.'],
  IDEMPOTENCY_KEY_REUSED: [
    'Este pedido já tinha sido enviado com outro conteúdo.',
    'This request was already sent with different content.',
  ],
  INVALID_ENDPOINT: [
    'Não podemos enviar a este endereço. Ele deve ser completo e público, começar com https:// e não ter usuário nem senha, como https://example.com/webhooks. Para um programa na sua máquina, use `npx recebe listen`.',
    'We cannot send to this endpoint. It must be a complete public URL that starts with https:// and has no user name or password, such as https://example.com/webhooks. For a program on your machine, use `npx recebe listen`.',
  ],
  INVALID_TAX_ID: [
    'Este CPF ou CNPJ não existe: os dígitos verificadores não conferem.',
    'This CPF or CNPJ does not exist: its check digits are wrong.',
  ],
  INVALID_STATE: ['A situação atual não permite isto.', 'Its state does not allow this.'],
  NOT_ACCEPTABLE: ['Os valores não combinam entre si.', 'The values do not go together.'],
  COUPON_NOT_ACCEPTED: ['Este cupom não pode ser usado.', 'This coupon cannot be used.'],
  CARD_NOT_ACCEPTED: ['Este cartão não pode ser cobrado aqui.', 'This card cannot be charged here.'],
  CARD_DECLINED: ['O cartão foi recusado.', 'The card was declined.'],
  NO_PAYMENT_PROVIDER: [
    'Nenhum provedor de pagamento está configurado para este ambiente.',
    'No payment provider is configured for this environment.',
  ],
  TRANSACTION_NOT_REFUNDABLE: [
    'Não há o que reembolsar: nada foi pago, já voltou, ou o provedor se recusa a devolver.',
    'There is nothing to refund: nothing was paid, it was already refunded, or the provider refuses the refund.',
  ],
  TRANSACTION_UNDER_DISPUTE: [
    'O pagamento está em disputa e não pode ser reembolsado: a disputa decide.',
    'The payment is disputed and cannot be refunded: the dispute decides.',
  ],
  INVALID_METHOD: [
    'Um boleto não pode ser reembolsado: não se conhece a conta de quem pagou. Combine com a pessoa uma transferência por Pix.',
    'A boleto cannot be refunded: the payer’s account is unknown. Arrange a Pix transfer with the payer.',
  ],
  REFUND_EXCEEDS_PAYMENT: [
    'O valor é mais do que resta do pagamento.',
    'The amount is more than the rest of the payment.',
  ],
  PAYOUT_LIMIT_EXCEEDED: [
    'Passa de um limite de saída da loja.',
    'It exceeds one of the store’s payout limits.',
  ],
  INSUFFICIENT_FUNDS: [
    'O saldo disponível não cobre este valor.',
    'The available balance does not cover this amount.',
  ],
  INSUFFICIENT_FUNDS_AT_ACCOUNT: [
    'O dinheiro está em outra conta, não na conta que envia repasses. A página do extrato mostra quanto há em cada uma. Transfira o dinheiro no banco e peça que a transferência seja registrada.',
    'The money is in another account, not in the one that sends payouts. The statement page shows the amount in each. Move the money at the bank and ask for the move to be recorded.',
  ],
  INVALID_PIX_KEY: [
    'A chave Pix não é do tipo escolhido, ou pede outro valor.',
    'The Pix key does not match its type, or requires another amount.',
  ],
  WEBHOOK_INACTIVE: [
    'O webhook está desativado. Ative-o de novo primeiro.',
    'The webhook is disabled. Enable it again first.',
  ],
  TOO_MANY_REQUESTS: [
    'Muitos pedidos em pouco tempo. Espere um pouco e tente de novo.',
    'Too many requests in a short time. Wait a little and try again.',
  ],
  TOO_MANY_PAYOUTS: [
    'Só um repasse por minuto. Tente de novo em {seconds} segundos.',
    'One payout a minute. Try again in {seconds} seconds.',
  ],
  PROVIDER_REFUSED: [
    'O provedor de pagamento não aceitou. Nada foi criado.',
    'The payment provider did not accept it. Nothing was created.',
  ],
  INTERNAL_ERROR: [
    'O problema é nosso e nada foi perdido. Tente de novo em alguns instantes.',
    'The problem is on our side and nothing is lost. Try again in a moment.',
  ],
  TEMPORARILY_UNAVAILABLE: [
    'Uma parte do serviço não responde agora. Nada se perdeu: o que foi pedido é feito assim que ela voltar.',
    'A part of the service is not responding. Nothing is lost: your request is processed as soon as it is back.',
  ],
};

/** The text for each rule that a code stands for. */
export const RULE_WORDS: Readonly<Record<Rule, Words>> = {
  UNKNOWN_PRODUCT: [
    'Este produto não existe mais. Escolha outro.',
    'This product no longer exists. Choose another one.',
  ],
  PRODUCT_ARCHIVED: [
    'Este produto está arquivado. Restaure-o para vendê-lo de novo.',
    'This product is archived. Restore it to sell it again.',
  ],
  CLOCK_TOO_FAR: [
    `O relógio avança no máximo ${LONGEST_ADVANCE_YEARS} anos de cada vez. Escolha um tempo menor e avance de novo depois.`,
    `The clock advances at most ${LONGEST_ADVANCE_YEARS} years at a time. Choose less, and advance it again afterwards.`,
  ],
  CLOCK_TOO_MANY_CYCLES: [
    `As assinaturas teriam mais de ${MOST_CYCLES} ciclos até lá, o máximo de cada vez. Escolha um tempo menor e avance de novo depois.`,
    `Subscriptions would have more than ${MOST_CYCLES} cycles by then, the maximum at a time. Choose less, and advance it again afterwards.`,
  ],
  NO_ONE_OFF_PRODUCT: [
    'Escolha um produto que seja cobrado uma vez só.',
    'Choose a product that is charged once.',
  ],
  PAYOUT_TOO_LARGE: [
    'O valor passa do limite por envio desta loja.',
    'The amount exceeds this store’s limit per payout.',
  ],
  DAY_LIMIT_REACHED: [
    'O valor passa do que resta do limite diário desta loja. Espere até amanhã, ou peça a um dono que mude o limite.',
    'The amount exceeds the rest of this store’s daily limit. Wait until tomorrow, or ask an owner to change the limit.',
  ],
  PAYEE_LIMIT_REACHED: [
    'O valor passa do que resta do limite diário para esta chave Pix. Espere até amanhã, ou peça a um dono que mude o limite.',
    'The amount exceeds the rest of the daily limit for this Pix key. Wait until tomorrow, or ask an owner to change the limit.',
  ],
  NOT_WAITING: ['Já foi aprovado, recusado ou encerrado.', 'It was approved, rejected or ended already.'],
  OWN_PAYOUT: [
    'Quem criou o envio não pode aprová-lo. Peça a outra pessoa.',
    'The creator of a payout cannot approve it. Ask someone else.',
  ],
  METHOD_NOT_POSSIBLE: [
    'A conta de pagamento da loja não faz isso. Quem administra o serviço pode incluir outra.',
    'The store’s provider account does not support this. The service’s operator can add another one.',
  ],
  TXID_NOT_CARRIED: [
    'O código tem um txid, e a conta de pagamento da loja só envia para chaves. Se o recebedor não precisa do txid, envie para a chave Pix dele.',
    'The code has a txid, and the store’s provider account sends to keys only. If the payee does not need the txid, send to their Pix key.',
  ],
  EXPIRY_TOO_LONG: [
    'O provedor não emite códigos que possam ser pagos por tanto tempo.',
    'The provider does not issue codes that can be paid for so long.',
  ],
  UNKNOWN_CUSTOMER: ['Este cliente não existe.', 'There is no such customer.'],
  PRODUCT_HAS_CYCLE: [
    'Um produto com ciclo só é vendido como assinatura.',
    'A product with a cycle is sold as a subscription only.',
  ],
  PRODUCT_WITHOUT_CYCLE: [
    'Uma assinatura precisa de um produto com ciclo.',
    'A subscription needs a product with a cycle.',
  ],
  TRIAL_WITHOUT_CYCLE: [
    'Só um produto com ciclo tem período de teste.',
    'Only a product with a cycle has a trial.',
  ],
  NEVER_CHANGES: ['Isto não pode ser mudado depois de criado.', 'This cannot be changed once it is made.'],
  MAX_REDEEMS_BELOW_USE: [
    'O cupom já foi usado, ou está reservado, mais vezes do que isso.',
    'The coupon was already used or reserved more often than that.',
  ],
  COUPON_WITH_TRIAL: [
    'Com período de teste o primeiro pagamento já é gratuito: não leva cupom.',
    'With a trial the first payment is already free: no coupon applies.',
  ],
  INSTALLMENTS_OF_SUBSCRIPTION: [
    'Cada ciclo de uma assinatura é cobrado em uma parcela.',
    'Each cycle of a subscription is charged in one payment.',
  ],
  INSTALLMENT_TOO_SMALL: [
    'O total é baixo demais para tantas parcelas.',
    'The total is too small for so many installments.',
  ],
  TOTAL_TOO_LARGE: [
    `O total passa do máximo de uma cobrança, ${LARGEST}.`,
    `The total exceeds the maximum of a charge, ${LARGEST}.`,
  ],
  TOTAL_BELOW_MINIMUM: [
    `O total é baixo demais para um dos métodos: um boleto é de pelo menos ${LEAST_BOLETO}.`,
    `The total is too small for one of the methods: the minimum for a boleto is ${LEAST_BOLETO}.`,
  ],
  BELOW_BOLETO_MINIMUM: [
    `Um boleto é de pelo menos ${LEAST_BOLETO}.`,
    `The minimum for a boleto is ${LEAST_BOLETO}.`,
  ],
  DUE_DATE_OUT_OF_RANGE: [
    'O vencimento deve ser de hoje a um ano.',
    'The due date must be between today and a year from now.',
  ],
  STORE_WITHOUT_TAX_ID: [
    'Um boleto leva o CPF ou CNPJ de quem recebe. Informe o da loja em Loja.',
    'A boleto shows the payee’s CPF or CNPJ. Enter the store’s under Store.',
  ],
  CARD_NOT_OFFERED: [
    'Parcelas são só para cartão: inclua o método cartão.',
    'Installments are for cards only: add the card method.',
  ],
  METHOD_NOT_OFFERED: ['O checkout não oferece este método.', 'The checkout does not offer this method.'],
  INSTALLMENTS_NOT_OFFERED: [
    'O checkout não oferece tantas parcelas.',
    'The checkout does not offer so many installments.',
  ],
  ONLY_FOR_CARDS: ['Isto é só para cartão.', 'This is for card payments only.'],
  CARD_REQUIRED: ['Falta o cartão.', 'A card is needed.'],
  PAYER_NAME_REQUIRED: ['Um boleto precisa do nome de quem paga.', 'A boleto needs the name of its payer.'],
  PAYER_TAX_ID_REQUIRED: [
    'Um boleto precisa do CPF ou CNPJ de quem paga.',
    'A boleto needs the CPF or CNPJ of its payer.',
  ],
  CUSTOMER_SENT_TWICE: ['O cliente foi informado duas vezes.', 'The customer was given twice.'],
  ID_OF_LINK: [
    'Um link tem muitos pagamentos: use o id de um deles.',
    'A payment link has many payments: use the id of one of them.',
  ],
  USAGE_TOO_LARGE: [
    `A próxima cobrança passaria do máximo, ${LARGEST}.`,
    `The next charge would exceed the maximum, ${LARGEST}.`,
  ],
  USAGE_BELOW_ZERO: [
    'Não se pode subtrair mais do que foi somado no ciclo.',
    'You cannot subtract more than was added in the cycle.',
  ],
  RANGE_REVERSED: ['O fim do período deve vir depois do começo.', 'The range must end after it begins.'],
  RANGE_TOO_LONG: ['O período tem dias demais.', 'The range has too many days.'],
  NOT_OPEN: [
    'Não está mais em aberto: foi pago ou cancelado, ou expirou.',
    'It is no longer open: it was paid, cancelled or expired.',
  ],
  NOT_PAID: ['Nada foi pago ainda.', 'Nothing was paid yet.'],
  NOT_DISPUTABLE: [
    'Não há aqui um pagamento que possa ser contestado.',
    'There is no payment here that could be disputed.',
  ],
  NO_OPEN_DISPUTE: [
    'Não há disputa em aberto, ou ela já foi decidida.',
    'There is no open dispute, or it was already decided.',
  ],
  USED_UP: ['O cupom está esgotado: foi usado tantas vezes quanto podia.', 'The coupon is used up.'],
  TOO_MANY_WEBHOOKS: [
    'A loja já tem 100 webhooks neste ambiente. Apague um de que não precise.',
    'The store already has 100 webhooks in this environment. Delete one that is not needed.',
  ],
  RESEND_IN_PROGRESS: [
    'Outro período deste webhook já está sendo reenviado. Espere que termine.',
    'Another range of this webhook is already being resent. Wait until it ends.',
  ],
  COUPON_UNKNOWN: ['Não há cupom com este código.', 'There is no coupon with this code.'],
  COUPON_INACTIVE: ['O cupom está desligado.', 'The coupon is switched off.'],
  COUPON_EXPIRED: ['O cupom está esgotado.', 'The coupon is used up.'],
  COUPON_NOT_VALID: ['Este cupom não vale neste checkout.', 'This coupon is not one of the checkout.'],
  COUPON_EXHAUSTED: ['O cupom não tem mais usos livres.', 'The coupon has no use left.'],
  COUPON_HELD_BY_BOLETOS: [
    'Boletos em aberto seguram os usos que restam deste cupom.',
    'Unpaid boletos reserve the remaining uses of this coupon.',
  ],
  CARD_NUMBER_INVALID: ['O número do cartão não confere.', 'The number of the card cannot be right.'],
  CARD_HOLDER_REQUIRED: ['Falta o nome impresso no cartão.', 'The holder of the card is missing.'],
  CARD_EXPIRY_INVALID: ['O cartão está vencido.', 'The card has expired.'],
  CARD_CVV_INVALID: ['O código de segurança não confere.', 'The security code cannot be right.'],
  CARD_NOT_ACCEPTED: [
    'No ambiente de teste só os cartões de teste são aceitos.',
    'The test environment accepts test cards only.',
  ],
  TOO_MANY_ATTEMPTS: [
    'Muitos cartões foram recusados aqui na última hora.',
    'Too many cards were declined here within an hour.',
  ],
};

const CHOOSE: Words = ['Escolha uma das opções da lista.', 'Choose one of the list.'];
const PRODUCT: Words = ['Escolha um produto da lista.', 'Choose a product of the list.'];
const QUANTITY: Words = [
  'A quantidade deve ser um número inteiro de 1 a 1.000.000.',
  'The quantity must be a whole number from 1 to 1,000,000.',
];
const DAY: Words = ['Escolha um dia, como 01/11/2026.', 'Choose a day, such as 1 November 2026.'];

/** The valid format of each field of a form, by the field's API name without indices: `items.quantity`. */
export const FIELD_WORDS: Readonly<Record<string, Words>> = {
  name: ['O nome deve ter de 1 a 200 caracteres.', 'The name must have 1 to 200 characters.'],
  externalId: ['Seu id deve ter de 1 a 100 caracteres.', 'Your id must have 1 to 100 characters.'],
  price: [
    `O preço deve ser de R$ 0,01 a ${LARGEST}, como 10 ou 49,90.`,
    `The price must be from R$ 0,01 to ${LARGEST}, such as 10 or 49,90.`,
  ],
  description: ['A descrição é longa demais.', 'The description is too long.'],
  imageUrl: [
    'Escreva o endereço de uma imagem, como https://example.com/camiseta.png.',
    'Write the address of a picture, such as https://example.com/shirt.png.',
  ],
  fileUrl: [
    'Escreva um endereço que comece com https://, como https://example.com/manual.pdf.',
    'Write an address that starts with https://, such as https://example.com/manual.pdf.',
  ],
  trialDays: ['Escreva de 1 a 90 dias, ou deixe vazio.', 'Write 1 to 90 days, or leave it empty.'],
  amount: ['Escreva um valor como 250,00.', 'Write an amount such as 250,00.'],
  cycle: CHOOSE,
  by: CHOOSE,
  code: [
    'O código deve ter de 1 a 50 letras, números, - ou _, como BEMVINDO10.',
    'The code must have 1 to 50 letters, digits, - or _, such as WELCOME10.',
  ],
  discountKind: CHOOSE,
  discount: [
    'O desconto deve ser um percentual acima de 0 e até 100, como 10 ou 12,5, ou um valor em reais, como 15,00.',
    'The discount must be a percentage above 0 and up to 100, such as 10 or 12,5, or an amount, such as 15,00.',
  ],
  maxRedeems: [
    'Escreva quantos usos, como 100, ou deixe vazio para não ter limite.',
    'Write how many uses, such as 100, or leave it empty for no limit.',
  ],
  notes: ['As observações devem ter até 500 caracteres.', 'The notes must have at most 500 characters.'],
  reason: ['O motivo deve ter até 500 caracteres.', 'The reason must have at most 500 characters.'],
  id: ['Escreva o id, como a lista o mostra.', 'Write the id, as the list shows it.'],
  subjectId: ['Escreva um id completo.', 'Write a whole id.'],
  productId: PRODUCT,
  quantity: QUANTITY,
  units: [
    'As unidades devem ser um número inteiro, de 1 em diante.',
    'The units must be a whole number, 1 or more.',
  ],
  type: CHOOSE,
  key: ['Escreva uma chave Pix do tipo escolhido.', 'Write a Pix key of the kind that was chosen.'],
  'items.id': PRODUCT,
  'items.quantity': QUANTITY,
  frequency: CHOOSE,
  'card.maxInstallments': CHOOSE,
  coupons: ['Escolha cupons da lista.', 'Choose coupons of the list.'],
  methods: ['Escolha pelo menos um método.', 'Choose one method at least.'],
  endpoint: CODE_WORDS.INVALID_ENDPOINT,
  secret: ['O segredo deve ter de 1 a 256 caracteres.', 'The secret must have 1 to 256 characters.'],
  events: ['Escolha pelo menos um evento.', 'Choose one event at least.'],
  event: CHOOSE,
  from: ['Escolha de quando.', 'Choose from when.'],
  to: ['Escolha até quando, depois do começo.', 'Choose until when, later than the beginning.'],
  status: CHOOSE,
  subscriptionStatus: CHOOSE,
  method: CHOOSE,
  account: CHOOSE,
  kind: CHOOSE,
  createdFrom: DAY,
  createdTo: DAY,
  paidFrom: DAY,
  paidTo: DAY,
  email: [
    'Escreva um e-mail completo, como ana@example.com.',
    'Enter a complete email address, such as ana@example.com.',
  ],
  taxId: ['Escreva um CPF ou CNPJ completo.', 'Write a whole CPF or CNPJ.'],
};

/** The problem of a field that has no text of its own; follows the field's name. */
export const FORM_RULE_WORDS: Readonly<Record<FormRule, Words>> = {
  REQUIRED: ['falta.', 'is missing.'],
  UNKNOWN_FIELD: ['não existe.', 'does not exist.'],
  WRONG_TYPE: ['não foi entendido.', 'was not understood.'],
  WRONG_FORMAT: ['não tem a forma certa.', 'is not of the right form.'],
  TOO_SMALL: ['é pequeno ou curto demais.', 'is too small or too short.'],
  TOO_LARGE: ['é grande ou longo demais.', 'is too large or too long.'],
  WRONG_VALUE: ['tem um valor que não é aceito.', 'has a value that is not taken.'],
};
